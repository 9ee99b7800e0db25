import { queryMemo } from '../../operation/query-memo.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { ListQuery } from '../paging/list-query.js'
import { passesScope } from '../query/passes-scope.js'
import { relatedVocabulary } from '../query/query-vocabulary.js'
import { areFiltersSettled, isVisibilitySettled } from '../query/settled.js'
import type { Reading } from '../reading.js'
import type { WantedMembers } from '../relation/read-relation.js'
import { askedAgain, keepable, wantedMembers } from '../relation/read-relation.js'
import { toManyQuery, toOneQuery } from '../relation/relation-endpoint-query.js'
import { looksAtMembers } from '../relation/shown-relation.js'
import { checkFieldsets } from './check-fieldsets.js'
import type { DocumentPlan } from './document-plan.js'
import { planDocument } from './document-plan.js'

/** What fetching the members of a relation takes, worked out and checked before anything is read. */
export interface RelatedPlan {
  readonly plan: DocumentPlan
  readonly query: ListQuery
  /** Whether it is kept, and so is the same object whenever the same is asked. */
  readonly isKept: boolean
}

const plans = queryMemo<ServedRelation, RelatedPlan>()

/** @param owner the type whose relation it is */
export function planRelated(
  owner: ServedType,
  relation: ServedRelation,
  reading: Reading,
): RelatedPlan | Promise<RelatedPlan> {
  return plans.recall(reading, relation) ?? workOut(owner, relation, reading)
}

async function workOut(owner: ServedType, relation: ServedRelation, reading: Reading): Promise<RelatedPlan> {
  checkFieldsets(reading)
  const plan = await planDocument([...relation.related.values()], reading)
  const query = await (relation.spec.traits.toMany ? toManyQuery : toOneQuery)(relation, reading)
  // A plan that is kept is of one type. Fields of join rows are the owner's to hide.
  const isKept =
    plan.isKept &&
    isVisibilitySettled(owner) &&
    areFiltersSettled(relatedVocabulary(relation).filters, reading.query.filter) &&
    !passesScope(query)
  const found = { plan, query, isKept }
  if (isKept) plans.keep(reading, relation, found)
  return found
}

const kept = new WeakMap<RelatedPlan, WantedMembers>()

/** What is asked of the members in this request. */
export function plannedMembers(relation: ServedRelation, planned: RelatedPlan, reading: Reading): WantedMembers {
  const before = kept.get(planned)
  if (before !== undefined) return askedAgain(before, relation, reading)
  const { plan, query, isKept } = planned
  const columnsOf = looksAtMembers(relation) ? () => null : plan.primaryColumns
  const wanted = wantedMembers(relation, { query, columnsOf, parameters: [] }, reading)
  if (isKept) kept.set(planned, keepable(wanted, relation))
  return wanted
}
