import { failAll } from '../errors/json-api-error.js'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, noContentResponse } from '../operation/response-value.js'
import { rowSetOf } from '../rows/row-set.js'
import { invariant } from '../util/invariant.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { refuseUnservedQuery, refuseUnservedRelationships } from './not-served-yet.js'
import { unknownMemberProblems } from './steps/check-members.js'
import { checkFieldsets } from './steps/check-query.js'
import { hydrate } from './steps/hydrate.js'
import { inTransaction } from './steps/in-transaction.js'
import { newKey } from './steps/new-key.js'
import { readResourceDocument } from './steps/resource-document.js'
import { attributeProblems } from './validation/attribute-problems.js'
import { siblingsIn } from './validation/validation.js'

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>

/** POST `/{type}` */
export async function createResource(operation: CreateResource, services: HandlerServices): Promise<ResponseValue> {
  const served = servedType(services, operation.context)
  const { type, persister, serializer, hydrator } = served
  const { query, context } = operation
  invariant(persister !== null, `'${type.type}' is created, but has no persister`)
  checkFieldsets(query, context.server, services)
  refuseUnservedQuery(query)
  const document = readResourceDocument(operation.document, type)
  const key = newKey(type.id, document.id)
  refuseUnservedRelationships(type, document)

  const { attributes } = document
  const validation = { mode: 'create', context, schemas: services.schemas, sibling: siblingsIn(attributes) } as const
  const problems = [
    ...(services.unknownMembers === 'reject' ? unknownMemberProblems(type, document, 'create', context) : []),
    ...(hydrator === null ? await attributeProblems(type, attributes, validation) : []),
  ]
  if (problems.length > 0) failAll(problems)

  const columns = await hydrate(served, document, { mode: 'create', context, row: null })
  const values = {
    ...persister.instantiate?.(type),
    ...columns,
    ...(key === undefined ? {} : { [type.id.column]: key }),
  }
  const row = await inTransaction(served, async (transaction) =>
    persister.create(type, values, { transaction, context }),
  )

  const rows = rowSetOf([row])
  if (type.responses.create.every(({ kind }) => kind === 'noContent')) return noContentResponse()
  const [location] = rows.rows
  return dataResponse(
    { type, serializer, rows, many: false, query, context },
    { status: 201, ...(location === undefined ? {} : { location }) },
  )
}
