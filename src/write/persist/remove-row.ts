import { isAnswer } from '../../resource/answer.js'
import { writeWithoutDocument } from '../../resource/capabilities/write-without-document.js'
import type { ColumnValues, WriteContext } from '../../resource/capabilities/persister.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { invariant } from '../../util/invariant.js'

/** Deletes a row, or marks it as deleted if the type has soft deletes. Returns whether it existed. */
export async function removeRow(
  { type, persister }: ServedType,
  row: RowObject,
  write: WriteContext,
): Promise<boolean> {
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
