import type { ResponseValue } from '../operation/response-value.js'
import type { RequestServices } from '../read/read-context.js'
import type { RelationshipMode } from '../resource/hooks.js'
import { mutateInTransaction } from '../write/mutate-in-transaction.js'
import type { RelationshipOperation } from '../write/prepare-write.js'
import { prepareRelationshipWrite } from '../write/prepare-write.js'
import { respondToChange, respondToMutation } from '../write/respond.js'
import { changeMembersByStatement } from '../write/statement-writes.js'

/**
 * Changes the members of a relation.
 *
 * - PATCH `/{type}/{id}/relationships/{rel}` replaces all members.
 * - POST adds members. Resources that are already members stay members.
 * - DELETE removes members. Resources that are not members are ignored.
 */
export async function mutateRelationship(
  operation: RelationshipOperation,
  mode: RelationshipMode,
  services: RequestServices,
): Promise<ResponseValue> {
  const write = await prepareRelationshipWrite(operation, mode, services)
  const owner = await changeMembersByStatement(write)
  return owner === null
    ? respondToMutation(write, await mutateInTransaction(write))
    : respondToChange(write, owner, false)
}
