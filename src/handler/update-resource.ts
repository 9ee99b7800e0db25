import { fail, failAll } from '../errors/json-api-error.js'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, noContentResponse } from '../operation/response-value.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import { absent, attributeReader } from '../resource/reading/attribute-reader.js'
import type { RequestContext } from '../resource/request-context.js'
import type { RowSet } from '../rows/row-set.js'
import { rowObject, rowSetOf } from '../rows/row-set.js'
import { invariant } from '../util/invariant.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { refuseUnservedQuery, refuseUnservedRelationships } from './not-served-yet.js'
import { unknownMemberProblems } from './steps/check-members.js'
import { checkFieldsets } from './steps/check-query.js'
import { fetchRow } from './steps/fetch-row.js'
import { hydrate } from './steps/hydrate.js'
import { inTransaction } from './steps/in-transaction.js'
import type { ResourceDocument } from './steps/resource-document.js'
import { readResourceDocument } from './steps/resource-document.js'
import { attributeProblems } from './validation/attribute-problems.js'

type UpdateResource = Extract<Operation, { kind: 'UpdateResource' }>

/** PATCH `/{type}/{id}` */
export async function updateResource(operation: UpdateResource, services: HandlerServices): Promise<ResponseValue> {
  const served = servedType(services, operation.context)
  const { type, persister, serializer, hydrator } = served
  const { query, context, id } = operation
  invariant(persister !== null, `'${type.type}' is updated, but has no persister`)
  checkFieldsets(query, context.server, services)
  refuseUnservedQuery(query)
  const document = readResourceDocument(operation.document, type)
  checkId(document, id)

  const row = await inTransaction(served, async (transaction) => {
    const stored = await fetchRow(served, id, { columns: null, transaction, context })
    refuseUnservedRelationships(type, document)
    const sent = document.attributes
    const sibling = (name: string): unknown =>
      Object.hasOwn(sent, name) ? sent[name] : storedAttribute(type, name, stored, context)
    const validation = { mode: 'update', context, schemas: services.schemas, sibling } as const
    const problems = [
      ...(services.unknownMembers === 'reject' ? unknownMemberProblems(type, document, 'update', context) : []),
      ...(hydrator === null ? await attributeProblems(type, sent, validation) : []),
    ]
    if (problems.length > 0) failAll(problems)
    const object = objectOf(stored)
    const columns = await hydrate(served, document, { mode: 'update', context, row: object })
    if (Object.keys(columns).length === 0) return object
    const updated = await persister.update(type, object[type.id.column], columns, { transaction, context })
    return updated ?? fail('RESOURCE_NOT_FOUND')
  })

  if (type.responses.update.every(({ kind }) => kind === 'noContent')) return noContentResponse()
  return dataResponse({ type, serializer, rows: rowSetOf([row]), many: false, query, context })
}

function checkId(document: ResourceDocument, endpointId: string): void {
  if (document.id === null) fail('RESOURCE_ID_MISSING', {}, { source: { pointer: '/data' } })
  if (document.id === endpointId) return
  fail('RESOURCE_ID_CONFLICT', { documentId: document.id, endpointId }, { source: { pointer: '/data/id' } })
}

/** As a client would read it: rules that compare attributes look at the resulting whole. Read only where one asks. */
function storedAttribute(type: CompiledType, name: string, stored: RowSet, context: RequestContext): unknown {
  const [row] = stored.rows
  const attribute = type.attributeNamed.get(name)
  if (row === undefined || attribute === undefined) return undefined
  const value = attributeReader(attribute, stored.columns)(row, objectOf(stored), context)
  return value === absent ? undefined : value
}

function objectOf({ columns, rows }: RowSet): RowObject {
  return rowObject(columns, rows[0] ?? [])
}
