import type { Candidate } from '../../data/row-query/query-world.js'
import type { RelatedCriteria, RelatedResult } from '../../resource/capabilities/provider.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RowSet } from '../../rows/row-set.js'
import { rowObject } from '../../rows/row-set.js'
import { relatedLister } from './list-of.js'

/** The objects that a function of the author's answers for each parent: one, a list, or `null`. */
export async function loadByFunction(
  { name, spec, targets }: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedResult> {
  const list = relatedLister(targets, criteria)
  const rows = targets.map((): object[] => [])
  const groups: RelatedResult['groups'][number][] = []
  for (const parent of parents.rows) {
    const answer: unknown = await spec.extract?.(rowObject(parents.columns, parent), criteria.context, name)
    const objects = Array.isArray(answer) ? (answer as readonly unknown[]) : [answer]
    const candidates = objects
      .filter(isObject)
      .map((row): Candidate => ({ row, pivot: null, type: typeOf(row, targets) }))
    const { candidates: kept, ...facts } = list(candidates)
    const members = kept.map(({ row, type }) => ({ set: type, row: (rows[type]?.push(row) ?? 0) - 1, pivot: null }))
    groups.push({ ...facts, members })
  }
  return { sets: targets.map(({ type }, set) => ({ type, rows: rows[set] ?? [] })), groups }
}

function isObject(value: unknown): value is RowObject {
  return typeof value === 'object' && value !== null
}

/** The first type that knows the object as its own; where there is but one, it is that. */
function typeOf(row: RowObject, targets: ServedRelation['targets']): number {
  const known = targets.findIndex(({ type, objectType }) => objectType?.(row) === type)
  return Math.max(0, known)
}
