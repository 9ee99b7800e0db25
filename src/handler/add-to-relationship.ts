import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { RequestServices } from '../read/request-services.js'
import { mutateRelationship } from '../write/mutate-relationship.js'

type AddToRelationship = Extract<Operation, { kind: 'AddToRelationship' }>

/** POST `/{type}/{id}/relationships/{rel}`: what is a member already stays one. */
export function addToRelationship(operation: AddToRelationship, services: RequestServices): Promise<ResponseValue> {
  return mutateRelationship(operation, 'add', services)
}
