import type { RelatedCriteria, RelatedMember } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { keyReader } from '../../../declare/resource/parts/key-columns.js'
import { keyText } from '../../../stores/row-query/key-text.js'
import type { Row } from '../../../core/rows/row-set.js'
import { rowObject, rowSet } from '../../../core/rows/row-set.js'
import type { RelatedRows } from './related-rows.js'

/** Whether the store determines the types of related rows, so that no `objectType()` is called for them. */
export function isTypedByStore({ related }: ServedRelation): boolean {
  return related.size === 1 || [...related.values()].every(({ type }) => type.objectType === null)
}

/**
 * Determines the types of members by their objects, for types that share a model. A row that no type recognizes is not
 * a member. The totals of whole lists are counted again. For a window, only the total of the store is known, which
 * includes such rows.
 */
export function membersByObject(
  { related }: ServedRelation,
  { sets, groups }: RelatedRows,
  { window }: Pick<RelatedCriteria, 'window'>,
): RelatedRows {
  const candidates = [...related.values()]
  // Other types of the relation may have another model, so each set keeps its columns.
  const typed: { readonly served: ServedType; readonly columns: readonly string[]; readonly rows: Row[] }[] = []
  const typedRows = sets.map(({ served: storeType, rows: { columns, rows } }) => {
    const setOf = new Map<ServedType, number>()
    return rows.map((row) => {
      const served = typeOfObject(storeType, candidates, rowObject(columns, row))
      if (served === null) return null
      const set = setOf.get(served) ?? typed.push({ served, columns, rows: [] }) - 1
      setOf.set(served, set)
      const identity = `${served.type.type} ${keyText(keyReader(columns, served.type.id.column)(row))}`
      return { identity, position: { set, row: (typed[set]?.rows.push(row) ?? 0) - 1 } }
    })
  })
  return {
    sets: typed.map(({ served, columns, rows }) => ({ served, rows: rowSet(columns, rows) })),
    groups: groups.map((group) => {
      // The store may return a row as several of the types; its object is one of them.
      const members = new Map<string, RelatedMember>()
      for (const { set, row, pivot } of group.members) {
        const found = typedRows[set]?.[row] ?? null
        if (found !== null && !members.has(found.identity)) members.set(found.identity, { ...found.position, pivot })
      }
      const total = group.total === null || window !== null ? group.total : members.size
      return { ...group, members: [...members.values()], total }
    }),
  }
}

function typeOfObject(
  storeType: ServedType,
  candidates: readonly ServedType[],
  object: Readonly<Record<string, unknown>>,
): ServedType | null {
  const sameModel = candidates.filter(({ type }) => type.model?.name === storeType.type.model?.name)
  const named = sameModel.find(({ type }) => type.objectType !== null && type.objectType(object) === type.type)
  return named ?? (storeType.type.objectType === null ? storeType : null)
}
