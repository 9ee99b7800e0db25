import { fail } from '../errors/json-api-error.js'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, noContentResponse } from '../operation/response-value.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import { absent, attributeReader } from '../resource/reading/attribute-reader.js'
import type { RequestContext } from '../resource/request-context.js'
import { rowSetOf } from '../rows/row-set.js'
import { invariant } from '../util/invariant.js'
import { planOne } from './compound/plan-one.js'
import { showResources } from './compound/show-resources.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { refuseUnservedRelationships } from './not-served-yet.js'
import { readingOf } from './reading.js'
import { nodesOf } from './relation/graph-node.js'
import { checkedRows } from './rows/checked-rows.js'
import { fetchObject } from './rows/fetch-row.js'
import { checkAttributes } from './steps/check-attributes.js'
import { hydrate } from './steps/hydrate.js'
import { inTransaction } from './steps/in-transaction.js'
import type { ResourceDocument } from './steps/resource-document.js'
import { readResourceDocument } from './steps/resource-document.js'
import { readTransaction, workContext } from './work-context.js'

type UpdateResource = Extract<Operation, { kind: 'UpdateResource' }>

/** PATCH `/{type}/{id}` */
export async function updateResource(operation: UpdateResource, services: HandlerServices): Promise<ResponseValue> {
  const served = servedType(services, operation.context)
  const { type, persister } = served
  const { context, id } = operation
  invariant(persister !== null, `'${type.type}' is updated, but has no persister`)
  const reading = readingOf(operation, services)
  const plan = await planOne(served, reading)
  const document = readResourceDocument(operation.document, type)
  checkId(document, id)

  const rows = await inTransaction(served, async (open) => {
    const row = await fetchObject(served, id, { transaction: readTransaction(served, open), context })
    refuseUnservedRelationships(type, document)
    const sibling = resultingAttribute(type, document, row, context)
    const writable = await checkAttributes(served, document, { mode: 'update', context, row, sibling }, services)
    const columns = await hydrate(served, document, { context, writable, row })
    if (Object.keys(columns).length === 0) return rowSetOf([row])
    const updated = await persister.update(type, row[type.id.column], columns, {
      transaction: open.transaction,
      context: workContext(context, open, services),
    })
    return updated === null ? fail('RESOURCE_NOT_FOUND') : checkedRows(served, updated)
  })

  if (type.responses.update.every(({ kind }) => kind === 'noContent')) return noContentResponse()
  const { resources, profiles } = await showResources(nodesOf(served, rows), false, plan, reading)
  return dataResponse(resources, { profiles })
}

function checkId(document: ResourceDocument, endpointId: string): void {
  if (document.id === null) fail('RESOURCE_ID_MISSING', {}, { source: { pointer: '/data' } })
  if (document.id === endpointId) return
  fail('RESOURCE_ID_CONFLICT', { documentId: document.id, endpointId }, { source: { pointer: '/data/id' } })
}

/** As a client would read it afterwards: rules that compare attributes look at the whole. Read only where one asks. */
function resultingAttribute(
  { attributeNamed }: CompiledType,
  { attributes }: ResourceDocument,
  row: RowObject,
  context: RequestContext,
): (name: string) => unknown {
  const columns = Object.keys(row)
  return (name) => {
    if (Object.hasOwn(attributes, name)) return attributes[name]
    const attribute = attributeNamed.get(name)
    if (attribute === undefined) return undefined
    const value = attributeReader(attribute, columns)(Object.values(row), row, context)
    return value === absent ? undefined : value
  }
}
