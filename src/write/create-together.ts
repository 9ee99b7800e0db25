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
import { runAfterHooks, hasAfterHooks } from '../hooks/run-hooks.js'
import type { WritableMembers } from './document/writable-members.js'
import { writableMembers } from './document/writable-members.js'
import { workContext } from '../hooks/work-context.js'

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>

/** Resources of one type that are created one after the other; their operations share a context. */
export interface Creations {
  readonly count: number
  at(index: number): CreateResource
}

/** What came of resources that were to be created together. */
export interface CreatedTogether {
  /** Of as many as went together, from the first on; no others are written. */
  readonly answers: readonly ResponseValue[]
  /** How many of those that follow are to be created each by itself. */
  readonly alone: number
}

/**
 * Creates resources by few writes; inside a transaction. What cannot go with the others, for whatever reason, is left to be
 * created by itself, which also says what is wrong with it: the answers, and the errors, are the same in either way.
 */
export async function createTogether(creations: Creations, services: RequestServices): Promise<CreatedTogether> {
  const { context } = creations.at(0)
  const served = servedType(services, context)
  const many = served.persister?.create.batch
  const nothing = { answers: [], alone: creations.count }
  if (many === undefined || writeStrategies(served).createBatch.reason !== null) return nothing
  const reading = readContextOf(creations.at(0), services)
  const way = await toldOr(null, async () => {
    const { document: plan } = await planRead({ kind: 'one', subject: served }, reading)
    const near = new Set([...served.relations.values()].filter(isFoundInBatch))
    return { served, many, plan, writable: writableMembers(served, 'create', context), near, reading }
  })
  return way === null || !isShownAtOnce(served, way.plan) ? nothing : createParts(creations, way)
}

/** How resources are created together. */
interface Way {
  readonly served: ServedType
  readonly many: NonNullable<CreateRow['batch']>
  readonly plan: DocumentPlan
  readonly writable: WritableMembers
  /** The relations whose members are found for all resources at once. */
  readonly near: ReadonlySet<ServedRelation>
  readonly reading: ReadContext
}

/** As many as are written at once. Of fewer there would be more writes, and for more the store would wait longer. */
const partSize = 256

async function createParts(creations: Creations, way: Way): Promise<CreatedTogether> {
  const { count } = creations
  const answers: ResponseValue[] = []
  let prepared = prepare(creations, 0, way)
  for (let start = 0; start < count; start += partSize) {
    const rows = await prepared
    if (rows.length < 2) return { answers, alone: 1 }
    const writing = writeAll(rows, way)
    // While the store is at it, the next ones are made ready.
    prepared = prepareMeanwhile(creations, start + partSize, way)
    const [written, next] = await Promise.allSettled([writing, prepared])
    if (written.status === 'rejected') throw written.reason
    if (written.value === null) return { answers, alone: rows.length }
    answers.push(...(await answersTo(written.value, way)))
    if (rows.length < Math.min(partSize, count - start)) return { answers, alone: 1 }
    if (next.status === 'rejected') throw next.reason
  }
  return { answers, alone: 0 }
}

/** The rows of new resources from a place on, as far as they are sound: none where that cannot be found out together. */
async function prepare(creations: Creations, start: number, way: Way): Promise<readonly ColumnValues[]> {
  const end = Math.min(start + partSize, creations.count)
  const resources = await readAll(creations, start, end, way)
  return toldOr([], () => rowsOf(resources, way.reading))
}

/** The same after what was begun before is on its way. */
async function prepareMeanwhile(creations: Creations, start: number, way: Way): Promise<readonly ColumnValues[]> {
  if (start >= creations.count) return []
  await soon()
  return prepare(creations, start, way)
}

async function answersTo(
  nodes: readonly GraphNode[],
  { served, plan, reading }: Way,
): Promise<readonly ResponseValue[]> {
  const { type } = served
  const { query, context, services } = reading
  for (const node of hasAfterHooks(type, 'create') ? nodes : []) {
    await runAfterCommit(served, () => runAfterHooks(type, objectOf(node), true, workContext(context, null, services)))
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

/** Whether all that is read to show resources, if anything, is the same however many of them there are by then. */
function isShownAtOnce(served: ServedType, plan: DocumentPlan): boolean {
  if (plan.inclusion !== null || plan.primary.counted.length > 0 || plan.flattened(served).length > 0) return false
  return plan.primaryLinkageToRead(served).every((relation) => {
    const { storage, spec } = relation
    const isKey = storage.kind === 'ownKey' && spec.identifierMeta === null
    return isKey && isFoundInBatch(relation) && plan.primary.queryOf(relation) === null
  })
}

/** The documents as far as they are sound, and change nothing but rows of their own. */
function readAll(
  creations: Creations,
  start: number,
  end: number,
  { served, writable, near, reading }: Way,
): Promise<readonly NewResource[]> {
  return asFarAsSound(end - start, (index) => {
    const { document, changes } = readNewResource(creations.at(start + index).document, { served, writable }, reading)
    if (!changes.every(({ relation }) => near.has(relation))) return null
    const resource = { served, document, writable, changes }
    return mapAwaitable(checkNewDocument(resource, reading), () => resource)
  })
}

/** Their rows, as far as the members that they name are there: one read for each relation, however many there are. */
async function rowsOf(resources: readonly NewResource[], reading: ReadContext): Promise<readonly ColumnValues[]> {
  const memberOf = await findAll(resources, reading)
  return asFarAsSound(resources.length, (index) => {
    const resource = resources[index]
    const { changes = [] } = resource ?? {}
    const isMissing = changes.some(({ added }) => added.some((identifier) => memberOf(identifier) === undefined))
    if (resource === undefined || isMissing) return null
    checkAgreement(changes, { memberOf, row: null })
    return newColumns(resource, memberOf, reading)
  })
}

async function findAll(resources: readonly NewResource[], { context, open }: ReadContext): Promise<MemberOf> {
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

/** `null` where the store would rather write one by one, or refuses one of them. */
async function writeAll(
  rows: readonly ColumnValues[],
  { served, many, reading: { context, services } }: Way,
): Promise<readonly GraphNode[] | null> {
  const open = currentTransactions()
  const work = workContext(context, open, services)
  const write = { transaction: writeTransaction(served, open), context: work, relationships: [] }
  const written = await toldOr(null, async () => many(served.type, rows, write))
  if (written === null) return null
  const nodes = nodesOf(served, checkedRows(served, written))
  if (nodes.length === rows.length) return nodes
  throw new TypeError(
    `The persister of '${served.type.type}' created ${rows.length} rows, and answered ${nodes.length}.`,
  )
}

/**
 * What a function answers, or something else where it throws what a client is to be told: whoever is created by itself tells
 * it at its place. What else goes wrong, such as a connection that is lost, goes wrong for all of them.
 */
async function toldOr<Answer, Other>(other: Other, answer: () => Promise<Answer>): Promise<Answer | Other> {
  try {
    return await answer()
  } catch (thrown) {
    if (isStoreConflict(thrown) || JsonApiError.is(thrown) || HttpError.is(thrown)) return other
    throw thrown
  }
}

/** What becomes of items, up to the first that comes to nothing or fails: what it fails of is seen when it is alone. */
async function asFarAsSound<Made>(
  count: number,
  make: (index: number) => Awaitable<Made | null>,
): Promise<readonly Made[]> {
  const made: Made[] = []
  for (let index = 0; index < count; index += 1) {
    const answer = catchAwaitable(
      () => make(index),
      () => null,
    )
    // Hardly ever is there something to wait for, and each time costs more than all the rest.
    const one = isPromise(answer) ? await answer : answer
    if (one === null) break
    made.push(one)
  }
  return made
}
