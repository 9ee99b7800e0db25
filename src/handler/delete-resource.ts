import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { RequestServices } from '../read/read-context.js'
import { deleteInTransaction } from '../write/delete-in-transaction.js'
import { prepareDelete } from '../write/prepare-write.js'
import { respondToDelete } from '../write/respond.js'
import { deleteByStatement } from '../write/statement-writes.js'
import { spendWrite } from '../write/write-cost.js'

/** DELETE `/{type}/{id}` */
export async function deleteResource(
  operation: Extract<Operation, { kind: 'DeleteResource' }>,
  services: RequestServices,
): Promise<ResponseValue> {
  const write = prepareDelete(operation, services)
  await spendWrite(null, write.request)
  const row = (await deleteByStatement(write)) ?? (await deleteInTransaction(write))
  return respondToDelete(write, row)
}
