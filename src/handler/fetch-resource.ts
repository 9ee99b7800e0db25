import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse } from '../operation/response-value.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import { isLater } from '../util/when-known.js'
import { planCollection } from '../read/plan/collection-plan.js'
import { planOne } from '../read/plan/plan-one.js'
import { showResources } from '../read/graph/show-resources.js'
import type { HandlerServices } from '../read/request-services.js'
import { servedType } from '../read/request-services.js'
import { listExtras } from '../read/paging/list-extras.js'
import { readTransaction } from '../read/open-transactions.js'
import type { Reading } from '../read/reading.js'
import { readingOf } from '../read/reading.js'
import { nodesOf } from '../read/graph/graph-node.js'
import { fetchRow } from '../read/rows/fetch-row.js'
import { readCollection } from '../read/rows/read-collection.js'
import { columnsOfMany, columnsOfOne, insteadOfMany, insteadOfOne, isReplaceable } from '../hooks/after-fetch.js'

type FetchResource = Extract<Operation, { kind: 'FetchResource' }>

/** GET `/{type}` and GET `/{type}/{id}` */
export function fetchResource(operation: FetchResource, services: HandlerServices): Promise<ResponseValue> {
  const served = servedType(services, operation.context)
  const reading = readingOf(operation, services)
  return operation.id === null ? fetchCollection(served, reading) : fetchOne(served, operation.id, reading)
}

async function fetchOne(served: ServedType, id: string, reading: Reading): Promise<ResponseValue> {
  const planned = planOne(served, reading)
  const plan = isLater(planned) ? await planned : planned
  const { context, open } = reading
  const recurring = plan.isKept ? plan : null
  const rows = await fetchRow(served, id, columnsOfOne(served, plan, reading), { context, open, recurring })
  const instead = isReplaceable(served) ? await insteadOfOne({ served, rows, plan }, reading) : null
  if (instead !== null) return instead
  const shown = showResources(nodesOf(served, rows), false, plan, reading)
  const { resources, profiles } = isLater(shown) ? await shown : shown
  return dataResponse(resources, { profiles })
}

async function fetchCollection(served: ServedType, reading: Reading): Promise<ResponseValue> {
  const planned = planCollection(served, reading)
  const { plan, isSingular, page, typed, criteria } = isLater(planned) ? await planned : planned
  const { conditions, orders, window, wantsCount, recurring } = criteria
  const transaction = readTransaction(served, reading.open)
  const columns = columnsOfMany(served, plan, reading)
  const asked = { conditions, orders, window, wantsCount, recurring, columns, transaction, context: reading.context }
  const list = await readCollection(served, asked)
  const instead = isReplaceable(served) ? await insteadOfMany({ served, rows: list.rows, plan }, reading) : null
  if (instead !== null) return instead
  const nodes = nodesOf(served, list.rows)
  const shown = showResources(nodes, !isSingular, plan, reading)
  const { resources, profiles } = isLater(shown) ? await shown : shown
  const { types } = typed
  const { total, more = false, edges = null } = list
  return dataResponse(resources, listExtras(nodes, { total, more, edges, orders, types, page, profiles }, reading))
}
