import { queryMemo } from '../../operation/query-memo.js'
import type { CollectionCriteria } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { TypedOrders } from '../paging/cursor-place.js'
import type { ListQuery } from '../paging/list-query.js'
import { readListQuery, sentListQuery } from '../paging/list-query.js'
import type { ChosenPage } from '../paging/page-of-rows.js'
import { rowWindow } from '../paging/page-of-rows.js'
import { passesScope } from '../query/passes-scope.js'
import { primaryVocabulary } from '../query/query-vocabulary.js'
import { hasSingularFilter } from '../query/read-conditions.js'
import { refuseCount } from '../query/refuse-query.js'
import { ownScope } from '../query/scope-conditions.js'
import { areFiltersSettled } from '../query/settled.js'
import { trashConditions } from '../query/trash.js'
import type { Reading } from '../reading.js'
import { checkFieldsets } from './check-fieldsets.js'
import type { DocumentPlan } from './document-plan.js'
import { planDocument } from './document-plan.js'

/** What fetching a collection takes, worked out and checked before anything is read. */
export interface CollectionPlan {
  readonly plan: DocumentPlan
  /** Whether the answer is one resource or none, and no list. */
  readonly isSingular: boolean
  readonly page: ChosenPage | null
  readonly typed: TypedOrders
  /** What the store is asked, but for the columns. */
  readonly criteria: Omit<CollectionCriteria, 'columns' | 'transaction' | 'context'>
}

const plans = queryMemo<ServedType, CollectionPlan>()

export function planCollection(served: ServedType, reading: Reading): CollectionPlan | Promise<CollectionPlan> {
  const known = plans.recall(reading, served)
  if (known === undefined) return workOut(served, reading).then((plan) => inScope(plan, served, reading))
  return inScope(known, served, reading)
}

/** What the scope of the type asks is no part of what is kept: it may answer otherwise each time. */
function inScope(plan: CollectionPlan, served: ServedType, { context }: Reading): CollectionPlan {
  if (served.type.scope === null) return plan
  const { criteria } = plan
  return { ...plan, criteria: { ...criteria, conditions: [...ownScope(served, context), ...criteria.conditions] } }
}

/** Without the scope of the type. */
async function workOut(served: ServedType, reading: Reading): Promise<CollectionPlan> {
  checkFieldsets(reading)
  const vocabulary = primaryVocabulary(served)
  const plan = await planDocument([served], reading)
  if (plan.primary.countsSelf && !served.type.countable) refuseCount(['_self_'])
  const isSingular = hasSingularFilter(reading.query.filter, vocabulary)
  const sent = sentListQuery(reading, plan.primary.countsSelf)
  const asked = await readListQuery(sent, vocabulary, isSingular ? null : served.paginator, reading)
  const found = { plan, isSingular, page: asked.page, ...criteriaOf(served, asked, isSingular) }
  const isSettled = plan.isKept && areFiltersSettled(vocabulary.filters, sent.filter) && !passesScope(found.criteria)
  if (!isSettled) return found
  // The plan is kept with what it asks, so that it can stand for it, where there is nothing else.
  const settled = served.type.scope === null ? { ...found, criteria: { ...found.criteria, recurring: {} } } : found
  plans.keep(reading, served, settled)
  return settled
}

function criteriaOf(
  served: ServedType,
  { conditions, orders, page, trash, wantsCount }: ListQuery,
  isSingular: boolean,
): Pick<CollectionPlan, 'typed' | 'criteria'> {
  const typed = { orders, types: [served.type] }
  const all = [...trashConditions(served.type, trash ?? 'hidden'), ...conditions]
  const window = isSingular ? ({ kind: 'offset', offset: 0, limit: 1 } as const) : rowWindow(page, typed)
  return { typed, criteria: { conditions: all, orders, window, wantsCount: !isSingular && wantsCount } }
}
