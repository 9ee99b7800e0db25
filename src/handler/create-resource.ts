import { JsonApiError } from '../errors/json-api-error.js'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, noContentResponse } from '../operation/response-value.js'
import type { ColumnValues } from '../resource/capabilities/persister.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import { invariant } from '../util/invariant.js'
import { planOne } from './compound/plan-one.js'
import { showResources } from './compound/show-resources.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { checkAgreement } from './linkage/check-agreement.js'
import { checkTypes } from './linkage/check-types.js'
import type { LinkageChange } from './linkage/linkage-change.js'
import { changeOf } from './linkage/linkage-change.js'
import { ownColumns } from './linkage/own-columns.js'
import { resolveMembers } from './linkage/resolve-members.js'
import { sentRelationships } from './linkage/sent-relationships.js'
import { memberMutations } from './linkage/write-members.js'
import type { Reading } from './reading.js'
import { readingOf } from './reading.js'
import { nodesOf, objectOf } from './relation/graph-node.js'
import { acceptedResponse } from './steps/accepted-response.js'
import { answerResponse } from './steps/answer-response.js'
import { checkDocument } from './steps/check-document.js'
import { flattenedState } from './steps/flattened-state.js'
import { hydrate } from './steps/hydrate.js'
import { inTransaction } from './steps/in-transaction.js'
import { checkClientId, newKey } from './steps/new-key.js'
import type { ResourceDocument } from './steps/resource-document.js'
import { readResourceDocument } from './steps/resource-document.js'
import { afterWrite, beforeCreate } from './steps/run-hooks.js'
import { withMembers } from './steps/with-members.js'
import type { WritableMembers } from './steps/writable-members.js'
import { writableMembers } from './steps/writable-members.js'
import { endWrites, writeEnds } from './steps/write-flattened.js'
import type { Written } from './steps/written.js'
import { jobTypeOf, written } from './steps/written.js'
import { nothingStored } from './validation/validation.js'
import type { OpenTransaction } from './work-context.js'
import { workContext } from './work-context.js'

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>

/** POST `/{type}` */
export async function createResource(operation: CreateResource, services: HandlerServices): Promise<ResponseValue> {
  const served = servedType(services, operation.context)
  const { type } = served
  const { context } = operation
  const reading = readingOf(operation, services)
  const plan = await planOne(served, reading)
  const sent = readResourceDocument(operation.document, type)
  const writable = writableMembers(served, 'create', context)
  const linkages = sentRelationships(sent, writable.relations, services.maxErrors)
  checkClientId(type.id, sent.id)
  checkTypes(linkages, services.maxErrors)
  const changes = linkages.map((linkage) => changeOf(linkage, 'replace', [], context))
  const about = { served, document: sent, writable: writable.attributes }
  const { document } = await flattenedState({ ...about, start: null }, { changes, open: null, reading })
  const write = { mode: 'create', context, row: null, stored: nothingStored, transaction: null } as const
  await checkDocument(served, document, { ...write, writable, changes }, services)
  const columns = await hydrate(served, document, {
    context,
    writable: writable.attributes,
    row: null,
    stored: nothingStored,
  })

  const result = await inTransaction(served, (open) =>
    create({ served, document, columns, changes, writable }, open, reading),
  ).catch((thrown: unknown) => rethrow(thrown, document.id))

  if (result.kind === 'accepted') return acceptedResponse(result.work, reading)
  const [node] = nodesOf(served, result.rows)
  invariant(node !== undefined, `a resource of '${type.type}' was created, and none came back`)
  const replaced = await afterWrite(type, objectOf(node), true, workContext(context, null, services))
  if (replaced !== null) {
    return answerResponse(replaced, { served, jobType: jobTypeOf(type.responses.create), plan }, reading)
  }
  if (type.responses.create.every(({ kind }) => kind !== 'created')) return noContentResponse()
  const { resources, profiles } = await showResources([node], false, plan, reading)
  return dataResponse(resources, { status: 201, location: node, profiles })
}

interface NewResource {
  readonly served: ServedType
  readonly document: ResourceDocument
  readonly writable: WritableMembers
  readonly columns: ColumnValues
  readonly changes: readonly LinkageChange[]
}

/** The row, with the keys that it holds itself, and then whatever points at it. */
async function create(
  { served, document, writable, columns, changes }: NewResource,
  open: OpenTransaction,
  reading: Reading,
): Promise<Written> {
  const { context, services } = reading
  const { type, persister } = served
  invariant(persister !== null, `'${type.type}' is created, but has no persister`)
  const memberOf = await resolveMembers(changes, { context, open, limit: services.maxErrors })
  checkAgreement(changes, { memberOf, row: null })
  const related = await ownColumns(changes, { memberOf, row: null, attributes: document.attributes })
  const key = await newKey(type.id, document.id)
  const values = {
    ...persister.instantiate?.(type),
    ...columns,
    ...related,
    ...(key === undefined ? {} : { [type.id.column]: key }),
  }
  const work = workContext(context, open, services)
  const mutations = await memberMutations(changes, memberOf, context)
  const write = { transaction: open.transaction, context: work, relationships: mutations }
  const row = await beforeCreate(type, values, work)
  const draft = { served, document, writable: writable.attributes, row, isNew: true }
  const ends = await endWrites(draft, { changes, open, reading })
  const answered = await persister.create(type, row, write)
  const result = written(served, answered, { responses: type.responses.create, services, context })
  return writeEnds(served, await withMembers(served, result, mutations, { open, write }), ends, { open, write })
}

/** A key that is taken is the client's mistake only where the client chose it. */
function rethrow(thrown: unknown, clientId: string | null): never {
  const taken =
    JsonApiError.is(thrown) && thrown.problems.some(({ code }) => code === 'CLIENT_GENERATED_ID_ALREADY_EXISTS')
  if (taken && clientId === null) throw new Error('A key of the service was taken already.', { cause: thrown })
  throw thrown
}
