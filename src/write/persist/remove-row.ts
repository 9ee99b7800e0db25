import { isAnswer } from '../../resource/answer.js'
import { writeWithoutDocument } from '../../resource/capabilities/write-without-document.js'
import type { WriteContext } from '../../resource/capabilities/persister.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { invariant } from '../../util/invariant.js'

/** Deletes a row, softly where the type says so. Answers whether it was there. */
export async function removeRow(
  { type, persister }: ServedType,
  row: RowObject,
  write: WriteContext,
): Promise<boolean> {
  invariant(persister !== null, `'${type.type}' is deleted, but has no persister`)
  const { softDeletes } = type
  const key = row[type.id.column]
  if (softDeletes === null) return writeWithoutDocument(type.type, () => persister.delete(type, key, write))
  const now = new Date()
  const values = { [softDeletes.column]: softDeletes.as === 'text' ? now.toISOString() : now }
  const marked = await writeWithoutDocument(type.type, () => persister.update(type, key, values, write))
  if (isAnswer(marked)) throw new TypeError(`The persister of '${type.type}' put a delete off, which cannot wait.`)
  return marked !== null
}
