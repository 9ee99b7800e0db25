import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { createResource } from './create-resource.js'
import { deleteResource } from './delete-resource.js'
import { fetchRelated } from './fetch-related.js'
import { fetchRelationship } from './fetch-relationship.js'
import { fetchResource } from './fetch-resource.js'
import type { RequestServices } from '../read/read-context.js'
import { mutateRelationship } from './mutate-relationship.js'
import { updateResource } from './update-resource.js'

/**
 * Runs one operation and returns one response value.
 *
 * @example
 * ```ts
 * const timed = (builtIn: Handler): Handler => async (operation) => {
 *   const start = performance.now()
 *   const response = await builtIn(operation)
 *   console.log(operation.kind, performance.now() - start)
 *   return response
 * }
 * createServer({ resources: [albums, artists], data: memoryData(), handler: timed })
 * ```
 */
export type Handler = (operation: Operation) => Promise<ResponseValue>

/** The handler that every server has: one file per operation. */
export function resourceHandler(services: RequestServices): Handler {
  return (operation) => {
    try {
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
          return fetchRelated(operation, services)
        case 'FetchRelationship':
          return fetchRelationship(operation, services)
        case 'UpdateRelationship':
          return mutateRelationship(operation, 'replace', services)
        case 'AddToRelationship':
          return mutateRelationship(operation, 'add', services)
        case 'RemoveFromRelationship':
          return mutateRelationship(operation, 'remove', services)
        default:
          throw new TypeError(`There is no operation '${String((operation as { readonly kind: unknown }).kind)}'.`)
      }
    } catch (thrown) {
      return Promise.reject(thrown)
    }
  }
}
