import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { Row } from '../../rows/row-set.js'
import { rowObject, rowSet } from '../../rows/row-set.js'
import type { RelatedRows } from './related-rows.js'

/** Whether the store alone says of what type a related row is: no candidate has to look at the object. */
export function isToldByStore({ related }: ServedRelation): boolean {
  return related.size === 1 || [...related.values()].every(({ type }) => type.objectType === null)
}

/** Types that share a model tell their rows by the object; a row that none of them knows is no member. */
export function membersByObject({ related }: ServedRelation, { sets, groups }: RelatedRows): RelatedRows {
  const typed = new Map<ServedType, Row[]>()
  const places = sets.map(({ served, rows }) =>
    rows.rows.map((row) => {
      const found = typeOfObject(served, [...related.values()], rowObject(rows.columns, row))
      if (found === null) return null
      const own = typed.get(found) ?? []
      typed.set(found, own)
      return { served: found, row: own.push(row) - 1 }
    }),
  )
  const [columns = []] = sets.map(({ rows }) => rows.columns)
  const order = [...typed.keys()]
  return {
    sets: order.map((served) => ({ served, rows: rowSet(columns, typed.get(served) ?? []) })),
    groups: groups.map((group) => ({
      ...group,
      members: group.members.flatMap(({ set, row, pivot }) => {
        const place = places[set]?.[row] ?? null
        return place === null ? [] : [{ set: order.indexOf(place.served), row: place.row, pivot }]
      }),
    })),
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
