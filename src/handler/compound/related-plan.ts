import { queryMemo } from '../../operation/query-memo.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
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
  readonly wanted: WantedMembers
}

const plans = queryMemo<ServedRelation, RelatedPlan>()

/** @param owner the type whose relation it is */
export function planRelated(
  owner: ServedType,
  relation: ServedRelation,
  reading: Reading,
): RelatedPlan | Promise<RelatedPlan> {
  const known = plans.recall(reading, relation)
  if (known === undefined) return workOut(owner, relation, reading)
  return { plan: known.plan, wanted: askedAgain(known.wanted, relation, reading) }
}

async function workOut(owner: ServedType, relation: ServedRelation, reading: Reading): Promise<RelatedPlan> {
  checkFieldsets(reading)
  const plan = await planDocument([...relation.related.values()], reading)
  const query = await (relation.spec.traits.toMany ? toManyQuery : toOneQuery)(relation, reading)
  const columnsOf = looksAtMembers(relation) ? () => null : plan.primaryColumns
  const wanted = wantedMembers(relation, { query, columnsOf, parameters: [] }, reading)
  // A plan that is kept is of one type. Fields of join rows are the owner's to hide.
  const isSettled =
    plan.isKept &&
    isVisibilitySettled(owner) &&
    areFiltersSettled(relatedVocabulary(relation).filters, reading.query.filter) &&
    !passesScope(query)
  if (!isSettled) return { plan, wanted }
  const settled = { plan, wanted: keepable(wanted, relation) }
  plans.keep(reading, relation, settled)
  return settled
}
