import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { RequestServices } from '../read/read-context.js'
import { prepareUpdate, withMembers } from '../write/prepare-write.js'
import { respond } from '../write/respond.js'
import { updateByStatement } from '../write/statement-writes.js'
import { updateInTransaction } from '../write/update-in-transaction.js'

/** PATCH `/{type}/{id}` */
export async function updateResource(
  operation: Extract<Operation, { kind: 'UpdateResource' }>,
  services: RequestServices,
): Promise<ResponseValue> {
  let write = await prepareUpdate(operation, services)
  for (;;) {
    const outcome = (await updateByStatement(write)) ?? (await updateInTransaction(write))
    if (outcome.kind !== 'hidden') return respond(write, outcome)
    write = withMembers(write, outcome.writable)
  }
}
