import { fail, failAll, problem } from '../../../core/errors/json-api-error.js'
import { sentence } from '../../../core/errors/sentence.js'
import type { ColumnValues } from '../../../declare/resource/capabilities/persister.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { isComposite, keyColumns, keyIn } from '../../../declare/resource/parts/key-columns.js'
import { keyText } from '../../../stores/row-query/key-text.js'

/**
 * Adds the key to the columns of a new row. The columns of a composite key may be set by attributes and relationships
 * too, and the column of another key by a relationship: 422 if these contradict the id.
 *
 * @param linked the columns that relationships set
 */
export function setNewKey(
  columns: Record<string, unknown>,
  { id }: CompiledType,
  key: unknown,
  linked: ColumnValues,
): void {
  const hasSeveral = isComposite(id.column)
  if (!hasSeveral && linked[id.column] === undefined) {
    columns[id.column] = key
    return
  }
  const parts: readonly unknown[] = !hasSeveral ? [key] : Array.isArray(key) ? key : []
  keyColumns(id.column).forEach((column, index) => {
    // A key from a relationship has the type of the column. A key from an id is a text.
    if (columns[column] === undefined) columns[column] = parts[index]
    else if (keyText(columns[column]) !== keyText(parts[index])) contradictsId()
  })
}

function contradictsId(): never {
  const message = sentence('idContradicts')
  fail('VALIDATION_FAILED', { message }, { source: { pointer: '/data/id' } })
}

/** Returns whether columns contain a column of the id. */
function setsKeyColumn({ id }: CompiledType, columns: ColumnValues): boolean {
  return keyColumns(id.column).some((column) => Object.hasOwn(columns, column))
}

/**
 * Returns the columns to set without those of the id, which a client may send back. Fails with 403 if one of
 * them would change: the resource would have another id.
 */
export function withoutKeyColumns(
  type: CompiledType,
  { row, columns }: { readonly row: RowObject; readonly columns: ColumnValues },
  pointerTo: (columns: readonly string[]) => string,
): ColumnValues {
  if (!setsKeyColumn(type, columns)) return columns
  const key = keyColumns(type.id.column)
  const changed = key.filter((name) => Object.hasOwn(columns, name) && keyText(columns[name]) !== keyText(row[name]))
  const pointers = new Set(changed.map((column) => pointerTo([column])))
  if (pointers.size > 0) {
    const context = { type: type.type, id: type.id.encode(keyIn(row, type.id.column)) }
    failAll([...pointers].map((pointer) => problem('RESOURCE_ID_IMMUTABLE', context, { source: { pointer } })))
  }
  return Object.fromEntries(Object.entries(columns).filter(([name]) => !key.includes(name)))
}
