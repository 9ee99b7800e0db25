import type { CompiledType } from './compiled-type.js'
import { isComposite, keyColumns } from '../parts/key-columns.js'
import { memoize } from '../../../core/util/memoize.js'
import { ownerSideKey } from './resolve-storage.js'

/**
 * Returns the columns that are set to null to clear the key of a relation. A row without one column of a composite key
 * refers to nothing. So columns of the row's own composite id stay, and columns that other relations use too, as long
 * as another column is left.
 *
 * @param type the type of the rows that hold the key
 * @param key the name of the key
 */
export function clearedColumns(type: CompiledType, key: string): readonly string[] {
  if (!isComposite(key)) return [key]
  const columns = keyColumns(key)
  const free = columns.filter((column) => !isIdColumn(type, column))
  if (free.length === 0) return columns
  const others = type.relations.flatMap((relation) => ownerSideKey(relation, type)?.id ?? [])
  const shared = new Set(others.filter((other) => other !== key).flatMap(keyColumns))
  const own = free.filter((column) => !shared.has(column))
  return own.length === 0 ? free : own
}

/** Returns whether a column is one of the columns of the id. */
export function isIdColumn({ id }: CompiledType, column: string): boolean {
  return keyColumns(id.column).includes(column)
}

/** Returns whether members make the id: it has several columns, or one that is the key of a relation too. */
export function isIdOfMembers(type: CompiledType): boolean {
  return isComposite(type.id.column) || linksId(type)
}

/** Returns whether a relation has its key in a column of the id. Memoized, because each create in memory needs it. */
export const linksId: (type: CompiledType) => boolean = memoize((type: CompiledType): boolean =>
  type.relations.some((relation) => {
    const key = ownerSideKey(relation, type)
    return key !== null && keyColumns(key.id).some((column) => isIdColumn(type, column))
  }),
)
