import { isReply } from '../../../declare/resource/replies/reply.js'
import { writeWithoutDocument } from '../../../declare/resource/capabilities/write-without-document.js'
import type { ColumnValues, WriteContext } from '../../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledSoftDeletes } from '../../../declare/resource/parts/soft-deletes.js'
import { keyIn } from '../../../declare/resource/parts/key-columns.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { withRaisedVersion } from '../../../declare/resource/versions/raised-version.js'
import { invariant } from '../../../core/util/invariant.js'

type Persister = NonNullable<ServedType['persister']>

/** Deletes a row, or marks it as deleted if the type has soft deletes. Returns whether it existed. */
export async function deleteRow(served: ServedType, row: RowObject, write: WriteContext): Promise<boolean> {
  const { softDeletes } = served.type
  if (softDeletes === null) return deleteRowPermanently(served, row, write)
  return (await setColumns(served, row, softDeletedNow(softDeletes), write)) !== null
}

/** Deletes a row from the store, also if the type has soft deletes. Returns whether it existed. */
export function deleteRowPermanently(served: ServedType, row: RowObject, write: WriteContext): Promise<boolean> {
  const { type } = served
  return writeWithoutDocument(type.type, () => persisterOf(served).delete(type, keyIn(row, type.id.column), write))
}

/** Clears the mark of a soft-deleted row. Returns the row as it was stored; `null` if it does not exist. */
export function restoreRow(
  served: ServedType,
  row: RowObject,
  { column }: CompiledSoftDeletes,
  write: WriteContext,
): Promise<object | null> {
  return setColumns(served, row, { [column]: null }, write)
}

async function setColumns(
  served: ServedType,
  row: RowObject,
  values: ColumnValues,
  write: WriteContext,
): Promise<object | null> {
  const { type } = served
  const key = keyIn(row, type.id.column)
  const raised = withRaisedVersion(type, row, values)
  const updated = await writeWithoutDocument(type.type, () => persisterOf(served).update(type, key, raised, write))
  if (isReply(updated))
    throw new TypeError(`The persister of '${type.type}' deferred a soft delete or a restore, which is not possible.`)
  return updated
}

/** Returns the column that marks a row as deleted now. */
export function softDeletedNow({ column, as }: CompiledSoftDeletes): ColumnValues {
  const now = new Date()
  return { [column]: as === 'text' ? now.toISOString() : now }
}

function persisterOf({ type, persister }: ServedType): Persister {
  invariant(persister !== null, `'${type.type}' is deleted, but has no persister`)
  return persister
}
