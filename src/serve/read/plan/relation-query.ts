import type { AnyPaginator } from '../../../declare/pagination/paginator.js'
import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import type { RowOrder } from '../../../declare/resource/querying/row-order.js'
import { hasLinkagePages } from '../../../declare/resource/relations/relation-spec.js'
import { filteredKeys } from '../../operation/filter-tree.js'
import type { ListQuery } from '../paging/list-query.js'
import { readListQuery, sentListQuery } from '../paging/list-query.js'
import type { ChosenPage } from '../paging/page-of-rows.js'
import { isCursorPage, choosePage, withTokens } from '../paging/page-of-rows.js'
import { relatedVocabulary } from '../query/query-vocabulary.js'
import { readOrders } from '../query/read-orders.js'
import type { ReadContext } from '../read-context.js'
import { wantsCount } from '../paging/list-extras.js'
import { checkPageKeys, refuseCount, refuseFilter, refuseParameter } from './refuse-query.js'

/** Returns the query of all members, in their default order. */
export function wholeRelationQuery(relation: ServedRelation, request: ReadContext): ListQuery {
  return { conditions: [], orders: defaultOrders(relation, null, request), page: null, wantsCount: false }
}

/** Returns the paginator of linkage that is shown with its owner; `null` if there is no URL for links to the other pages. */
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

/** Reads the query of a to-one relation at its own URL. The only parameter is `filter`, which the member must meet. */
export async function toOneQuery(relation: ServedRelation, request: ReadContext): Promise<ListQuery> {
  const { query } = request
  if (query.sort.length > 0) refuseParameter('sort')
  if (query.page.size > 0) refuseParameter('page')
  if (query.withCount.includes('_self_')) refuseCount(['_self_'])
  const [key] = filteredKeys(query)
  if (key === undefined) return wholeRelationQuery(relation, request)
  if (relation.spec.traits.polymorphic) refuseFilter(key)
  const list = await readListQuery(sentListQuery(request, false), relatedVocabulary(relation), null, request)
  return { ...list, wantsCount: false }
}

/** Reads the query of a to-many relation at its own URL. Members of several types can only be paginated. */
export async function toManyQuery(relation: ServedRelation, request: ReadContext): Promise<ListQuery> {
  const { query } = request
  const { paginator } = relation
  checkPageKeys(query.page, paginator, request.services)
  const isCounted = countsSelf(relation, request)
  if (relation.spec.traits.polymorphic) {
    if (filteredKeys(query).length > 0) refuseParameter('filter')
    if (query.sort.length > 0) refuseParameter('sort')
    const page = withTokens(choosePage(paginator, query.page), request.services.cursors)
    const orders = defaultOrders(relation, page, request)
    return { conditions: [], orders, page, wantsCount: wantsCount(page, isCounted) }
  }
  return readListQuery(sentListQuery(request, isCounted), relatedVocabulary(relation), paginator, request)
}

/**
 * Reads the query of a relationship URL. Without parameters it returns the whole linkage. Parameters mean the same as
 * at the related URL; they are refused if the members have several types, or if the join rows have fields.
 */
export async function linkageQuery(relation: ServedRelation, request: ReadContext): Promise<ListQuery> {
  const { query } = request
  const { toMany } = relation.spec.traits
  if (!toMany) return toOneQuery(relation, request)
  const families = [
    ...(filteredKeys(query).length > 0 ? ['filter'] : []),
    ...(query.sort.length > 0 ? ['sort'] : []),
    ...(query.page.size > 0 ? ['page'] : []),
  ]
  const [family] = families
  if (family === undefined) {
    const isCounted = countsSelf(relation, request)
    return { ...wholeRelationQuery(relation, request), wantsCount: isCounted || relation.paginator === null }
  }
  if (!hasLinkagePages(relation.spec)) refuseParameter(family)
  return toManyQuery(relation, request)
}

function countsSelf({ spec }: ServedRelation, { query }: ReadContext): boolean {
  const isRequested = query.withCount.includes('_self_')
  if (isRequested && !spec.countable) refuseCount(['_self_'])
  return isRequested
}
