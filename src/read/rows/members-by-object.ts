import type { RelatedCriteria, RelatedMember } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { Row } from '../../rows/row-set.js'
import { rowObject, rowSet } from '../../rows/row-set.js'
import type { RelatedRows } from './related-rows.js'

/** Whether the store alone says of what type a related row is: no candidate has to look at the object. */
export function isTypedByStore({ related }: ServedRelation): boolean {
  return related.size === 1 || [...related.values()].every(({ type }) => type.objectType === null)
}

/**
 * Types that share a model tell their rows by the object; a row that none of them knows is no member. Lists that are whole
 * are counted anew. Of a window the store's own total is all that is known, and such a row has its place there.
 */
export function membersByObject(
  { related }: ServedRelation,
  { sets, groups }: RelatedRows,
  { window }: Pick<RelatedCriteria, 'window'>,
): RelatedRows {
  const candidates = [...related.values()]
  // Types with a model of their own may stand beside them, so each set keeps its columns.
  const typed: { readonly served: ServedType; readonly columns: readonly string[]; readonly rows: Row[] }[] = []
  const places = sets.map(({ served: told, rows: { columns, rows } }) => {
    const setOf = new Map<ServedType, number>()
    return rows.map((row) => {
      const served = typeOfObject(told, candidates, rowObject(columns, row))
      if (served === null) return null
      const set = setOf.get(served) ?? typed.push({ served, columns, rows: [] }) - 1
      setOf.set(served, set)
      const identity = `${served.type.type} ${String(row[columns.indexOf(served.type.id.column)])}`
      return { identity, place: { set, row: (typed[set]?.rows.push(row) ?? 0) - 1 } }
    })
  })
  return {
    sets: typed.map(({ served, columns, rows }) => ({ served, rows: rowSet(columns, rows) })),
    groups: groups.map((group) => {
      // The store may name a row by several of the types, and by its object it is one of them.
      const members = new Map<string, RelatedMember>()
      for (const { set, row, pivot } of group.members) {
        const found = places[set]?.[row] ?? null
        if (found !== null && !members.has(found.identity)) members.set(found.identity, { ...found.place, pivot })
      }
      const total = group.total === null || window !== null ? group.total : members.size
      return { ...group, members: [...members.values()], total }
    }),
  }
}

function typeOfObject(
  told: ServedType,
  candidates: readonly ServedType[],
  object: Readonly<Record<string, unknown>>,
): ServedType | null {
  const kin = candidates.filter(({ type }) => type.model?.name === told.type.model?.name)
  const named = kin.find(({ type }) => type.objectType !== null && type.objectType(object) === type.type)
  return named ?? (told.type.objectType === null ? told : null)
}
