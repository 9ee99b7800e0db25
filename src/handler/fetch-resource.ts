import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse } from '../operation/response-value.js'
import type { ReadCriteria } from '../resource/capabilities/provider.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import { select } from '../resource/reading/selection.js'
import { invariant } from '../util/invariant.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { refuseUnservedQuery } from './not-served-yet.js'
import { checkFieldsets } from './steps/check-query.js'
import { checkedRows } from './steps/checked-rows.js'
import { fetchRow } from './steps/fetch-row.js'

type FetchResource = Extract<Operation, { kind: 'FetchResource' }>

/** GET `/{type}` and GET `/{type}/{id}` */
export async function fetchResource(operation: FetchResource, services: HandlerServices): Promise<ResponseValue> {
  const served = servedType(services, operation.context)
  const { query, context, id } = operation
  checkFieldsets(query, context.server, services)
  refuseUnservedQuery(query)
  const { columns } = select(served.type, served.serializer, query.fields.get(operation.type))
  const criteria: ReadCriteria = { columns, transaction: null, context }
  const shown = { type: served.type, serializer: served.serializer, query, context }
  if (id !== null) return dataResponse({ ...shown, rows: await fetchRow(served, id, criteria), many: false })
  const { rows, total } = await fetchAll(served, criteria)
  return dataResponse(
    { ...shown, rows: checkedRows(served, rows), many: true },
    { meta: typeof total === 'number' ? { total } : null },
  )
}

/** Without a paginator the collection is fetched whole, and its total is known. */
function fetchAll({ type, provider }: ServedType, criteria: ReadCriteria): ReturnType<NonNullable<FetchCollection>> {
  invariant(provider?.fetchCollection !== undefined, `'${type.type}' is listed, but its provider has no collections`)
  return provider.fetchCollection(type, { ...criteria, wantsCount: true })
}

type FetchCollection = NonNullable<ServedType['provider']>['fetchCollection']
