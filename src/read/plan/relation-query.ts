import type { AnyPaginator } from '../../pagination/paginator.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { RowOrder } from '../../resource/querying/row-order.js'
import { hasLinkagePages } from '../../resource/relations/relation-spec.js'
import type { ListQuery } from '../paging/list-query.js'
import type { ChosenPage } from '../paging/page-of-rows.js'
import { isCursorPage } from '../paging/page-of-rows.js'
import { relatedVocabulary } from '../query/query-vocabulary.js'
import { readOrders } from '../query/read-orders.js'
import type { ReadContext } from '../read-context.js'

/** Returns the query of all members, in their default order. */
export function wholeRelationQuery(relation: ServedRelation, request: ReadContext): ListQuery {
  return { conditions: [], orders: defaultOrders(relation, null, request), page: null, wantsCount: false }
}

/** Returns the paginator of linkage that is shown with its owner; `null` if no link could lead to the other pages. */
export function linkagePaginator(relation: ServedRelation): AnyPaginator | null {
  const { spec, hasRelatedEndpoint, hasRelationshipEndpoint, paginator } = relation
  const isContinued = hasRelatedEndpoint || (hasRelationshipEndpoint && hasLinkagePages(spec))
  return spec.links && isContinued ? paginator : null
}

/**
 * Returns the default order of the related type. Members of several types are ordered by their type, then by their key.
 */
export function defaultOrders(
  relation: ServedRelation,
  page: ChosenPage | null,
  { context }: ReadContext,
): readonly RowOrder[] {
  if (relation.targets.length !== 1) {
    return [
      { kind: 'type', descending: false },
      { kind: 'key', descending: false },
    ]
  }
  return readOrders([], relatedVocabulary(relation), { context, cursor: isCursorPage(page), parameter: 'sort' })
}
