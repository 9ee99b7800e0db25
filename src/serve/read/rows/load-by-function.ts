import { keyText } from '../../../stores/row-query/key-text.js'
import { rowLister } from '../../../stores/row-query/list-rows.js'
import type { Candidate } from '../../../stores/row-query/query-context.js'
import type { RelatedCriteria, RelatedResult } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import { keyIn } from '../../../declare/resource/parts/key-columns.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import { rowObject } from '../../../core/rows/row-set.js'
import { isObject } from './checked-rows.js'
import type { QueriedObjects } from './rows-query-context.js'
import { rowsQueryContext } from './rows-query-context.js'

/** Loads members with a user-defined function, which returns an object, a list of objects or `null` for each parent. */
export async function loadByFunction(
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedResult> {
  const { name, spec, targets } = relation
  const lists = await Promise.all(
    parents.rows.map(async (parent) => {
      const result: unknown = await spec.extract?.(rowObject(parents.columns, parent), criteria.context, name)
      return candidatesIn(result, relation)
    }),
  )
  const queryContext = await rowsQueryContext(queriedObjects(lists.flat(), relation, criteria), criteria)
  const list = rowLister({ ...criteria, types: targets }, queryContext)
  // Each object occurs once in the set of its type, even if several parents share it.
  const positions = targets.map(() => new Map<RowObject, number>())
  const positionOf = ({ row, type }: Candidate): number => {
    const position = positions[type]?.get(row) ?? positions[type]?.size ?? 0
    positions[type]?.set(row, position)
    return position
  }
  const groups = lists.map((candidates) => {
    const { candidates: listed, ...facts } = list(candidates)
    return { ...facts, members: listed.map((each) => ({ set: each.type, row: positionOf(each), pivot: null })) }
  })
  return { sets: targets.map(({ type }, set) => ({ type, rows: [...(positions[set]?.keys() ?? [])] })), groups }
}

/** Returns the members among the results. Values without a type of the relation are ignored, and so are duplicates. */
function candidatesIn(result: unknown, { targets, related }: ServedRelation): readonly Candidate[] {
  const candidates = new Map<unknown, Candidate>()
  for (const object of Array.isArray(result) ? (result as readonly unknown[]) : [result]) {
    if (!isObject(object)) continue
    const row = object as RowObject
    const type = typeOf(row, targets)
    if (type === null) continue
    const served = related.get(targets[type]?.type ?? '')
    const key = served === undefined || served.serializer !== null ? null : keyText(keyIn(row, served.type.id.column))
    const identity = key === null ? row : `${type} ${key}`
    if (!candidates.has(identity)) candidates.set(identity, { row, pivot: null, type })
  }
  return [...candidates.values()]
}

/** Returns the index of the first type that recognizes the object. A single type needs no check. */
function typeOf(row: RowObject, targets: ServedRelation['targets']): number | null {
  if (targets.length === 1) return 0
  const known = targets.findIndex(({ type, objectType }) => objectType?.(row) === type)
  return known === -1 ? null : known
}

function queriedObjects(
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
