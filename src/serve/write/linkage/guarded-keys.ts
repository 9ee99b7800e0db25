import type { ColumnValues } from '../../../declare/resource/capabilities/persister.js'
import type { GuardedKey, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { keyIn } from '../../../declare/resource/parts/key-columns.js'
import { relationKeyColumns } from '../../../declare/resource/compiled/relation-link.js'
import { keyText } from '../../../stores/row-query/key-text.js'
import type { LinkageChange } from './linkage-change.js'

/*
 * A key in a row is one fact with two sides: the relation of the row, and the `hasMany` or `hasOne` of the row that it refers
 * to. A write of the key changes both, whichever side it comes from.
 */

/** A row that gets or loses a member, and the relation that shows the member there. */
export interface ParentKey {
  readonly guarded: GuardedKey
  /** The value of the `referenceColumn` of the parent. */
  readonly key: unknown
}

/** The row that a write of columns changes. */
export interface ColumnChange {
  readonly served: ServedType
  /** The stored row; `null` if it is new. */
  readonly before: RowObject | null
  readonly values: ColumnValues
  /** The columns of relations that the caller may not read: writing the same key again counts as a change. */
  readonly concealed: readonly string[]
}

/** Returns the rows that lose or get the written row as a member, in relations that need a separate ability. */
export function changedParents({ served, before, values, concealed }: ColumnChange): readonly ParentKey[] {
  if (served.guardedKeys.length === 0) return none
  return served.guardedKeys.flatMap((guarded) => {
    if (!setsKey(guarded, values)) return []
    const [one, other] = [parentKey(guarded, before ?? {}), parentKey(guarded, { ...before, ...values })]
    const isConcealed = relationKeyColumns(guarded.key).some((column) => concealed.includes(column))
    if (keyText(one) === keyText(other) && !isConcealed) return []
    return [one, other].filter((key) => keyText(key) !== null).map((key) => ({ guarded, key }))
  })
}

const none: readonly ParentKey[] = Object.freeze([])

/** Returns the columns with the keys of relations that the caller changes, but may not read. */
export function concealedColumns(changes: readonly LinkageChange[]): readonly string[] {
  return changes.flatMap(({ isConcealed, relation: { storage } }) => {
    return isConcealed && storage.kind === 'ownKey' ? relationKeyColumns(storage.key) : []
  })
}

/** Whether values contain a column of a key. */
export function setsKey({ key }: GuardedKey, values: ColumnValues): boolean {
  return relationKeyColumns(key).some((column) => Object.hasOwn(values, column))
}

/** Returns the key of the parent in a row; `null` if the row refers to none of this type. */
function parentKey({ key, owner }: GuardedKey, row: RowObject): unknown {
  if (key.type !== null && row[key.type] !== owner.type.storedType) return null
  return keyIn(row, key.id) ?? null
}
