import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse } from '../operation/response-value.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import { checkFieldsets } from './compound/check-fieldsets.js'
import { planDocument } from './compound/document-plan.js'
import { planOne } from './compound/plan-one.js'
import { showResources } from './compound/show-resources.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { listExtras } from './paging/list-extras.js'
import { readListQuery, sentListQuery } from './paging/list-query.js'
import { rowWindow } from './paging/page-of-rows.js'
import { primaryVocabulary } from './query/query-vocabulary.js'
import { hasSingularFilter } from './query/read-conditions.js'
import { refuseCount } from './query/refuse-query.js'
import { scopeConditions } from './query/scope-conditions.js'
import { readTransaction } from './open-transactions.js'
import type { Reading } from './reading.js'
import { readingOf } from './reading.js'
import { nodesOf } from './relation/graph-node.js'
import { fetchRow } from './rows/fetch-row.js'
import { readCollection } from './rows/read-collection.js'
import { columnsOfMany, columnsOfOne, insteadOfMany, insteadOfOne } from './steps/after-fetch.js'

type FetchResource = Extract<Operation, { kind: 'FetchResource' }>

/** GET `/{type}` and GET `/{type}/{id}` */
export async function fetchResource(operation: FetchResource, services: HandlerServices): Promise<ResponseValue> {
  const served = servedType(services, operation.context)
  const reading = readingOf(operation, services)
  return operation.id === null ? fetchCollection(served, reading) : fetchOne(served, operation.id, reading)
}

async function fetchOne(served: ServedType, id: string, reading: Reading): Promise<ResponseValue> {
  const plan = await planOne(served, reading)
  const rows = await fetchRow(served, id, columnsOfOne(served, plan, reading), reading)
  const instead = await insteadOfOne({ served, rows, plan }, reading)
  if (instead !== null) return instead
  const { resources, profiles } = await showResources(nodesOf(served, rows), false, plan, reading)
  return dataResponse(resources, { profiles })
}

async function fetchCollection(served: ServedType, reading: Reading): Promise<ResponseValue> {
  const { query, context, open } = reading
  checkFieldsets(reading)
  const vocabulary = primaryVocabulary(served)
  const plan = await planDocument([served], reading)
  if (plan.primary.countsSelf && !served.type.countable) refuseCount(['_self_'])
  const isSingular = hasSingularFilter(query.filter, vocabulary)
  const sent = sentListQuery(reading, plan.primary.countsSelf)
  const asked = await readListQuery(sent, vocabulary, isSingular ? null : served.paginator, reading)
  const ordered = { orders: asked.orders, types: [served.type] }
  const list = await readCollection(served, {
    columns: columnsOfMany(served, plan, reading),
    conditions: [...scopeConditions(served, context, asked.trash), ...asked.conditions],
    orders: asked.orders,
    window: isSingular ? { kind: 'offset', offset: 0, limit: 1 } : rowWindow(asked.page, ordered),
    wantsCount: !isSingular && asked.wantsCount,
    transaction: readTransaction(served, open),
    context,
  })
  const instead = await insteadOfMany({ served, rows: list.rows, plan }, reading)
  if (instead !== null) return instead
  const nodes = nodesOf(served, list.rows)
  const { resources, profiles } = await showResources(nodes, !isSingular, plan, reading)
  return dataResponse(resources, listExtras(nodes, { ...list, ...ordered, page: asked.page, profiles }, reading))
}
