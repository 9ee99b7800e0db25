import { setImmediate as soon } from 'node:timers/promises'
import { workContext } from '../hooks/work-context.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { currentTransactions, writeTransaction } from '../read/open-transactions.js'
import type { ReadContext } from '../read/read-context.js'
import type { RequestServices } from '../read/read-context.js'
import { servedType } from '../read/read-context.js'
import type { ColumnValues, CreateShortcuts } from '../resource/capabilities/persister.js'
import type { ServedRelation } from '../resource/capabilities/served-type.js'
import type { BatchContext, CreateOperations } from './batch-context.js'
import {
  batchContext,
  CHUNK_SIZE,
  createdNodes,
  readResources,
  responsesTo,
  untilFirstFailure,
  withoutClientError,
} from './batch-context.js'
import type { SentIdentifier } from './document/sent-linkage.js'
import { checkAgreement } from './linkage/check-agreement.js'
import type { MemberOf } from './linkage/linkage-change.js'
import { findMembers } from './linkage/resolve-members.js'
import type { NewResource } from './new-resource.js'
import { newColumns } from './new-resource.js'
import { isCertainlyCreatable } from './persist/permitted-writes.js'
import { certainlyShowsMembers } from './persist/hidden-members.js'
import { writeStrategies } from './write-strategy.js'

/** The result of creating resources together. */
export interface CreatedBatch {
  /** One for each resource that was created, from the first on. No other resource is written. */
  readonly responses: readonly ResponseValue[]
  /** The number of following operations that must run one by one. */
  readonly single: number
}

/**
 * Creates resources by few statements, inside a transaction. A resource that cannot be created with the others, for any reason,
 * is left to be created by itself, which also reports what is wrong. Responses and errors are the same in both cases.
 */
export async function createBatch(creations: CreateOperations, services: RequestServices): Promise<CreatedBatch> {
  const served = servedType(services, creations.at(0).context)
  const insertRows = served.shortcuts.create?.many
  const nothing = { responses: [], single: creations.count }
  if (insertRows === undefined || writeStrategies(served).createBatch.reason !== null) return nothing
  const batch = await batchContext(creations, served, services)
  return batch === null ? nothing : createInChunks(creations, { ...batch, insertRows })
}

interface WritingBatch extends BatchContext {
  readonly insertRows: NonNullable<CreateShortcuts['many']>
}

async function createInChunks(creations: CreateOperations, batch: WritingBatch): Promise<CreatedBatch> {
  const { count } = creations
  const responses: ResponseValue[] = []
  let prepared = prepare(creations, 0, batch)
  for (let start = 0; start < count; start += CHUNK_SIZE) {
    const { rows, resources } = await prepared
    if (rows.length < 2) return { responses, single: 1 }
    const writing = insertAll(rows, batch)
    // The next chunk is prepared while the store writes this one.
    prepared = prepareNext(creations, start + CHUNK_SIZE, batch)
    const [written, next] = await Promise.allSettled([writing, prepared])
    if (written.status === 'rejected') throw written.reason
    if (written.value === null) return { responses, single: rows.length }
    responses.push(...(await responsesTo(written.value, resources, batch)))
    if (rows.length < Math.min(CHUNK_SIZE, count - start)) return { responses, single: 1 }
    if (next.status === 'rejected') throw next.reason
  }
  return { responses, single: 0 }
}

interface PreparedRows {
  readonly rows: readonly ColumnValues[]
  /** The resources of the rows, and those after them. */
  readonly resources: readonly NewResource[]
}

/** Returns the rows of a chunk, up to the first resource that is not valid. */
async function prepare(creations: CreateOperations, start: number, batch: BatchContext): Promise<PreparedRows> {
  const end = Math.min(start + CHUNK_SIZE, creations.count)
  const { checked } = creations
  const resources = checked?.slice(start, end) ?? (await readResources(creations, start, end, batch))
  return { rows: await withoutClientError([], () => rowsOf(resources, batch.request)), resources }
}

/** Prepares the next chunk after the insert of the previous chunk has started. */
async function prepareNext(creations: CreateOperations, start: number, batch: BatchContext): Promise<PreparedRows> {
  if (start >= creations.count) return { rows: [], resources: [] }
  await soon()
  return prepare(creations, start, batch)
}

/** Returns the rows, up to the first with a member that does not exist. Members take one read for each relation. */
async function rowsOf(resources: readonly NewResource[], reading: ReadContext): Promise<readonly ColumnValues[]> {
  const memberOf = await findAllMembers(resources, reading)
  return untilFirstFailure(resources.length, async (index) => {
    const resource = resources[index]
    const { changes = [] } = resource ?? {}
    const isMissing = changes.some(({ added }) => added.some((identifier) => memberOf(identifier) === undefined))
    if (resource === undefined || isMissing) return null
    checkAgreement(changes, { memberOf, row: null })
    const values = await newColumns(resource, memberOf, reading)
    // `null` if only the store can check the row, after it is stored.
    const isDecided =
      isCertainlyCreatable(resource.served, values, reading.context) &&
      certainlyShowsMembers(resource, values, reading.context)
    return isDecided ? values : null
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
  { served, insertRows, request: { context, services } }: WritingBatch,
): Promise<readonly GraphNode[] | null> {
  const open = currentTransactions()
  const work = workContext(context, open, services)
  const write = { transaction: writeTransaction(served, open), context: work, relationships: [] }
  const written = await withoutClientError(null, async () => insertRows(served.type, rows, write))
  return written === null ? null : createdNodes(served, written, rows.length)
}
