import { JsonApiError } from '../errors/json-api-error.js'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, noContentResponse } from '../operation/response-value.js'
import { invariant } from '../util/invariant.js'
import { planOne } from './compound/plan-one.js'
import { showResources } from './compound/show-resources.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { refuseUnservedRelationships } from './not-served-yet.js'
import { readingOf } from './reading.js'
import { nodesOf } from './relation/graph-node.js'
import { checkedRows } from './rows/checked-rows.js'
import { checkAttributes } from './steps/check-attributes.js'
import { hydrate } from './steps/hydrate.js'
import { inTransaction } from './steps/in-transaction.js'
import { newKey } from './steps/new-key.js'
import { readResourceDocument } from './steps/resource-document.js'
import { siblingsIn } from './validation/validation.js'
import { workContext } from './work-context.js'

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>

/** POST `/{type}` */
export async function createResource(operation: CreateResource, services: HandlerServices): Promise<ResponseValue> {
  const served = servedType(services, operation.context)
  const { type, persister } = served
  const { context } = operation
  invariant(persister !== null, `'${type.type}' is created, but has no persister`)
  const reading = readingOf(operation, services)
  const plan = await planOne(served, reading)
  const document = readResourceDocument(operation.document, type)
  const key = await newKey(type.id, document.id)
  refuseUnservedRelationships(type, document)

  const checked = { mode: 'create', context, row: null, sibling: siblingsIn(document.attributes) } as const
  const writable = await checkAttributes(served, document, checked, services)
  const columns = await hydrate(served, document, { context, writable, row: null })
  const values = {
    ...persister.instantiate?.(type),
    ...columns,
    ...(key === undefined ? {} : { [type.id.column]: key }),
  }
  const rows = await inTransaction(served, async (open) => {
    const write = { transaction: open.transaction, context: workContext(context, open, services) }
    return checkedRows(served, await persister.create(type, values, write))
  }).catch((thrown: unknown) => rethrow(thrown, document.id))

  if (type.responses.create.every(({ kind }) => kind === 'noContent')) return noContentResponse()
  const { resources, profiles } = await showResources(nodesOf(served, rows), false, plan, reading)
  return dataResponse(resources, { status: 201, location: resources.primary[0] ?? null, profiles })
}

/** A key that is taken is the client's mistake only where the client chose it. */
function rethrow(thrown: unknown, clientId: string | null): never {
  const taken =
    JsonApiError.is(thrown) && thrown.problems.some(({ code }) => code === 'CLIENT_GENERATED_ID_ALREADY_EXISTS')
  if (taken && clientId === null) throw new Error('A key of the service was taken already.', { cause: thrown })
  throw thrown
}
