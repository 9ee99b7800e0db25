import type { ErrorReply } from '../../core/errors/checked-reply.js'
import { fail } from '../../core/errors/json-api-error.js'
import { currentTrace, type TracedStep } from '../../core/http/request-trace.js'
import type { CreateOperations } from '../../serve/write/batch-context.js'
import { createBatch, createBatchByStatement } from '../../serve/write/create-batch.js'
import type { Handler } from '../../serve/handler/handler.js'
import type { Operation } from '../../serve/operation/operation.js'
import type { QueryParameters } from '../../serve/operation/query-parameters.js'
import type { ResponseValue, ResultValue } from '../../serve/operation/response-value.js'
import { idReader } from '../../declare/resource/reading/row-linkage.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { isPossibleId } from '../../serve/route/route-table.js'
import type { ExtensionHost } from '../assembly/declared/extension.js'
import { invariant } from '../../core/util/invariant.js'
import type { LocalId } from './local-ids.js'
import { localIdKey, localIdOf } from './local-ids.js'
import type { PlannedOperation } from './plan-batch.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { JsonMembers } from '../../core/util/types.js'
import { pauses } from '../../core/util/time-slices.js'
import { versionMatch } from './sent-version.js'
import { upsertResource } from './upsert-resource.js'

/** What the operations of a batch share. */
export interface SharedRequest {
  readonly host: ExtensionHost
  readonly handler: Handler
  /** The query parameters of the batch that each operation gets. */
  readonly query: QueryParameters
  readonly profiles: readonly string[]
}

/** One attempt to run a batch. After a conflict of transactions, a store may retry it. */
export interface BatchAttempt {
  /** Called with the operation that starts; with `null` if several run together. */
  readonly onOperation: (operation: PlannedOperation | null) => void
  /** Called with an error response that a handler returned instead of throwing. It ends the batch. */
  readonly onError: (reply: ErrorReply) => never
}

interface Progress extends BatchAttempt {
  readonly shared: SharedRequest
  readonly operations: readonly PlannedOperation[]
  /** The ids of added resources, by local id. */
  readonly ids: Map<string, string>
  /** The results so far, one per operation. */
  readonly results: ResultValue[]
  /** The last operation on each relationship. */
  readonly lastWrites: ReadonlySet<PlannedOperation>
  /** The number of identifiers in the linkage of the results so far. */
  identifiers: number
}

/** Runs operations in their order. Consecutive additions of one type are created together if possible. */
export async function runOperations(
  operations: readonly PlannedOperation[],
  shared: SharedRequest,
  { onOperation, onError }: BatchAttempt,
): Promise<readonly ResultValue[]> {
  const results: ResultValue[] = []
  const lastWrites = lastRelationshipWrites(operations)
  const ids = new Map<string, string>()
  const progress: Progress = { shared, onOperation, onError, operations, ids, results, lastWrites, identifiers: 0 }
  // Operations before `singleEnd` run one by one; operations before `end` may be created together.
  let [singleEnd, end] = [0, 0]
  const pause = pauses()
  while (results.length < operations.length) {
    const start = results.length
    if (start >= end) end = additionsFrom(start, progress)
    // A creation that cannot be batched with the others runs as a single operation, which reports its errors.
    if (start >= singleEnd && end - start > 1) singleEnd = start + (await addTogether(start, end, progress))
    else await runOne(operationAt(operations, start), progress)
    await pause()
  }
  return results
}

/** Returns the last operation of a batch on each relationship. Its result shows the relationship after the batch. */
function lastRelationshipWrites(operations: readonly PlannedOperation[]): ReadonlySet<PlannedOperation> {
  const last = new Map<string, PlannedOperation>()
  for (const operation of operations) {
    const { type, id, lid, relationship } = operation.target
    if (relationship !== null) last.set(JSON.stringify([type, id, lid, relationship]), operation)
  }
  return new Set(last.values())
}

/**
 * Runs a batch without a transaction, if it only creates resources of one type and one statement can do that. Otherwise,
 * or if the batch has errors, nothing is stored, it returns `null`, and the batch has to run in a transaction.
 */
export async function runByStatement(
  operations: readonly PlannedOperation[],
  shared: SharedRequest,
): Promise<readonly ResultValue[] | null> {
  const { length } = operations
  const results: ResultValue[] = []
  const [ids, lastWrites] = [new Map<string, string>(), new Set<PlannedOperation>()]
  const progress: Progress = {
    shared,
    onOperation: noop,
    onError: unexpected,
    operations,
    ids,
    results,
    lastWrites,
    identifiers: 0,
  }
  if (length < 2 || additionsFrom(0, progress) < length) return null
  const { services } = shared.host
  const { responses } = await traced({ operation: operationAt(operations, 0), position: 0, count: length }, () =>
    createBatchByStatement(creationsIn(0, length, progress), services),
  )
  if (responses.length < length) return null
  for (const [index, response] of responses.entries()) addResult(operationAt(operations, index), response, progress)
  return results
}

function noop(): void {}

function unexpected(): never {
  invariant(false, 'resources were created by one statement, and the response is an error')
}

async function runOne(operation: PlannedOperation, progress: Progress): Promise<void> {
  progress.onOperation(operation)
  const { shared } = progress
  const handle = (): Promise<ResponseValue> =>
    operation.upsertBy === null
      ? shared.handler(operationOf(operation, progress))
      : upsertResource(creationOf(operation, progress), operation, shared)
  addResult(operation, await traced({ operation, position: progress.results.length, count: 1 }, handle), progress)
}

interface OperationStep extends Omit<TracedStep, 'name'> {
  /** The first of the operations. All are of the same kind and type. */
  readonly operation: PlannedOperation
}

/** Runs operations as a step of the trace of the request, if there is one. */
function traced<Result>({ operation, ...step }: OperationStep, work: () => Promise<Result>): Promise<Result> {
  const trace = currentTrace()
  if (trace === null) return work()
  const { kind, context } = operation
  return trace.step({ name: `${kind} ${context.type}`, ...step }, work)
}

/** Creates resources together. Returns how many operations are done or must run one by one. */
async function addTogether(start: number, end: number, progress: Progress): Promise<number> {
  progress.onOperation(null)
  const { operations, shared } = progress
  const { responses, single } = await traced(
    { operation: operationAt(operations, start), position: start, count: end - start },
    () => createBatch(creationsIn(start, end, progress), shared.host.services),
  )
  for (const [index, response] of responses.entries()) {
    addResult(operationAt(operations, start + index), response, progress)
  }
  const handled = responses.length + single
  invariant(handled > 0, 'resources were neither created together nor left to be created one by one')
  return handled
}

function creationsIn(start: number, end: number, progress: Progress): CreateOperations {
  const { operations } = progress
  return { count: end - start, at: (index) => creationOf(operationAt(operations, start + index), progress) }
}

/** Returns the end of a run of additions of one type. The run ends before an operation that needs the id of another. */
function additionsFrom(start: number, { operations, shared: { host }, ids }: Progress): number {
  const first = operationAt(operations, start)
  // A user-defined handler is called for each operation.
  if (!host.isBuiltIn || first.kind !== 'CreateResource' || first.upsertBy !== null) return start + 1
  let end = start
  while (end < operations.length) {
    const next = operationAt(operations, end)
    if (next.context !== first.context || next.upsertBy !== null || !canResolveLocalIds(next, ids)) break
    end += 1
  }
  return Math.max(end, start + 1)
}

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>

function creationOf(planned: PlannedOperation, { shared: { query, profiles }, ids }: Progress): CreateResource {
  const { context } = planned
  const document = { data: resolveLocalIds(planned, ids) }
  return { kind: 'CreateResource', type: context.type, query, profiles, context, document }
}

/** Builds the operation like one of a single request, but only with the query parameters that operations get. */
function operationOf(planned: PlannedOperation, progress: Progress): Operation {
  const { kind, context, served, target } = planned
  if (kind === 'CreateResource') return creationOf(planned, progress)
  const { ids } = progress
  const { query, profiles } = progress.shared
  const id = targetId(planned, ids)
  invariant(id !== null, `the target of '${kind}' is a collection`)
  if (!isPossibleId(served.type, id)) fail('RESOURCE_NOT_FOUND')
  const ifMatch = versionMatch(served, planned.version, context)
  const common = { type: context.type, query, profiles, context, id, ifMatch }
  if (kind === 'DeleteResource') return { ...common, kind }
  const document = { data: resolveLocalIds(planned, ids) }
  if (kind === 'UpdateResource') return { ...common, kind, document }
  const { relationship } = target
  invariant(relationship !== null, `'${kind}' names no relationship`)
  return {
    ...common,
    kind,
    document,
    relationship,
    returns: showsLinkage(planned, progress) ? 'representation' : 'minimal',
  }
}

/**
 * Whether the result of a relationship operation has the resulting linkage. Beyond the limit of identifiers, only
 * the last operation on each relationship has it: the results of a thousand additions to one relationship would repeat
 * its members a thousand times.
 */
function showsLinkage(planned: PlannedOperation, { lastWrites, identifiers, shared: { host } }: Progress): boolean {
  return identifiers < host.services.maxLinkage || lastWrites.has(planned)
}

/** Adds a response to the results, and stores the id of an added resource for its local id. */
function addResult({ localIds, context }: PlannedOperation, response: ResponseValue, progress: Progress): void {
  const { ids, results } = progress
  if (response.kind === 'error') return progress.onError(response.reply)
  if (!isResult(response)) {
    throw new TypeError(`The handler returned '${response.kind}' for an operation of a batch, which is not a result.`)
  }
  if (response.status === 202) fail('ASYNC_WRITE_IN_ATOMIC_OPERATION')
  results.push(response)
  if (response.kind === 'identifier' && Array.isArray(response.data)) progress.identifiers += response.data.length
  const { added: given } = localIds
  const id = given === null ? null : idIn(response, context)
  if (given !== null && id !== null) ids.set(localIdKey(given), id)
}

const resultKinds: readonly string[] = Object.freeze(['data', 'identifier', 'meta', 'noContent'])

function isResult(response: ResponseValue): response is ResultValue {
  return resultKinds.includes(response.kind)
}

/** Returns the id of the resource in a response; `null` if a user-defined handler returned no resource. */
function idIn(response: ResultValue, context: RequestContext): string | null {
  if (response.kind !== 'data' && response.kind !== 'noContent') return null
  const node = response.kind === 'data' ? response.resources.primary[0] : response.written
  if (node === undefined) return null
  const { served, columns } = node.rows
  return idReader(served, columns)(node.row, context)
}

function operationAt(operations: readonly PlannedOperation[], index: number): PlannedOperation {
  const operation = operations[index]
  invariant(operation !== undefined, 'the index is not that of an operation of the batch')
  return operation
}

/** The ids of the resources that were added so far, by local id. */
type KnownIds = ReadonlyMap<string, string>

/** Returns whether the ids for all local ids of an operation are known, so that it can run. */
function canResolveLocalIds({ localIds }: PlannedOperation, ids: KnownIds): boolean {
  return localIds.uses.every((use) => ids.has(localIdKey(use)))
}

/** Returns the data of an operation like that of a single request: each local id is replaced by its id. */
function resolveLocalIds({ kind, served, data, localIds }: PlannedOperation, ids: KnownIds): unknown {
  if (localIds.uses.length === 0 && localIds.added === null && !hasLocalId(data)) return data
  const resolve = (identifier: unknown): unknown => (isPlainObject(identifier) ? resolved(identifier, ids) : identifier)
  if (kind !== 'CreateResource' && kind !== 'UpdateResource') {
    return Array.isArray(data) ? data.map(resolve) : resolve(data)
  }
  if (!isPlainObject(data)) return data
  const { lid: _, ...resource } = kind === 'UpdateResource' ? resolved(data, ids) : data
  if (!isPlainObject(data['relationships'])) return resource
  const relationships = Object.entries(data['relationships']).map(([name, relationship]) => {
    const isLinkage = served.relations.has(name) && isPlainObject(relationship) && Object.hasOwn(relationship, 'data')
    if (!isLinkage) return [name, relationship]
    const { data: linkage } = relationship
    return [name, { ...relationship, data: Array.isArray(linkage) ? linkage.map(resolve) : resolve(linkage) }]
  })
  return { ...resource, relationships: Object.fromEntries(relationships) as unknown }
}

/** Returns the id of the target resource of an operation; `null` for a collection. */
function targetId({ target: { type, id, lid } }: PlannedOperation, ids: KnownIds): string | null {
  return lid === null ? id : idOf({ type, lid }, ids)
}

function resolved(identifier: JsonMembers, ids: KnownIds): JsonMembers {
  const { lid: _, ...rest } = identifier
  const lid = localIdOf(identifier)
  const { type, id } = identifier
  if (lid === null || id !== undefined || typeof type !== 'string') return rest
  return { ...rest, id: idOf({ type, lid }, ids) }
}

/** Returns the id for a local id. Fails if a user-defined handler returned no resource with an id. */
function idOf(localId: Pick<LocalId, 'type' | 'lid'>, ids: KnownIds): string {
  return ids.get(localIdKey(localId)) ?? fail('LOCAL_ID_NOT_FOUND', localId)
}

function hasLocalId(data: unknown): boolean {
  return isPlainObject(data) && Object.hasOwn(data, 'lid')
}
