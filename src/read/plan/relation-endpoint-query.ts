import { fail } from '../../errors/json-api-error.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import { hasLinkagePages } from '../../resource/relations/relation-spec.js'
import { wantsCount } from '../paging/list-extras.js'
import type { ListQuery } from '../paging/list-query.js'
import { readListQuery, sentListQuery } from '../paging/list-query.js'
import { choosePage } from '../paging/page-of-rows.js'
import { relatedVocabulary } from '../query/query-vocabulary.js'
import { refuseCount, refuseParameter } from '../query/refuse-query.js'
import type { ReadContext } from '../read-context.js'
import { defaultOrders, wholeRelationQuery } from './relation-query.js'

/** What a request asks of a to-one relation at its own address: only whether the one meets a filter. */
export async function toOneQuery(relation: ServedRelation, reading: ReadContext): Promise<ListQuery> {
  const { query } = reading
  if (query.sort.length > 0) refuseParameter('sort')
  if (query.page.size > 0) refuseParameter('page')
  if (query.withCount.includes('_self_')) refuseCount(['_self_'])
  const [key] = query.filter.keys()
  if (key === undefined) return wholeRelationQuery(relation, reading)
  if (relation.spec.traits.polymorphic) {
    fail('FILTERING_UNRECOGNIZED', { filter: key }, { source: { parameter: `filter[${key}]` } })
  }
  const asked = await readListQuery(sentListQuery(reading, false), relatedVocabulary(relation), null, reading)
  return { ...asked, wantsCount: false }
}

/** What a request asks of a to-many relation at its own address. Members of several types are cut into pages only. */
export async function toManyQuery(relation: ServedRelation, reading: ReadContext): Promise<ListQuery> {
  const { query } = reading
  const { paginator } = relation
  const isCounted = countsSelf(relation, reading)
  if (relation.spec.traits.polymorphic) {
    if (query.filter.size > 0) refuseParameter('filter')
    if (query.sort.length > 0) refuseParameter('sort')
    const page = choosePage(paginator, query.page)
    const orders = defaultOrders(relation, page, reading)
    return { conditions: [], orders, page, wantsCount: wantsCount(page, isCounted) }
  }
  return readListQuery(sentListQuery(reading, isCounted), relatedVocabulary(relation), paginator, reading)
}

/**
 * What a request asks of linkage: the entire association, or, of members of one type and without join rows that have
 * fields, what the related address would answer to the same query.
 */
export async function linkageQuery(relation: ServedRelation, reading: ReadContext): Promise<ListQuery> {
  const { query } = reading
  const { toMany } = relation.spec.traits
  if (!toMany) return toOneQuery(relation, reading)
  const families = [
    ...(query.filter.size > 0 ? ['filter'] : []),
    ...(query.sort.length > 0 ? ['sort'] : []),
    ...(query.page.size > 0 ? ['page'] : []),
  ]
  const [family] = families
  if (family === undefined) {
    const asked = countsSelf(relation, reading)
    return { ...wholeRelationQuery(relation, reading), wantsCount: asked || relation.paginator === null }
  }
  if (!hasLinkagePages(relation.spec)) refuseParameter(family)
  return toManyQuery(relation, reading)
}

function countsSelf({ spec }: ServedRelation, { query }: ReadContext): boolean {
  const asked = query.withCount.includes('_self_')
  if (asked && !spec.countable) refuseCount(['_self_'])
  return asked
}
