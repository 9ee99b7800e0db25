import type { WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { ListQuery } from '../paging/list-query.js'
import { passesScope } from '../query/passes-scope.js'
import { relatedVocabulary } from '../query/query-vocabulary.js'
import { areFiltersSettled, isVisibilitySettled } from '../query/settled.js'
import type { Reading } from '../reading.js'
import type { WantedMembers } from './wanted-members.js'
import { askedAgain, keepable, wantedMembers } from './wanted-members.js'

/** What is asked of the members of one resource, at an address of their own. */
export interface PlannedQuery {
  readonly query: ListQuery
  /** Whether it is kept, and so is the same object whenever the same is asked. */
  readonly isKept: boolean
}

/** Whether others who send the same ask the same. Fields of join rows are the owner's to hide. */
export function isSettledQuery(
  owner: ServedType,
  relation: ServedRelation,
  asked: ListQuery,
  reading: Reading,
): boolean {
  const [related, ...others] = relation.related.values()
  return (
    related !== undefined &&
    others.length === 0 &&
    isVisibilitySettled(owner) &&
    areFiltersSettled(relatedVocabulary(relation).filters, reading.query.filter) &&
    !passesScope(asked)
  )
}

const kept = new WeakMap<PlannedQuery, WantedMembers>()

/** What is asked of the members in this request. */
export function plannedMembers(
  relation: ServedRelation,
  planned: PlannedQuery,
  columnsOf: (served: ServedType) => WantedColumns,
  reading: Reading,
): WantedMembers {
  const before = kept.get(planned)
  if (before !== undefined) return askedAgain(before, relation, reading)
  const wanted = wantedMembers(relation, { query: planned.query, columnsOf, parameters: [] }, reading)
  if (planned.isKept) kept.set(planned, keepable(wanted, relation))
  return wanted
}
