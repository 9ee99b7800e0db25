import { setImmediate as soon } from 'node:timers/promises'
import { workContext } from '../hooks/work-context.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { currentTransactions, servedType, writeTransaction } from '../read/read-context.js'
import type { ReadContext, RequestServices } from '../read/read-context.js'
import type { ColumnValues, RowReference } from '../../declare/resource/capabilities/persister.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { Awaitable } from '../../core/util/types.js'
import type { BatchContext, CreateOperations } from './batch-context.js'
import {
  batchContext,
  CHUNK_SIZE,
  createdNodes,
  readResources,
  responsesTo,
  untilFirstFailure,
} from './batch-context.js'
import { conditionsFor, leaveToSteps, statementReferences } from './by-statement.js'
import type { SentIdentifier } from './document/sent-linkage.js'
import type { MemberOf } from './linkage/linkage-change.js'
import { findMembers } from './linkage/resolve-members.js'
import type { NewResource, StatementRow } from './new-resource.js'
import { statementRow } from './new-resource.js'
import { writeStrategies } from './write-strategy.js'

/** The result of creating resources together. */
export interface CreatedBatch {
  /** One for each resource that was created, from the first on. No other resource is written. */
  readonly responses: readonly ResponseValue[]
  /** The number of following operations that must run one by one. */
  readonly single: number
}

/** How rows of several resources reach the store. */
interface BatchWay {
  /** Why the way is not used; `null` if it is. */
  readonly reason: string | null
  /** Whether all resources are stored, or none. */
  readonly isWhole: boolean
  /** The relations whose members are found for all resources together. */
  readonly canFind: (relation: ServedRelation) => boolean
  /** Finds the members that resources name; `null` if that is not possible. */
  readonly membersOf: (resources: readonly NewResource[], batch: BatchContext) => Awaitable<FoundMembers | null>
  /** Returns `null` if the store cannot insert the rows together, or refuses one of them. */
  readonly insert: (rows: readonly StatementRow[], found: FoundMembers, batch: BatchContext) => Awaitable<Inserted>
}

interface FoundMembers {
  readonly memberOf: MemberOf
  readonly references: readonly RowReference[]
}

type Inserted = Parameters<typeof createdNodes>[1] | null

/**
 * Creates all resources of a batch by one statement without a transaction: about two thirds of the CPU time. If the batch
 * needs a transaction, or if anything is wrong with it, nothing is stored: the same batch in a transaction
 * (`createBatch()`) then finds out why, and reports it. Responses and errors are the same in both cases.
 */
export async function createBatchByStatement(
  creations: CreateOperations,
  services: RequestServices,
): Promise<CreatedBatch> {
  const isPossible = creations.count <= CHUNK_SIZE && currentTransactions() === null
  if (!isPossible) return { responses: [], single: creations.count }
  const served = servedType(services, creations.at(0).context)
  return createTogether(creations, byStatement(served), services)
}

/**
 * Creates resources by few statements, inside a transaction. A resource that cannot be created with the others, for any reason,
 * is left to be created by itself, which also reports what is wrong. Responses and errors are the same in both cases.
 */
export function createBatch(creations: CreateOperations, services: RequestServices): Promise<CreatedBatch> {
  return createTogether(creations, inTransaction(servedType(services, creations.at(0).context)), services)
}

/** Members are found by their ids: the statement checks that they exist. */
function byStatement(served: ServedType): BatchWay {
  const { acceptsScopes = false, autocommitMany } = served.shortcuts.create ?? noShortcuts
  const { createOnlyBatch, references: known } = writeStrategies(served)
  return {
    reason: createOnlyBatch.reason,
    isWhole: true,
    canFind: (relation) => known.has(relation),
    membersOf: (resources, { request: { context } }) =>
      statementReferences(
        served,
        resources.flatMap(({ changes }) => changes),
        { acceptsScopes, known, context },
      ),
    // An error means that it is unknown whether the rows were stored, such as after a lost connection: no second attempt.
    insert: async (rows, { references }, { request: { context } }) => {
      const conditions = conditionsFor(acceptsScopes, conditionsOf(rows), context)
      const write = { context, transaction: null, references, conditions, clientColumns: [] }
      return (await autocommitMany?.(served.type, rows.map(valuesOf), write)) ?? null
    },
  }
}

/** Members take one read for each relation. */
function inTransaction(served: ServedType): BatchWay {
  const { many } = served.shortcuts.create ?? noShortcuts
  return {
    reason: writeStrategies(served).createBatch.reason,
    isWhole: false,
    canFind: () => true,
    membersOf: (resources, { request }) => findAllMembers(resources, request).catch(leaveToSteps),
    insert: async (rows, _, { request: { context, services } }) => {
      const open = currentTransactions()
      const work = workContext(context, open, services)
      const transaction = writeTransaction(served, open)
      // The context of the work is another one: the rules would be evaluated again.
      const conditions = conditionsFor(false, conditionsOf(rows), context)
      const write = { transaction, context: work, relationships: [], conditions }
      try {
        return (await many?.(served.type, rows.map(valuesOf), write)) ?? null
      } catch (thrown) {
        return leaveToSteps(thrown)
      }
    },
  }
}

function valuesOf({ values }: StatementRow): ColumnValues {
  return values
}

/** The rows have the same conditions, but the values of some may show that they meet them. */
function conditionsOf(rows: readonly StatementRow[]): StatementRow['conditions'] {
  return rows.find(({ conditions }) => conditions.length > 0)?.conditions ?? []
}

const noShortcuts: {
  readonly acceptsScopes?: boolean
  readonly autocommitMany?: undefined
  readonly many?: undefined
} = Object.freeze({})

async function createTogether(
  creations: CreateOperations,
  way: BatchWay,
  services: RequestServices,
): Promise<CreatedBatch> {
  const nothing = { responses: [], single: creations.count }
  const served = servedType(services, creations.at(0).context)
  if (way.reason !== null) return nothing
  const shared = await batchContext(creations, served, services)
  if (shared === null) return nothing
  const batch = { ...shared, batchRelations: new Set([...shared.batchRelations].filter(way.canFind)) }
  return createInChunks(creations, way, batch)
}

async function createInChunks(creations: CreateOperations, way: BatchWay, batch: BatchContext): Promise<CreatedBatch> {
  const { count } = creations
  const responses: ResponseValue[] = []
  let prepared = prepare(creations, 0, { way, batch })
  for (let start = 0; start < count; start += CHUNK_SIZE) {
    const { rows, resources, found } = await prepared
    const isTooShort = rows.length < (way.isWhole ? count : 2)
    if (found === null || isTooShort) return { responses, single: 1 }
    const writing = insertAll(rows, found, { way, batch })
    // The next chunk is prepared while the store writes this one.
    prepared = prepareNext(creations, start + CHUNK_SIZE, { way, batch })
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
  readonly rows: readonly StatementRow[]
  /** The resources of the rows, and those after them. */
  readonly resources: readonly NewResource[]
  /** `null` if the members cannot be found. */
  readonly found: FoundMembers | null
}

interface Preparation {
  readonly way: BatchWay
  readonly batch: BatchContext
}

/** Returns the rows of a chunk, up to the first resource that is not valid, or whose members do not exist. */
async function prepare(creations: CreateOperations, start: number, { way, batch }: Preparation): Promise<PreparedRows> {
  const end = Math.min(start + CHUNK_SIZE, creations.count)
  const resources = await readResources(creations, start, end, batch)
  const found = await way.membersOf(resources, batch)
  if (found === null) return { rows: [], resources, found }
  const { memberOf } = found
  const rows = await untilFirstFailure(resources, (resource) => {
    const areFound = resource.changes.every(({ added }) => added.every((member) => memberOf(member) !== undefined))
    return areFound ? statementRow(resource, memberOf, batch.request) : null
  })
  return { rows, resources, found }
}

/** Prepares the next chunk after the insert of the previous chunk has started. */
async function prepareNext(
  creations: CreateOperations,
  start: number,
  preparation: Preparation,
): Promise<PreparedRows> {
  if (start >= creations.count) return { rows: [], resources: [], found: null }
  await soon()
  return prepare(creations, start, preparation)
}

async function findAllMembers(
  resources: readonly NewResource[],
  { context, open }: ReadContext,
): Promise<FoundMembers> {
  const added = new Map<ServedRelation, SentIdentifier[]>()
  for (const { changes } of resources) {
    for (const change of changes) {
      const known = added.get(change.relation)
      if (known === undefined) added.set(change.relation, [...change.added])
      else known.push(...change.added)
    }
  }
  const changes = Array.from(added, ([relation, identifiers]) => ({ relation, added: identifiers }))
  return { memberOf: await findMembers(changes, { context, open }), references: [] }
}

async function insertAll(
  rows: readonly StatementRow[],
  found: FoundMembers,
  { way, batch }: Preparation,
): Promise<readonly GraphNode[] | null> {
  const written = await way.insert(rows, found, batch)
  return written === null ? null : createdNodes(batch.served, written, rows.length)
}
