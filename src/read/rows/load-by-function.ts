import { keyText } from '../../row-query/key-text.js'
import { rowLister } from '../../row-query/list-rows.js'
import type { Candidate } from '../../row-query/query-context.js'
import type { RelatedCriteria, RelatedResult } from '../../resource/capabilities/provider.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RowSet } from '../../rows/row-set.js'
import { rowObject } from '../../rows/row-set.js'
import { isObject } from './checked-rows.js'
import type { QueriedObjects } from './rows-query-context.js'
import { rowsQueryContext } from './rows-query-context.js'

/** The objects that a function of the author's answers for each parent: one, a list, or `null`. */
export async function loadByFunction(
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedResult> {
  const { name, spec, targets } = relation
  const lists = await Promise.all(
    parents.rows.map(async (parent) => {
      const answer: unknown = await spec.extract?.(rowObject(parents.columns, parent), criteria.context, name)
      return candidatesIn(answer, relation)
    }),
  )
  const world = await rowsQueryContext(askedRows(lists.flat(), relation, criteria), criteria)
  const list = rowLister({ ...criteria, types: targets }, world)
  // Each object once in the set of its type, however many parents share it.
  const places = targets.map(() => new Map<RowObject, number>())
  const placeOf = ({ row, type }: Candidate): number => {
    const place = places[type]?.get(row) ?? places[type]?.size ?? 0
    places[type]?.set(row, place)
    return place
  }
  const groups = lists.map((candidates) => {
    const { candidates: kept, ...facts } = list(candidates)
    return { ...facts, members: kept.map((each) => ({ set: each.type, row: placeOf(each), pivot: null })) }
  })
  return { sets: targets.map(({ type }, set) => ({ type, rows: [...(places[set]?.keys() ?? [])] })), groups }
}

/** What is no object, or of no type, is no member, and what is answered twice is one. */
function candidatesIn(answer: unknown, { targets, related }: ServedRelation): readonly Candidate[] {
  const candidates = new Map<unknown, Candidate>()
  for (const object of Array.isArray(answer) ? (answer as readonly unknown[]) : [answer]) {
    if (!isObject(object)) continue
    const row = object as RowObject
    const type = typeOf(row, targets)
    if (type === null) continue
    const served = related.get(targets[type]?.type ?? '')
    const key = served === undefined || served.serializer !== null ? null : keyText(row[served.type.id.column])
    const identity = key === null ? row : `${type} ${key}`
    if (!candidates.has(identity)) candidates.set(identity, { row, pivot: null, type })
  }
  return [...candidates.values()]
}

/** The first type that knows the object as its own; where there is but one, it is that. */
function typeOf(row: RowObject, targets: ServedRelation['targets']): number | null {
  if (targets.length === 1) return 0
  const known = targets.findIndex(({ type, objectType }) => objectType?.(row) === type)
  return known === -1 ? null : known
}

function askedRows(
  candidates: readonly Candidate[],
  { targets, related }: ServedRelation,
  { conditions, conditionsOf, orders }: RelatedCriteria,
): readonly QueriedObjects[] {
  return targets.flatMap(({ type }, position): readonly QueriedObjects[] => {
    const served = related.get(type)
    if (served === undefined) return []
    const objects = new Set(candidates.filter((each) => each.type === position).map(({ row }) => row))
    return [{ served, objects: [...objects], conditions: [...conditions, ...(conditionsOf.get(type) ?? [])], orders }]
  })
}
