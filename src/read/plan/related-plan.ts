import { queryMemo } from '../../operation/query-memo.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { Reading } from '../reading.js'
import type { PlannedQuery } from './planned-members.js'
import { isSettledQuery, plannedMembers } from './planned-members.js'
import type { WantedMembers } from './wanted-members.js'
import { toManyQuery, toOneQuery } from './relation-endpoint-query.js'
import { looksAtMembers } from './shown-relation.js'
import { checkFieldsets } from './check-fieldsets.js'
import type { DocumentPlan } from './document-plan.js'
import { planDocument } from './document-plan.js'

/** What fetching the members of a relation takes, worked out and checked before anything is read. */
export interface RelatedPlan extends PlannedQuery {
  readonly plan: DocumentPlan
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
  const isKept = plan.isKept && isSettledQuery(owner, relation, query, reading)
  const found = { plan, query, isKept }
  if (isKept) plans.keep(reading, relation, found)
  return found
}

/** What is asked of the members in this request. */
export function relatedMembers(relation: ServedRelation, planned: RelatedPlan, reading: Reading): WantedMembers {
  const columnsOf = looksAtMembers(relation) ? () => null : planned.plan.primaryColumns
  return plannedMembers(relation, planned, columnsOf, reading)
}
