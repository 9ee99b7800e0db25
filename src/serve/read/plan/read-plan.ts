import type {
  CollectionCriteria,
  EstimateCriteria,
  RowFlag,
  WantedColumns,
} from '../../../declare/resource/capabilities/provider.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { guardsOf } from '../../../declare/resource/fields/field-guard.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { linkageNeedsFlag } from '../../../declare/resource/reading/row-linkage.js'
import type { RowWindow } from '../../../declare/resource/querying/row-window.js'
import type { QueryCost } from '../../../declare/resource/request/query-cost.js'
import type { Awaitable } from '../../../core/util/types.js'
import type { TypedOrders } from '../paging/cursor-position.js'
import { showsEstimateOnly } from '../paging/list-extras.js'
import type { ListQuery } from '../paging/list-query.js'
import { isUnfiltered, readListQuery, sentListQuery } from '../paging/list-query.js'
import type { ChosenPage } from '../paging/page-of-rows.js'
import { rowWindow } from '../paging/page-of-rows.js'
import { limitedWindow } from '../paging/whole-list.js'
import { isKnownRelation } from '../query/known-relation.js'
import { hidesNoRow } from '../query/hides-rows.js'
import { primaryVocabulary } from '../query/query-vocabulary.js'
import { hasSingularFilter } from '../query/read-conditions.js'
import {
  checkFieldsets,
  checkPageKeys,
  checkRequestedLinkage,
  refuseCount,
  refuseInclude,
  refuseLinkage,
  refuseListQuery,
  refuseParameter,
} from './refuse-query.js'
import { scopeConditions } from '../query/scope-conditions.js'
import type { PlanKey } from '../plan-cache.js'
import type { ReadContext } from '../read-context.js'
import { uncacheableReason } from './cacheability.js'
import type { DocumentPlan } from './document-plan.js'
import { planDocument, withParentColumns } from './document-plan.js'
import type { ReadTarget } from './read-target.js'
import { rootsOf } from './read-target.js'
import { assumeGuards, guardVariant } from './guard-variant.js'
import type { PlannedRead } from './read-cost.js'
import { readCost } from './read-cost.js'
import { spendCost } from './spend-cost.js'
import { linkageQuery, toManyQuery, toOneQuery } from './relation-query.js'
import type { RelationRead } from './relation-read.js'
import { linkageColumns, relationRead, usesWholeMembers } from './relation-read.js'
import { guardFlags, linkageFlag } from './row-flags.js'

/** The plan of a read. The query is checked for it before anything is read. It does not depend on the request. */
export interface ReadPlan {
  /** Identifies the reads of this plan for the caches of stores; `undefined` for a plan that is not cached. */
  readonly cacheKey: object | undefined
  /** The cost of the read; `null` if the server has no setting `queryCost`. */
  readonly cost: QueryCost | null
}

export interface OnePlan extends ReadPlan {
  /** The plan of the document that shows the resources. */
  readonly document: DocumentPlan
}

export interface CollectionPlan extends OnePlan {
  /** Whether the response is one resource or none instead of a list. */
  readonly isSingular: boolean
  readonly page: ChosenPage | null
  readonly typed: TypedOrders
  /** Whether the window is that of a limit: a list with more rows is refused. */
  readonly isLimited: boolean
  /** Whether the number of rows that are read is the total. */
  readonly hasOwnTotal: boolean
  /** The criteria for the store, without the columns. */
  readonly criteria: Omit<CollectionCriteria, 'columns' | 'transaction' | 'context'>
}

/** A read of the linkage of a relation, at its own address. */
export interface LinkagePlan extends ReadPlan {
  /**
   * Returns the read of the members. A malformed cursor is refused here: after the owner was found, since 404 comes
   * first.
   */
  readonly members: () => RelationRead
  /** The columns to read of the resource that owns the relation. */
  readonly parentColumns: WantedColumns
  /** The flags to read of it: of the guards of the relation, and of its linkage if that is in the row. */
  readonly parentFlags: readonly RowFlag[]
}

/** A read of the related resources of a relation, at their own address. */
export interface RelatedPlan extends LinkagePlan, OnePlan {}

export interface PlanOf {
  one: OnePlan
  collection: CollectionPlan
  related: RelatedPlan
  linkage: LinkagePlan
}

/**
 * Plans a read. The query is checked here: all errors about `fields`, `include`, `filter`, `sort`, `page` and profiles
 * come before anything is read or written. A plan that does not depend on the request is cached: without the cache,
 * one resource takes 48 % more CPU time (W1 on SQLite).
 */
export function planRead<Kind extends ReadTarget['kind']>(
  target: ReadTarget & { readonly kind: Kind },
  request: ReadContext,
): Awaitable<PlanOf[Kind]> {
  const { plans } = request.services
  // A plan under the plain key is for all callers. A plan that is cached under a kind is a plan of that kind.
  const cached = plans.get(target, request) ?? cachedVariant(target, request)
  if (cached !== undefined) return cached as PlanOf[Kind]
  return planAnew(target, request) as Promise<PlanOf[Kind]>
}

/** Returns the cached plan for callers with the same guards. */
function cachedVariant(target: ReadTarget, request: ReadContext): object | undefined {
  const key = planKey(target, request)
  return key === target ? undefined : request.services.plans.get(key, request)
}

/**
 * Plans a read, and spends its cost: a read that exceeds the budget of the request is refused before anything is read. On a server
 * without the setting `queryCost`, it is `planRead()`.
 */
export function planPaidRead<Kind extends ReadTarget['kind']>(
  target: ReadTarget & { readonly kind: Kind },
  request: ReadContext,
): Awaitable<PlanOf[Kind]> {
  const planning = planRead<Kind>(target, request)
  return request.services.queryCost === null ? planning : paid(planning, request)
}

async function paid<Plan extends ReadPlan>(planning: Awaitable<Plan>, request: ReadContext): Promise<Plan> {
  const plan = await planning
  if (plan.cost !== null) await spendCost(plan.cost, request)
  return plan
}

/** Plans a read without using the cache, and caches the plan if it does not depend on the request. */
async function planAnew(target: ReadTarget, request: ReadContext): Promise<ReadPlan> {
  const { plans } = request.services
  plans.countMiss()
  const reason = uncacheableReason(target, request, plans.isShared(request))
  if (reason !== null) return planTarget(target, { request, cacheKey: undefined })
  // A cached plan outlives the request, and must not keep it in memory.
  const anonymous = { ...request, open: null, context: { ...request.context, caller: null, request: null } }
  assumeGuards(target, request.context, anonymous.context)
  const plan = await planTarget(target, { request: anonymous, cacheKey: {} })
  plans.set(planKey(target, request), request, plan)
  return plan
}

function planKey(target: ReadTarget, request: ReadContext): PlanKey {
  const variant = guardVariant(target, request)
  return variant === '' ? target : { subject: target.subject, kind: `${target.kind} ${variant}` }
}

interface Planning {
  readonly request: ReadContext
  readonly cacheKey: object | undefined
}

function planTarget(target: ReadTarget, planning: Planning): Promise<ReadPlan> {
  checkFieldsets(planning.request)
  checkRequestedLinkage(planning.request)
  switch (target.kind) {
    case 'one':
      return planOne(target.subject, planning)
    case 'collection':
      return planCollection(target.subject, planning)
    case 'related':
      return planRelated(target, planning)
    case 'linkage':
      return planLinkage(target, planning)
  }
}

async function planOne(served: ServedType, { request, cacheKey }: Planning): Promise<OnePlan> {
  refuseListQuery(request.query)
  const document = await planDocument([served], request, true)
  if (document.primary.countsSelf) refuseCount(['_self_'])
  return { cacheKey, document, cost: costOf({ kind: 'one', subject: served }, { list: null, document }, request) }
}

async function planCollection(served: ServedType, { request, cacheKey }: Planning): Promise<CollectionPlan> {
  const vocabulary = primaryVocabulary(served)
  // Of an aggregate, the rows are filtered, and the groups are listed.
  const isSingular = served.source === null && hasSingularFilter(request.query.filter, vocabulary, request.context)
  const document = await planDocument([served], request, isSingular)
  const { countsSelf } = document.primary
  if (countsSelf && !served.type.countable) refuseCount(['_self_'])
  checkPageKeys(request.query.page, served.paginator, request.services)
  const paginator = isSingular ? null : served.paginator
  const query = await readListQuery(sentListQuery(request, countsSelf), vocabulary, paginator, request)
  const { page, orders, wantsCount } = query
  const typed = { orders, types: [served.type] }
  const window = isSingular ? singularWindow : rowWindow(page, typed)
  const limited = limitedWindow(window, request.services)
  return {
    cacheKey,
    cost: costOf({ kind: 'collection', subject: served }, { list: query, isSingular, document }, request),
    document,
    isSingular,
    page,
    typed,
    criteria: {
      cacheKey,
      orders,
      conditions: [...scopeConditions(vocabulary.served, query.trash), ...query.conditions],
      window: limited ?? window,
      // The number of rows is the total of a list without pages.
      wantsCount: !isSingular && wantsCount && window !== null,
      estimate: estimateOf(query, request),
    },
    isLimited: limited !== null,
    hasOwnTotal: !isSingular && wantsCount && window === null,
  }
}

/** Returns how a store may estimate the total; `null` if it must be exact, or is not requested. */
function estimateOf({ page, conditions }: ListQuery, request: ReadContext): EstimateCriteria | null {
  if (page === null || page.estimate === null || !showsEstimateOnly(page, request)) return null
  const { exactUpTo, underRules } = page.estimate
  return { exactUpTo, filters: underRules ? 'any' : conditions.filter(hidesNoRow) }
}

const singularWindow: RowWindow = Object.freeze({ kind: 'offset', offset: 0, limit: 1 })

type RelationTarget = Extract<ReadTarget, { readonly owner: ServedType }>

async function planRelated(target: RelationTarget, { request, cacheKey }: Planning): Promise<RelatedPlan> {
  const { subject: relation } = target
  const document = await planDocument(rootsOf(target), request, !relation.spec.traits.toMany)
  const query = await (relation.spec.traits.toMany ? toManyQuery : toOneQuery)(relation, request)
  const columnsOf = usesWholeMembers(relation) ? () => null : document.primaryColumns
  const flagsOf = document.flags
  const members = memoized(() => relationRead(relation, { query, parameters: [], columnsOf, flagsOf, cacheKey }))
  const cost = costOf(target, { list: query, document }, request)
  return { cacheKey, cost, document, members, ...readOfParent(target, false) }
}

async function planLinkage(target: RelationTarget, { request, cacheKey }: Planning): Promise<LinkagePlan> {
  const { subject: relation } = target
  refuseQueriesOfMembers(request)
  const query = await linkageQuery(relation, request)
  const columnsOf = (served: ServedType): WantedColumns => linkageColumns(relation, served)
  const members = memoized(() => relationRead(relation, { query, parameters: [], columnsOf, cacheKey }))
  const cost = costOf(target, { list: query, document: null }, request)
  return { cacheKey, cost, members, ...readOfParent(target, isUnfiltered(query)) }
}

/** Returns the cost of a read; `null` if the server has no setting `queryCost`. */
function costOf(
  target: ReadTarget,
  planned: Pick<PlannedRead, 'list' | 'isSingular' | 'document'>,
  request: ReadContext,
): QueryCost | null {
  const { queryCost } = request.services
  if (queryCost === null) return null
  const isKnown: PlannedRead['isKnown'] = (relation) => isKnownRelation(relation, request)
  return readCost({ target, ...planned, query: request.query, isKnown }, queryCost)
}

function memoized<Value extends object>(make: () => Value): () => Value {
  let made: Value | null = null
  return () => (made ??= make())
}

/** Refuses queries of relationships: identifiers have none that could be included, counted or queried. */
function refuseQueriesOfMembers({ query }: ReadContext): void {
  refuseInclude(query)
  const counted = query.withCount.filter((name) => name !== '_self_')
  if (counted.length > 0) refuseCount(counted)
  for (const { parameter } of query.relatedQuery.values()) refuseParameter(parameter)
  refuseLinkage(query)
}

/** How the resource that owns a relation is read. */
export type ParentRead = Pick<LinkagePlan, 'parentColumns' | 'parentFlags'>

/** Returns the columns and flags to read of an owner. User-defined functions get all columns, and no flags. */
export function readOfParent({ owner, subject: relation }: RelationTarget, showsLinkage: boolean): ParentRead {
  const columns = owner.serializer === null ? withParentColumns(keyColumns(owner.type.id.column), [relation]) : null
  if (columns === null) return { parentColumns: null, parentFlags: [] }
  const ofLinkage = showsLinkage && linkageNeedsFlag(relation) ? [linkageFlag(relation)] : []
  return { parentColumns: columns, parentFlags: [...guardFlags(owner, guardsOf(relation.spec)), ...ofLinkage] }
}
