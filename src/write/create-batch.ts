import { setImmediate as soon } from 'node:timers/promises'
import { HttpError } from '../errors/http-error.js'
import { JsonApiError } from '../errors/json-api-error.js'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, noContentResponse } from '../operation/response-value.js'
import type { ColumnValues, CreateRow } from '../resource/capabilities/persister.js'
import type { ServedRelation, ServedType } from '../resource/capabilities/served-type.js'
import { isStoreConflict } from '../resource/capabilities/store-conflict.js'
import type { Awaitable } from '../util/types.js'
import { isPromise, catchAwaitable, mapAwaitable } from '../util/awaitable.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import { scopeIn } from '../read/query/scope-conditions.js'
import { planRead } from '../read/plan/read-plan.js'
import { readGraph } from '../read/graph/read-graph.js'
import type { RequestServices } from '../read/request-services.js'
import { servedType } from '../read/request-services.js'
import { checkAgreement } from './linkage/check-agreement.js'
import type { MemberOf } from './linkage/resolve-members.js'
import { findMembers } from './linkage/resolve-members.js'
import type { SentIdentifier } from './document/sent-linkage.js'
import { currentTransactions, writeTransaction } from '../read/open-transactions.js'
import type { ReadContext } from '../read/read-context.js'
import { readContextOf } from '../read/read-context.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { nodesOf, objectOf } from '../read/graph/graph-node.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import { isFoundInBatch, writeStrategies } from './write-strategy.js'
import { runAfterCommit } from './persist/in-transaction.js'
import type { NewResource } from './new-resource.js'
import { checkNewDocument, newColumns, readNewResource } from './new-resource.js'
import { afterSteps, hasAfterHooks } from '../hooks/run-hooks.js'
import type { WritableMembers } from './document/writable-members.js'
import { writableMembers } from './document/writable-members.js'
import { workContext } from '../hooks/work-context.js'

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>

/** Creates of one type that follow each other in a batch; their operations share a context. */
export interface CreateOperations {
  readonly count: number
  at(index: number): CreateResource
}

/** The result of creating resources together. */
export interface CreatedBatch {
  /** One for each resource that was created, from the first on. No other resource is written. */
  readonly responses: readonly ResponseValue[]
  /** How many of the operations that follow have to be run one by one. */
  readonly single: number
}

/**
 * Creates resources by few statements, inside a transaction. A resource that cannot be created with the others, for any reason,
 * is left to be created by itself, which also reports what is wrong. Responses and errors are the same either way.
 */
export async function createBatch(creations: CreateOperations, services: RequestServices): Promise<CreatedBatch> {
  const { context } = creations.at(0)
  const served = servedType(services, context)
  const insertRows = served.persister?.create.batch
  const nothing = { responses: [], single: creations.count }
  if (insertRows === undefined || writeStrategies(served).createBatch.reason !== null) return nothing
  // Each row is checked against the scope after it is stored, and reported for its operation.
  if (scopeIn(served, context) !== null) return nothing
  const request = readContextOf(creations.at(0), services)
  const batch = await withoutClientError(null, async () => {
    const { document: plan } = await planRead({ kind: 'one', subject: served }, request)
    const batchRelations = new Set([...served.relations.values()].filter(isFoundInBatch))
    const writable = writableMembers(served, 'create', context)
    return { served, insertRows, plan, writable, batchRelations, request }
  })
  return batch === null || !isShownInBatch(served, batch.plan) ? nothing : createInChunks(creations, batch)
}

/** What all resources of a batch share. */
interface BatchContext {
  readonly served: ServedType
  readonly insertRows: NonNullable<CreateRow['batch']>
  readonly plan: DocumentPlan
  readonly writable: WritableMembers
  /** The relations whose members are found for all resources together. */
  readonly batchRelations: ReadonlySet<ServedRelation>
  readonly request: ReadContext
}

/** The number of rows of one insert. Smaller chunks take more statements; with larger ones the store waits longer for the first. */
const CHUNK_SIZE = 256

async function createInChunks(creations: CreateOperations, batch: BatchContext): Promise<CreatedBatch> {
  const { count } = creations
  const answers: ResponseValue[] = []
  let prepared = prepare(creations, 0, batch)
  for (let start = 0; start < count; start += CHUNK_SIZE) {
    const rows = await prepared
    if (rows.length < 2) return { responses: answers, single: 1 }
    const writing = insertAll(rows, batch)
    // The next chunk is prepared while the store writes this one.
    prepared = prepareNext(creations, start + CHUNK_SIZE, batch)
    const [written, next] = await Promise.allSettled([writing, prepared])
    if (written.status === 'rejected') throw written.reason
    if (written.value === null) return { responses: answers, single: rows.length }
    answers.push(...(await responsesTo(written.value, batch)))
    if (rows.length < Math.min(CHUNK_SIZE, count - start)) return { responses: answers, single: 1 }
    if (next.status === 'rejected') throw next.reason
  }
  return { responses: answers, single: 0 }
}

/** Returns the rows of a chunk, up to the first resource that is not valid. */
async function prepare(
  creations: CreateOperations,
  start: number,
  batch: BatchContext,
): Promise<readonly ColumnValues[]> {
  const end = Math.min(start + CHUNK_SIZE, creations.count)
  const resources = await readResources(creations, start, end, batch)
  return withoutClientError([], () => rowsOf(resources, batch.request))
}

/** Lets the insert of the chunk before start first. */
async function prepareNext(
  creations: CreateOperations,
  start: number,
  batch: BatchContext,
): Promise<readonly ColumnValues[]> {
  if (start >= creations.count) return []
  await soon()
  return prepare(creations, start, batch)
}

async function responsesTo(
  nodes: readonly GraphNode[],
  { served, plan, request: reading }: BatchContext,
): Promise<readonly ResponseValue[]> {
  const { type } = served
  const { query, context, services } = reading
  for (const node of hasAfterHooks(type, 'create') ? nodes : []) {
    await runAfterCommit(served, afterSteps(type, objectOf(node), true, workContext(context, null, services)))
  }
  if (type.responses.create.every(({ kind }) => kind !== 'created')) {
    return nodes.map((node) => noContentResponse({ written: node }))
  }
  await readGraph(nodes, plan, reading)
  return nodes.map((node) => {
    const resources = { primary: [node], many: false, included: null, query, context }
    return dataResponse(resources, { status: 201, location: node })
  })
}

/** Whether showing the resources reads the same for each of them, however many exist by then. */
function isShownInBatch(served: ServedType, plan: DocumentPlan): boolean {
  if (plan.inclusion !== null || plan.primary.counted.length > 0 || plan.flattened(served).length > 0) return false
  return plan.primaryLinkageToRead(served).every((relation) => {
    const { storage, spec } = relation
    const isKey = storage.kind === 'ownKey' && spec.identifierMeta === null
    return isKey && isFoundInBatch(relation) && plan.primary.queryOf(relation) === null
  })
}

/** Reads and checks the documents, up to the first that is not valid or that changes more than its own row. */
function readResources(
  creations: CreateOperations,
  start: number,
  end: number,
  { served, writable, batchRelations: near, request: reading }: BatchContext,
): Promise<readonly NewResource[]> {
  return untilFirstFailure(end - start, (index) => {
    const { document, changes, own } = readNewResource(
      creations.at(start + index).document,
      { served, writable },
      reading,
    )
    if (own.length > 0 || !changes.every(({ relation }) => near.has(relation))) return null
    const resource = { served, document, writable, changes, own }
    return mapAwaitable(checkNewDocument(resource, reading), () => resource)
  })
}

/** Returns the rows, up to the first with a member that does not exist. Members take one read for each relation. */
async function rowsOf(resources: readonly NewResource[], reading: ReadContext): Promise<readonly ColumnValues[]> {
  const memberOf = await findAllMembers(resources, reading)
  return untilFirstFailure(resources.length, (index) => {
    const resource = resources[index]
    const { changes = [] } = resource ?? {}
    const isMissing = changes.some(({ added }) => added.some((identifier) => memberOf(identifier) === undefined))
    if (resource === undefined || isMissing) return null
    checkAgreement(changes, { memberOf, row: null })
    return newColumns(resource, memberOf, reading)
  })
}

async function findAllMembers(resources: readonly NewResource[], { context, open }: ReadContext): Promise<MemberOf> {
  const added = new Map<ServedRelation, SentIdentifier[]>()
  for (const { changes } of resources) {
    for (const change of changes) {
      const known = added.get(change.relation)
      if (known === undefined) added.set(change.relation, [...change.added])
      else known.push(...change.added)
    }
  }
  const changes = Array.from(added, ([relation, identifiers]) => ({ relation, added: identifiers }))
  return findMembers(changes, { context, open })
}

/** Returns `null` if the store cannot insert the rows together, or refuses one of them. */
async function insertAll(
  rows: readonly ColumnValues[],
  { served, insertRows: many, request: { context, services } }: BatchContext,
): Promise<readonly GraphNode[] | null> {
  const open = currentTransactions()
  const work = workContext(context, open, services)
  const write = { transaction: writeTransaction(served, open), context: work, relationships: [] }
  const written = await withoutClientError(null, async () => many(served.type, rows, write))
  if (written === null) return null
  const nodes = nodesOf(served, checkedRows(served, written))
  if (nodes.length === rows.length) return nodes
  throw new TypeError(
    `The persister of '${served.type.type}' created ${rows.length} rows, and returned ${nodes.length}.`,
  )
}

/**
 * Returns a fallback in place of an error that is meant for the client: the resource that causes it reports it when it is created
 * by itself. Other errors, such as a lost connection, fail the batch.
 */
async function withoutClientError<Result, Fallback>(
  fallback: Fallback,
  work: () => Promise<Result>,
): Promise<Result | Fallback> {
  try {
    return await work()
  } catch (thrown) {
    if (isStoreConflict(thrown) || JsonApiError.is(thrown) || HttpError.is(thrown)) return fallback
    throw thrown
  }
}

/** Makes items until one fails or is `null`: that one fails again, and is reported, when it is created by itself. */
async function untilFirstFailure<Made>(
  count: number,
  make: (index: number) => Awaitable<Made | null>,
): Promise<readonly Made[]> {
  const made: Made[] = []
  for (let index = 0; index < count; index += 1) {
    const result = catchAwaitable(
      () => make(index),
      () => null,
    )
    // Most results are not promises, and to await one takes longer than all the rest.
    const one = isPromise(result) ? await result : result
    if (one === null) break
    made.push(one)
  }
  return made
}
