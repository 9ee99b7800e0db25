import { fail } from '../../errors/json-api-error.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import { wantsCount } from '../paging/list-extras.js'
import { choosePage, isCursorPage } from '../paging/page-of-rows.js'
import { relatedVocabulary } from '../query/query-vocabulary.js'
import { readConditions } from '../query/read-conditions.js'
import { readOrders } from '../query/read-orders.js'
import { refuseCount, refuseFamily } from '../query/refuse-query.js'
import type { Reading } from '../reading.js'
import type { RelationQuery } from './relation-query.js'
import { usualOrders, wholeRelation } from './relation-query.js'

/** What a request asks of a to-one relation at its own address: only whether the one meets a filter. */
export async function toOneQuery(relation: ServedRelation, reading: Reading): Promise<RelationQuery> {
  const { query, context, services } = reading
  if (query.sort.length > 0) refuseFamily('sort')
  if (query.page.size > 0) refuseFamily('page')
  if (query.withCount.includes('_self_')) refuseCount(['_self_'])
  const whole = wholeRelation(relation, reading)
  const [key] = query.filter.keys()
  if (key === undefined) return whole
  if (relation.spec.traits.polymorphic) {
    fail('FILTERING_UNRECOGNIZED', { filter: key }, { source: { parameter: `filter[${key}]` } })
  }
  const vocabulary = relatedVocabulary(relation)
  const conditions = await readConditions(query.filter, vocabulary, { context, services, parameterOf })
  return { ...whole, conditions }
}

/** What a request asks of a to-many relation at its own address. Members of several types are cut into pages only. */
export async function toManyQuery(relation: ServedRelation, reading: Reading): Promise<RelationQuery> {
  const { query, context, services } = reading
  const page = choosePage(relation.paginator, query.page)
  const counted = wantsCount(page, countsSelf(relation, reading))
  if (relation.spec.traits.polymorphic) {
    if (query.filter.size > 0) refuseFamily('filter')
    if (query.sort.length > 0) refuseFamily('sort')
    return { conditions: [], orders: usualOrders(relation, page, reading), page, wantsCount: counted }
  }
  const vocabulary = relatedVocabulary(relation)
  const conditions = await readConditions(query.filter, vocabulary, { context, services, parameterOf })
  const orders = readOrders(query.sort, vocabulary, { context, cursor: isCursorPage(page), parameter: 'sort' })
  return { conditions, orders, page, wantsCount: counted }
}

/**
 * What a request asks of linkage: the entire association, or, of members of one type and without join rows that have
 * fields, what the related address would answer to the same query.
 */
export async function linkageQuery(relation: ServedRelation, reading: Reading): Promise<RelationQuery> {
  const { query } = reading
  const { toMany, polymorphic } = relation.spec.traits
  if (!toMany) return toOneQuery(relation, reading)
  const families = [
    ...(query.filter.size > 0 ? ['filter'] : []),
    ...(query.sort.length > 0 ? ['sort'] : []),
    ...(query.page.size > 0 ? ['page'] : []),
  ]
  const [family] = families
  if (family === undefined) {
    const asked = countsSelf(relation, reading)
    return { ...wholeRelation(relation, reading), wantsCount: asked || relation.paginator === null }
  }
  if (polymorphic || Object.keys(relation.spec.pivot).length > 0) refuseFamily(family)
  return toManyQuery(relation, reading)
}

function countsSelf({ spec }: ServedRelation, { query }: Reading): boolean {
  const asked = query.withCount.includes('_self_')
  if (asked && !spec.countable) refuseCount(['_self_'])
  return asked
}

function parameterOf(key: string): string {
  return `filter[${key}]`
}
