import { fail } from '../errors/json-api-error.js'
import { fire } from '../hooks/fire-events.js'
import { workContext } from '../hooks/work-context.js'
import { writeTransaction } from '../read/open-transactions.js'
import { fetchObject } from '../read/rows/fetch-row.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import { checkRules, storedRow } from './persist/check-rules.js'
import { checkVersion } from './persist/check-version.js'
import { deleteRow, deleteRowPermanently } from './persist/delete-row.js'
import { inTransaction } from './persist/in-transaction.js'
import type { DeleteWrite } from './prepare-write.js'

/** Deletes a resource in a transaction. Returns its row as it was. `deleteByStatement` is its fast path. */
export function deleteInTransaction(deletion: DeleteWrite): Promise<RowObject> {
  const { served, id, isPermanent, action, ifMatch, request } = deletion
  const { context, services } = request
  const trash = isPermanent ? 'shown' : 'hidden'
  return inTransaction([served], request, async (open) => {
    const row = await fetchObject(served, id, { open, context, forChange: true, trash })
    const check = { context, open, limit: services.maxErrors }
    const ability = isPermanent ? (served.type.softDeletes?.abilities.forceDelete ?? 'forceDelete') : 'delete'
    if (ability !== false) await checkRules([storedRow(served, row)], ability, check)
    checkVersion(served, row, ifMatch)
    const write = { transaction: writeTransaction(served, open), context: workContext(context, open, services) }
    if (action !== null) await fire(served, 'BeforeAction', { action, row }, () => write.context)
    await fire(served, 'BeforeDelete', { row }, () => write.context)
    const isDeleted = await (isPermanent ? deleteRowPermanently : deleteRow)(served, row, write)
    if (!isDeleted) fail('RESOURCE_NOT_FOUND')
    return row
  })
}
