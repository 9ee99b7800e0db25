import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { RequestServices } from '../read/request-services.js'
import { mutateRelationship } from '../write/mutate-relationship.js'

type UpdateRelationship = Extract<Operation, { kind: 'UpdateRelationship' }>

/** PATCH `/{type}/{id}/relationships/{rel}`: the linkage takes the place of all that there was. */
export function updateRelationship(operation: UpdateRelationship, services: RequestServices): Promise<ResponseValue> {
  return mutateRelationship(operation, 'replace', services)
}
