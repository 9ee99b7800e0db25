import type { ErrorAnswer } from '../errors/checked-answer.js'
import { fail } from '../errors/json-api-error.js'
import { createBatch } from '../write/create-batch.js'
import type { Handler } from '../handler/handler.js'
import type { Operation } from '../operation/operation.js'
import type { QueryParameters } from '../operation/query-parameters.js'
import type { ResponseValue, ResultValue } from '../operation/response-value.js'
import { idReader } from '../resource/reading/id-reader.js'
import type { RequestContext } from '../resource/request-context.js'
import { isPossibleId } from '../route/route-table.js'
import type { ExtensionHost } from '../build/declared/extension.js'
import { invariant } from '../util/invariant.js'
import { localIdKey } from './local-ids.js'
import type { PlannedOperation } from './plan-batch.js'
import { canResolveLocalIds, targetId, resolveLocalIds } from './resolve-local-ids.js'

/** One attempt to run a batch. After a conflict of transactions, a store may retry it. */
export interface BatchAttempt {
  readonly host: ExtensionHost
  readonly handler: Handler
  /** The query parameters of the batch that each operation gets. */
  readonly query: QueryParameters
  readonly profiles: readonly string[]
  /** Called with the operation that starts; with `null` if several run together. */
  readonly onOperation: (operation: PlannedOperation | null) => void
}

interface Progress extends BatchAttempt {
  readonly operations: readonly PlannedOperation[]
  /** The ids of added resources, by local id. */
  readonly ids: Map<string, string>
  /** The results so far, one per operation. */
  readonly results: ResultValue[]
}

/** Runs operations in their order. Consecutive additions of one type are created together if possible. */
export async function runOperations(
  operations: readonly PlannedOperation[],
  attempt: BatchAttempt,
): Promise<readonly ResultValue[]> {
  const progress: Progress = { ...attempt, operations, ids: new Map(), results: [] }
  const { results } = progress
  // Operations before `singleEnd` run one by one; operations before `end` may be created together.
  let [singleEnd, end] = [0, 0]
  while (results.length < operations.length) {
    const start = results.length
    if (start >= end) end = additionsFrom(start, progress)
    // A creation that cannot be batched with the others runs as a single operation, which reports its errors.
    if (start >= singleEnd && end - start > 1) singleEnd = start + (await addTogether(start, end, progress))
    else await runOne(operationAt(operations, start), progress)
  }
  return results
}

async function runOne(operation: PlannedOperation, progress: Progress): Promise<void> {
  progress.onOperation(operation)
  addResult(operation, await progress.handler(operationOf(operation, progress)), progress)
}

/** Creates resources together. Returns how many operations are done or must run one by one. */
async function addTogether(start: number, end: number, progress: Progress): Promise<number> {
  progress.onOperation(null)
  const { operations, host } = progress
  const creations = {
    count: end - start,
    at: (index: number) => creationOf(operationAt(operations, start + index), progress),
  }
  const { responses, single } = await createBatch(creations, host.services)
  for (const [index, response] of responses.entries()) {
    addResult(operationAt(operations, start + index), response, progress)
  }
  const handled = responses.length + single
  invariant(handled > 0, 'resources were neither created together nor left to be created one by one')
  return handled
}

/** Returns the end of a run of additions of one type. The run ends before an operation that needs the id of another. */
function additionsFrom(start: number, { operations, host, ids }: Progress): number {
  const first = operationAt(operations, start)
  // A user-defined handler is called for each operation.
  if (!host.isBuiltIn || first.kind !== 'CreateResource') return start + 1
  let end = start
  while (end < operations.length) {
    const next = operationAt(operations, end)
    if (next.context !== first.context || !canResolveLocalIds(next, ids)) break
    end += 1
  }
  return Math.max(end, start + 1)
}

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>

function creationOf(planned: PlannedOperation, { query, profiles, ids }: Progress): CreateResource {
  const { context } = planned
  const document = { data: resolveLocalIds(planned, ids) }
  return { kind: 'CreateResource', type: context.type, query, profiles, context, document }
}

/** Builds the operation like one of a single request, but only with the query parameters that operations get. */
function operationOf(planned: PlannedOperation, progress: Progress): Operation {
  const { kind, context, served, target } = planned
  if (kind === 'CreateResource') return creationOf(planned, progress)
  const { query, profiles, ids } = progress
  const id = targetId(planned, ids)
  invariant(id !== null, `the target of '${kind}' is a collection`)
  if (!isPossibleId(served.type, id)) fail('RESOURCE_NOT_FOUND')
  const common = { type: context.type, query, profiles, context, id }
  if (kind === 'DeleteResource') return { ...common, kind }
  const document = { data: resolveLocalIds(planned, ids) }
  if (kind === 'UpdateResource') return { ...common, kind, document }
  const { relationship } = target
  invariant(relationship !== null, `'${kind}' names no relationship`)
  // The result of a relationship operation has the linkage that it leads to.
  return { ...common, kind, document, relationship, returns: 'representation' }
}

/** Adds a response to the results, and stores the id of an added resource for its local id. */
function addResult({ localIds, context }: PlannedOperation, response: ResponseValue, { ids, results }: Progress): void {
  if (response.kind === 'error') throw new ErrorResponseError(response.answer)
  if (!isResult(response)) {
    throw new TypeError(`The handler returned '${response.kind}' for an operation of a batch, which is not a result.`)
  }
  if (response.status === 202) fail('ASYNC_WRITE_IN_ATOMIC_OPERATION')
  results.push(response)
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

/** Wraps an error response that a handler returned instead of throwing. Throwing it rolls back the batch. */
export class ErrorResponseError extends Error {
  // oxlint-disable-next-line no-unused-private-class-members -- `is` tests for it
  readonly #brand = true
  readonly response: ErrorAnswer

  constructor(answer: ErrorAnswer) {
    super('An operation of a batch returned an error response.')
    this.response = answer
  }

  /** Like `instanceof`, but safe for any value that user-defined code throws. */
  static is(thrown: unknown): thrown is ErrorResponseError {
    return typeof thrown === 'object' && thrown !== null && #brand in thrown
  }
}

function operationAt(operations: readonly PlannedOperation[], index: number): PlannedOperation {
  const operation = operations[index]
  invariant(operation !== undefined, 'the index is not that of an operation of the batch')
  return operation
}
