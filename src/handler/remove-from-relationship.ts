import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { RequestServices } from '../read/request-services.js'
import { mutateRelationship } from '../write/mutate-relationship.js'

type RemoveFromRelationship = Extract<Operation, { kind: 'RemoveFromRelationship' }>

/** DELETE `/{type}/{id}/relationships/{rel}`: what is no member is passed over. */
export function removeFromRelationship(
  operation: RemoveFromRelationship,
  services: RequestServices,
): Promise<ResponseValue> {
  return mutateRelationship(operation, 'remove', services)
}
