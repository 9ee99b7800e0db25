import type { AnyPaginator } from '../../pagination/paginator.js'
import type { RelatedCriteria, WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowOrder } from '../../resource/querying/row-order.js'
import { hasLinkagePages } from '../../resource/relations/relation-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { ListQuery } from '../paging/list-query.js'
import type { ChosenPage } from '../paging/page-of-rows.js'
import { isCursorPage, rowWindow } from '../paging/page-of-rows.js'
import { relatedVocabulary } from '../query/query-vocabulary.js'
import { readOrders } from '../query/read-orders.js'
import { scopeConditions } from '../query/scope-conditions.js'
import type { Reading } from '../reading.js'

/** All members, in the order that they usually have. */
export function wholeRelation(relation: ServedRelation, reading: Reading): ListQuery {
  return { conditions: [], orders: usualOrders(relation, null, reading), page: null, wantsCount: false }
}

/** What cuts linkage that is shown with its owner into pages; `null` where no link would lead to the rest of it. */
export function linkagePaginator(relation: ServedRelation): AnyPaginator | null {
  const { spec, hasRelatedEndpoint, hasRelationshipEndpoint, paginator } = relation
  const isContinued = hasRelatedEndpoint || (hasRelationshipEndpoint && hasLinkagePages(spec))
  return spec.links && isContinued ? paginator : null
}

/** The order of the related type; several types have only their place in the relation and their keys in common. */
export function usualOrders(
  relation: ServedRelation,
  page: ChosenPage | null,
  { context }: Reading,
): readonly RowOrder[] {
  if (relation.targets.length !== 1) {
    return [
      { kind: 'type', descending: false },
      { kind: 'key', descending: false },
    ]
  }
  return readOrders([], relatedVocabulary(relation), { context, cursor: isCursorPage(page), parameter: 'sort' })
}

/** The query as a store is asked it: with the scope of each related type, and the columns that are wanted of it. */
export function relatedCriteria(
  relation: ServedRelation,
  query: ListQuery,
  columnsOf: (served: ServedType) => WantedColumns,
  { context, transaction }: Pick<RelatedCriteria, 'context' | 'transaction'>,
): RelatedCriteria {
  return { ...anyonesCriteria(relation, query, columnsOf, context), transaction, context }
}

/** By type: which of its rows are there in a request. */
export function scopesOf(
  relation: ServedRelation,
  context: RequestContext,
  trash: ListQuery['trash'],
): RelatedCriteria['conditionsOf'] {
  const related = [...relation.related.values()]
  return new Map(related.map((served) => [served.type.type, scopeConditions(served, context, trash)]))
}

/** The same without the request; its context is asked for scopes, and not kept. */
export function anyonesCriteria(
  relation: ServedRelation,
  { conditions, orders, page, wantsCount, trash }: ListQuery,
  columnsOf: (served: ServedType) => WantedColumns,
  context: RequestContext,
): Omit<RelatedCriteria, 'context' | 'transaction'> {
  const related = [...relation.related.values()]
  return {
    conditions,
    conditionsOf: scopesOf(relation, context, trash),
    columnsOf: new Map(related.map((served) => [served.type.type, columnsOf(served)])),
    orders,
    window: rowWindow(page, { orders, types: relation.targets }),
    wantsCount,
  }
}
