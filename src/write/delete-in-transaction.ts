import { fail } from '../errors/json-api-error.js'
import { workContext } from '../hooks/work-context.js'
import { writeTransaction } from '../read/open-transactions.js'
import { fetchObject } from '../read/rows/fetch-row.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import { inTransaction } from './persist/in-transaction.js'
import type { DeleteWrite } from './prepare-write.js'
import { isAnswer } from '../resource/answer.js'
import { writeWithoutDocument } from '../resource/capabilities/write-without-document.js'
import type { ColumnValues, WriteContext } from '../resource/capabilities/persister.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { CompiledType } from '../resource/compiled-type.js'
import { invariant } from '../util/invariant.js'

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

/** Deletes a row, or marks it as deleted if the type has soft deletes. Returns whether it existed. */
async function removeRow({ type, persister }: ServedType, row: RowObject, write: WriteContext): Promise<boolean> {
  invariant(persister !== null, `'${type.type}' is deleted, but has no persister`)
  const { softDeletes } = type
  const key = row[type.id.column]
  if (softDeletes === null) return writeWithoutDocument(type.type, () => persister.delete(type, key, write))
  const values = softDeletedNow(softDeletes)
  const marked = await writeWithoutDocument(type.type, () => persister.update(type, key, values, write))
  if (isAnswer(marked)) throw new TypeError(`The persister of '${type.type}' deferred a delete, which is not possible.`)
  return marked !== null
}

type SoftDeletes = NonNullable<CompiledType['softDeletes']>

/** Returns the column that marks a row as deleted now. */
export function softDeletedNow({ column, as }: SoftDeletes): ColumnValues {
  const now = new Date()
  return { [column]: as === 'text' ? now.toISOString() : now }
}
