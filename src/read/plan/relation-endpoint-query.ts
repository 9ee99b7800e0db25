import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import { hasLinkagePages } from '../../resource/relations/relation-spec.js'
import { wantsCount } from '../paging/list-extras.js'
import type { ListQuery } from '../paging/list-query.js'
import { readListQuery, sentListQuery } from '../paging/list-query.js'
import { choosePage } from '../paging/page-of-rows.js'
import { relatedVocabulary } from '../query/query-vocabulary.js'
import { refuseCount, refuseFilter, refuseParameter } from '../query/refuse-query.js'
import type { ReadContext } from '../read-context.js'
import { defaultOrders, wholeRelationQuery } from './relation-query.js'

/** Reads the query of a to-one relation at its own URL. The only parameter is `filter`, which the member must meet. */
export async function toOneQuery(relation: ServedRelation, request: ReadContext): Promise<ListQuery> {
  const { query } = request
  if (query.sort.length > 0) refuseParameter('sort')
  if (query.page.size > 0) refuseParameter('page')
  if (query.withCount.includes('_self_')) refuseCount(['_self_'])
  const [key] = query.filter.keys()
  if (key === undefined) return wholeRelationQuery(relation, request)
  if (relation.spec.traits.polymorphic) refuseFilter(key)
  const list = await readListQuery(sentListQuery(request, false), relatedVocabulary(relation), null, request)
  return { ...list, wantsCount: false }
}

/** Reads the query of a to-many relation at its own URL. Members of several types can only be paginated. */
export async function toManyQuery(relation: ServedRelation, request: ReadContext): Promise<ListQuery> {
  const { query } = request
  const { paginator } = relation
  const isCounted = countsSelf(relation, request)
  if (relation.spec.traits.polymorphic) {
    if (query.filter.size > 0) refuseParameter('filter')
    if (query.sort.length > 0) refuseParameter('sort')
    const page = choosePage(paginator, query.page)
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
    ...(query.filter.size > 0 ? ['filter'] : []),
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
