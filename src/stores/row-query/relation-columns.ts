import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { keyIn, keyValues } from '../../declare/resource/parts/key-columns.js'
import type { RelationKey } from '../../declare/resource/relations/relation-spec.js'
import { keyText } from './key-text.js'

/** Returns the columns that refer to a row, with the `storedType` of its type. */
export function columnsFor(key: RelationKey, storedType: string, value: unknown): RowObject {
  return { ...keyValues(key.id, value), ...(key.type === null ? {} : { [key.type]: storedType }) }
}

/** Returns a text that is equal for rows that refer to the same row. */
export function memberText(row: RowObject, { id, type }: RelationKey): string {
  return `${type === null ? '' : keyText(row[type])}\n${keyText(keyIn(row, id))}`
}

/** Returns whether a row has these values in its columns. */
export function hasColumns(row: RowObject, columns: RowObject): boolean {
  return Object.entries(columns).every(([column, value]) => keyText(row[column]) === keyText(value))
}
