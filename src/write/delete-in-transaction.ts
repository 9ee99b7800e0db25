import { fail } from '../errors/json-api-error.js'
import { workContext } from '../hooks/work-context.js'
import { writeTransaction } from '../read/open-transactions.js'
import { fetchObject } from '../read/rows/fetch-row.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import { inTransaction } from './persist/in-transaction.js'
import { removeRow } from './persist/remove-row.js'
import type { DeleteWrite } from './prepare-write.js'

/** Deletes a resource in a transaction. Returns its row as it was. */
export function deleteInTransaction({ served, id, request }: DeleteWrite): Promise<RowObject> {
  const { context, services } = request
  return inTransaction([served], services, async (open) => {
    const row = await fetchObject(served, id, { open, context, forChange: true })
    const write = { transaction: writeTransaction(served, open), context: workContext(context, open, services) }
    await served.type.hooks?.beforeDelete?.(row, write.context)
    if (!(await removeRow(served, row, write))) fail('RESOURCE_NOT_FOUND')
    return row
  })
}
