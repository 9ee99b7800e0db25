import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { HandlerServices } from '../read/request-services.js'
import { mutateRelationship } from '../write/mutate-relationship.js'

type RemoveFromRelationship = Extract<Operation, { kind: 'RemoveFromRelationship' }>

/** DELETE `/{type}/{id}/relationships/{rel}`: what is no member is passed over. */
export function removeFromRelationship(
  operation: RemoveFromRelationship,
  services: HandlerServices,
): Promise<ResponseValue> {
  return mutateRelationship(operation, 'remove', services)
}
