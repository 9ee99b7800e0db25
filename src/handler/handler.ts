import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { createResource } from './create-resource.js'
import { deleteResource } from './delete-resource.js'
import { fetchResource } from './fetch-resource.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { notServedYet } from './not-served-yet.js'
import { findRelation } from './steps/find-relation.js'
import { updateResource } from './update-resource.js'

/** Takes one operation, answers one response value. */
export type Handler = (operation: Operation) => Promise<ResponseValue>

/** The handler that every server has: one file per operation. */
export function resourceHandler(services: HandlerServices): Handler {
  return async (operation) => {
    switch (operation.kind) {
      case 'FetchResource':
        return fetchResource(operation, services)
      case 'CreateResource':
        return createResource(operation, services)
      case 'UpdateResource':
        return updateResource(operation, services)
      case 'DeleteResource':
        return deleteResource(operation, services)
      case 'FetchRelated':
        findRelation(servedType(services, operation.context).type, operation.relationship, 'related')
        return notServedYet('Reading relationships')
      case 'FetchRelationship':
        findRelation(servedType(services, operation.context).type, operation.relationship, 'relationship')
        return notServedYet('Reading relationships')
      case 'UpdateRelationship':
      case 'AddToRelationship':
      case 'RemoveFromRelationship':
        findRelation(servedType(services, operation.context).type, operation.relationship, 'relationship')
        return notServedYet('Writing relationships')
      default:
        throw new TypeError(`There is no operation '${String((operation as { readonly kind: unknown }).kind)}'.`)
    }
  }
}
