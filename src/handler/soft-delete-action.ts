import type { ActionCall } from '../operation/action-call.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { RequestServices } from '../read/read-context.js'
import { deleteInTransaction } from '../write/delete-in-transaction.js'
import { prepareForceDelete, prepareRestore } from '../write/prepare-write.js'
import { respondToDelete, respondToRestore } from '../write/respond.js'
import { restoreInTransaction } from '../write/restore-in-transaction.js'
import { spendWrite } from '../write/write-cost.js'

/** POST `/{type}/{id}/-actions/restore` */
export async function restore(call: ActionCall, id: string, services: RequestServices): Promise<ResponseValue> {
  const write = await prepareRestore(call, id, services)
  return respondToRestore(write, await restoreInTransaction(write))
}

/** POST `/{type}/{id}/-actions/force-delete` */
export async function forceDelete(call: ActionCall, id: string, services: RequestServices): Promise<ResponseValue> {
  const write = prepareForceDelete(call, id, services)
  await spendWrite(null, write.request)
  return respondToDelete(write, await deleteInTransaction(write))
}
