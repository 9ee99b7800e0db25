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

/** All members, in the order that they usually have. */
export function wholeRelationQuery(relation: ServedRelation, reading: ReadContext): ListQuery {
  return { conditions: [], orders: defaultOrders(relation, null, reading), page: null, wantsCount: false }
}

/** What cuts linkage that is shown with its owner into pages; `null` where no link would lead to the rest of it. */
export function linkagePaginator(relation: ServedRelation): AnyPaginator | null {
  const { spec, hasRelatedEndpoint, hasRelationshipEndpoint, paginator } = relation
  const isContinued = hasRelatedEndpoint || (hasRelationshipEndpoint && hasLinkagePages(spec))
  return spec.links && isContinued ? paginator : null
}

/** The order of the related type; several types have only their place in the relation and their keys in common. */
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
