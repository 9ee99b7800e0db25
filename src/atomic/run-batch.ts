import type { ErrorAnswer } from '../errors/checked-answer.js'
import { fail } from '../errors/json-api-error.js'
import { placedAnswer, placedError, type Placing } from '../errors/placed-error.js'
import { createTogether } from '../handler/create-together.js'
import type { Handler } from '../handler/handler.js'
import { refuseListQuery } from '../handler/query/refuse-query.js'
import { inTransaction } from '../handler/steps/in-transaction.js'
import type { ExtensionCall } from '../operation/extension-call.js'
import type { Operation } from '../operation/operation.js'
import { noQuery } from '../operation/query-parameters.js'
import type { ResponseValue, ResultValue } from '../operation/response-value.js'
import { noContentResponse, resultsResponse } from '../operation/response-value.js'
import { idReader } from '../resource/reading/identifier.js'
import type { RequestContext } from '../resource/request-context.js'
import { isPossibleId } from '../route/route-table.js'
import type { ExtensionHost } from '../server/extension.js'
import { invariant } from '../util/invariant.js'
import { localName } from './local-ids.js'
import type { PlannedOperation } from './planned-operation.js'
import { planBatch } from './planned-operation.js'
import { readBatch } from './read-batch.js'
import { hrefResolver } from './resolve-href.js'
import type { KnownIds } from './with-ids.js'
import { knowsIds, targetId, withIds } from './with-ids.js'

interface Surroundings {
  readonly host: ExtensionHost
  readonly maxOperations: number
}

/**
 * A batch from its document to its results: read, plan, run in one transaction. Every operation passes what it would pass
 * as a request of its own; the first that fails is the answer, and nothing of the batch stays.
 */
export async function runBatch(call: ExtensionCall, { host, maxOperations }: Surroundings): Promise<ResponseValue> {
  const { services, handler, isBuiltIn } = host
  if (handler === null) fail('ATOMIC_OPERATIONS_UNAVAILABLE')
  refuseListQuery(call.query)
  const resolveHref = hrefResolver(host, call.context)
  const sent = readBatch(call.document, { maxOperations, limit: services.maxErrors, resolveHref })
  const { operations, types } = planBatch(sent, services, call.context)

  let failing: PlannedOperation | null = null
  const work = async (): Promise<readonly ResultValue[]> => {
    failing = null
    const run: Run = { call, host, handler, ids: new Map(), results: [], running: (operation) => (failing = operation) }
    return runAll(operations, run)
  }
  try {
    // Where a handler of the author's may go on after a failure, an operation needs a way back of its own.
    const results = await inTransaction(types, services, work, { failsAsOne: isBuiltIn })
    if (results.every(({ kind }) => kind === 'noContent')) return noContentResponse()
    return resultsResponse('atomic:results', results)
  } catch (thrown) {
    const placing = failing === null ? null : placingOf(failing)
    if (thrown instanceof Refused)
      return { kind: 'error', answer: placing === null ? thrown.answer : placedAnswer(thrown.answer, placing) }
    throw placing === null ? thrown : placedError(thrown, placing)
  }
}

/** One attempt to run a batch: a store may ask for another. */
interface Run {
  readonly call: ExtensionCall
  readonly host: ExtensionHost
  readonly handler: Handler
  readonly ids: KnownIds
  readonly results: ResultValue[]
  /** Is told which operation is at work; `null` while several are at once. */
  readonly running: (operation: PlannedOperation | null) => void
}

/** In their order. Resources of one type that are added one after the other go together where they can. */
async function runAll(operations: readonly PlannedOperation[], run: Run): Promise<readonly ResultValue[]> {
  const { results } = run
  // Up to here each goes alone.
  let alone = 0
  while (results.length < operations.length) {
    const next = results.length
    const together = next < alone ? [] : additionsFrom(operations, next, run)
    if (together.length > 1) {
      run.running(null)
      const written = await createTogether(
        together.map((each) => operationOf(each, run) as CreateResource),
        run.host.services,
      )
      for (const [index, response] of (written ?? []).entries()) settle(at(together, index), response, run)
      // What did not go with the others is told by itself what is wrong with it.
      alone = written === null ? next + together.length : results.length + 1
    } else {
      const operation = at(operations, next)
      run.running(operation)
      settle(operation, await run.handler(operationOf(operation, run)), run)
    }
  }
  return results
}

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>

/** Resources of one type that are added from a place on, none of which names another of them. */
function additionsFrom(
  operations: readonly PlannedOperation[],
  start: number,
  { host, ids }: Run,
): readonly PlannedOperation[] {
  const first = at(operations, start)
  // A handler of the author's is asked for each.
  if (!host.isBuiltIn || first.kind !== 'CreateResource') return []
  let end = start
  for (const each of operations.slice(start)) {
    if (each.context !== first.context || !knowsIds(each, ids)) break
    end += 1
  }
  return operations.slice(start, end)
}

/** As a request of its own would be: what a client asks of the batch, it does not ask of each. */
function operationOf(planned: PlannedOperation, { call, ids }: Run): Operation {
  const { kind, context, served, target } = planned
  const { type } = served.type
  const common = { type, query: noQuery, profiles: call.profiles, context }
  if (kind === 'CreateResource') return { ...common, kind, document: { data: withIds(planned, ids) } }
  const id = targetId(planned, ids) ?? ''
  if (!isPossibleId(served.type, id)) fail('RESOURCE_NOT_FOUND')
  if (kind === 'DeleteResource') return { ...common, kind, id }
  const document = { data: withIds(planned, ids) }
  if (kind === 'UpdateResource') return { ...common, kind, id, document }
  invariant(target.relationship !== null, 'an operation on a relationship names none')
  return { ...common, kind, id, document, relationship: target.relationship }
}

/** Takes an answer as the result of an operation, and learns the id of what it added. */
function settle(operation: PlannedOperation, response: ResponseValue, { ids, results }: Run): void {
  if (response.kind === 'error') throw new Refused(response.answer)
  if (response.kind === 'related' || response.kind === 'results') {
    throw new TypeError(`The handler answered an operation of a batch with '${response.kind}'.`)
  }
  if (response.status === 202) fail('ASYNC_WRITE_IN_ATOMIC_OPERATION')
  results.push(response)
  const { localIds, context } = operation
  const id = localIds.given === null ? null : idOf(response, context)
  if (localIds.given !== null && id !== null) ids.set(localName(localIds.given), id)
}

function idOf(response: ResultValue, context: RequestContext): string | null {
  if (response.kind !== 'data' && response.kind !== 'noContent') return null
  const node = response.kind === 'data' ? response.resources.primary[0] : response.written
  if (node === undefined) return null
  const { served, columns } = node.rows
  return idReader(served, columns)(node.row, context)
}

/** An error that was answered and not thrown: the batch is undone all the same. */
class Refused extends Error {
  readonly answer: ErrorAnswer

  constructor(answer: ErrorAnswer) {
    super('An operation of a batch was answered with an error.')
    this.answer = answer
  }
}

/** Pointers of an operation begin where it stands. What was named by a local id has no `id` to point at. */
function placingOf({ pointer: at, localIds: { uses } }: PlannedOperation): Placing {
  const locals = new Set(uses.map((use) => use.pointer))
  return (inner) => {
    const place = at + inner
    const local = place.replace(/\/id$/, '/lid')
    return locals.has(local) ? local : place
  }
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  invariant(item !== undefined, 'a batch has no such operation')
  return item
}
