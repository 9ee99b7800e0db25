import type { ErrorAnswer } from '../errors/checked-answer.js'
import { fail } from '../errors/json-api-error.js'
import { createTogether } from '../write/create-together.js'
import type { Handler } from '../handler/handler.js'
import type { Operation } from '../operation/operation.js'
import type { QueryParameters } from '../operation/query-parameters.js'
import type { ResponseValue, ResultValue } from '../operation/response-value.js'
import { idReader } from '../resource/reading/identifier.js'
import type { RequestContext } from '../resource/request-context.js'
import { isPossibleId } from '../route/route-table.js'
import type { ExtensionHost } from '../build/declared/extension.js'
import { invariant } from '../util/invariant.js'
import { localName } from './local-ids.js'
import type { PlannedOperation } from './planned-operation.js'
import { knowsIds, targetId, withIds } from './with-ids.js'

/** One attempt to run a batch: a store may ask for another. */
export interface Attempt {
  readonly host: ExtensionHost
  readonly handler: Handler
  /** What of the batch's query is each operation's too. */
  readonly query: QueryParameters
  readonly profiles: readonly string[]
  /** Is told which operation is at work; `null` while several are at once. */
  readonly working: (operation: PlannedOperation | null) => void
}

interface Progress extends Attempt {
  readonly operations: readonly PlannedOperation[]
  /** Of what was added, by what the batch calls it. */
  readonly ids: Map<string, string>
  /** Of the operations so far. */
  readonly results: ResultValue[]
}

/** In their order. Resources of one type that are added one after the other go together where they can. */
export async function runOperations(
  operations: readonly PlannedOperation[],
  attempt: Attempt,
): Promise<readonly ResultValue[]> {
  const progress: Progress = { ...attempt, operations, ids: new Map(), results: [] }
  const { results } = progress
  // Those before the one go by themselves; those before the other may go together.
  let [alone, end] = [0, 0]
  while (results.length < operations.length) {
    const start = results.length
    if (start >= end) end = additionsFrom(start, progress)
    // What does not go with the others is told by itself what is wrong with it.
    if (start >= alone && end - start > 1) alone = start + (await addTogether(start, end, progress))
    else await runOne(operationAt(operations, start), progress)
  }
  return results
}

async function runOne(operation: PlannedOperation, progress: Progress): Promise<void> {
  progress.working(operation)
  settle(operation, await progress.handler(operationOf(operation, progress)), progress)
}

/** Answers how many are settled, or go by themselves. */
async function addTogether(start: number, end: number, progress: Progress): Promise<number> {
  progress.working(null)
  const { operations, host } = progress
  const creations = {
    count: end - start,
    at: (index: number) => creationOf(operationAt(operations, start + index), progress),
  }
  const { answers, alone } = await createTogether(creations, host.services)
  for (const [index, answer] of answers.entries()) settle(operationAt(operations, start + index), answer, progress)
  const settled = answers.length + alone
  invariant(settled > 0, 'resources were neither created together nor left to be created alone')
  return settled
}

/** Up to where resources of one type are added from a place on, none of which names another of them. */
function additionsFrom(start: number, { operations, host, ids }: Progress): number {
  const first = operationAt(operations, start)
  // A handler of the author's is asked for each.
  if (!host.isBuiltIn || first.kind !== 'CreateResource') return start + 1
  let end = start
  while (end < operations.length) {
    const next = operationAt(operations, end)
    if (next.context !== first.context || !knowsIds(next, ids)) break
    end += 1
  }
  return Math.max(end, start + 1)
}

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>

function creationOf(planned: PlannedOperation, { query, profiles, ids }: Progress): CreateResource {
  const { context } = planned
  const document = { data: withIds(planned, ids) }
  return { kind: 'CreateResource', type: context.type, query, profiles, context, document }
}

/** As a request of its own would be: what a client asks of the batch, it does not ask of each. */
function operationOf(planned: PlannedOperation, progress: Progress): Operation {
  const { kind, context, served, target } = planned
  if (kind === 'CreateResource') return creationOf(planned, progress)
  const { query, profiles, ids } = progress
  const id = targetId(planned, ids)
  invariant(id !== null, `the target of '${kind}' is a collection`)
  if (!isPossibleId(served.type, id)) fail('RESOURCE_NOT_FOUND')
  const common = { type: context.type, query, profiles, context, id }
  if (kind === 'DeleteResource') return { ...common, kind }
  const document = { data: withIds(planned, ids) }
  if (kind === 'UpdateResource') return { ...common, kind, document }
  const { relationship } = target
  invariant(relationship !== null, `'${kind}' names no relationship`)
  return { ...common, kind, document, relationship }
}

/** Takes an answer as the result of an operation, and learns the id of what it added. */
function settle({ localIds, context }: PlannedOperation, answer: ResponseValue, { ids, results }: Progress): void {
  if (answer.kind === 'error') throw new AnsweredError(answer.answer)
  if (!isResult(answer)) throw new TypeError(`The handler answered an operation of a batch with '${answer.kind}'.`)
  if (answer.status === 202) fail('ASYNC_WRITE_IN_ATOMIC_OPERATION')
  results.push(answer)
  const { given } = localIds
  const id = given === null ? null : idIn(answer, context)
  if (given !== null && id !== null) ids.set(localName(given), id)
}

const resultKinds: readonly string[] = Object.freeze(['data', 'identifier', 'meta', 'noContent'])

function isResult(answer: ResponseValue): answer is ResultValue {
  return resultKinds.includes(answer.kind)
}

/** The id of the resource that an answer is of; a handler of the author's may have answered otherwise. */
function idIn(answer: ResultValue, context: RequestContext): string | null {
  if (answer.kind !== 'data' && answer.kind !== 'noContent') return null
  const node = answer.kind === 'data' ? answer.resources.primary[0] : answer.written
  if (node === undefined) return null
  const { served, columns } = node.rows
  return idReader(served, columns)(node.row, context)
}

/** An error that was answered and not thrown: the batch is undone all the same. */
export class AnsweredError extends Error {
  // oxlint-disable-next-line no-unused-private-class-members -- `is` looks for it
  readonly #brand = true
  readonly answer: ErrorAnswer

  constructor(answer: ErrorAnswer) {
    super('An operation of a batch was answered with an error.')
    this.answer = answer
  }

  /** Like `instanceof`; what an author's code throws may be anything. */
  static is(thrown: unknown): thrown is AnsweredError {
    return typeof thrown === 'object' && thrown !== null && #brand in thrown
  }
}

function operationAt(operations: readonly PlannedOperation[], index: number): PlannedOperation {
  const operation = operations[index]
  invariant(operation !== undefined, 'a batch has no such operation')
  return operation
}
