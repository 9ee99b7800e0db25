import { parseMediaTypes, UPSERT_EXTENSION, uriList } from '../../core/document/media-type.js'
import type { ErrorReply } from '../../core/errors/checked-reply.js'
import { fail } from '../../core/errors/json-api-error.js'
import type { PointerMapper } from '../../core/errors/batch-operation-error.js'
import { withoutForeignSources } from '../../core/errors/dispatched-error.js'
import { mapReplyPointers, mapErrorPointers } from '../../core/errors/batch-operation-error.js'
import { refuseInclude, refuseLinkage, refuseListQuery } from '../../serve/read/plan/refuse-query.js'
import type { RollBack } from '../../serve/write/persist/in-transaction.js'
import { inTransaction } from '../../serve/write/persist/in-transaction.js'
import { invariant } from '../../core/util/invariant.js'
import type { ExtensionCall } from '../../serve/operation/extension-call.js'
import { noQuery } from '../../serve/operation/query-parameters.js'
import type { ResponseValue, ResultsValue, ResultValue } from '../../serve/operation/response-value.js'
import { noContentResponse, resultsResponse } from '../../serve/operation/response-value.js'
import type { ExtensionHost } from '../assembly/declared/extension.js'
import { spendBatch } from './batch-cost.js'
import { localIdPointer } from './local-ids.js'
import { typeOperationFinder } from './type-operation.js'
import type { PlannedOperation } from './plan-batch.js'
import { planBatch } from './plan-batch.js'
import { readBatch } from './read-batch.js'
import { hrefResolver } from './resolve-href.js'
import { runByStatement, runOperations } from './run-operations.js'
import { pauses } from '../../core/util/time-slices.js'

interface BatchOptions {
  readonly host: ExtensionHost
  readonly maxOperations: number
}

/**
 * Runs a batch, from its document to its results: read, plan, run in one transaction, or by one statement if that is
 * enough. Every operation goes through the same checks and hooks as a single request. If one fails, the transaction is
 * rolled back and the response has its errors.
 */
export async function runBatch(
  call: ExtensionCall,
  { host, maxOperations }: BatchOptions,
): Promise<ResponseValue | ResultsValue> {
  const { services, handler } = host
  const { context, profiles } = call
  if (handler === null) fail('ATOMIC_OPERATIONS_UNAVAILABLE')
  refuseListQuery(call.query)
  refuseInclude(call.query)
  refuseLinkage(call.query)
  const resolveHref = hrefResolver(host, context)
  const kindOf = typeOperationFinder(services, context)
  const limit = services.maxErrors
  const hasRelation = (type: string, name: string): boolean =>
    services.find(context.server, type)?.relations.has(name) === true
  const pause = pauses()
  // A batch of a program has no media type.
  const hasUpserts = (): boolean => context.request === null || namesUpserts(context.request.header('content-type'))
  const reading = { maxOperations, limit, resolveHref, findTypeOperation: kindOf, hasRelation, hasUpserts }
  const sent = readBatch(call.document, reading)
  await pause()
  const { operations, types } = planBatch(sent, kindOf, limit)
  await pause()

  // Each operation gets the custom query parameters of the batch, for user-defined code. The plans of an empty query are cached.
  const query = context.request?.query === '' ? call.query : { ...noQuery, custom: call.query.custom }
  await spendBatch({ operations, services, context, query, profiles })
  const shared = { host, handler, query, profiles }
  const byStatement = await runByStatement(operations, shared)
  if (byStatement !== null) return responseTo(byStatement)
  const [first] = operations
  invariant(first !== undefined, 'a batch has no operations')
  let failure: Failure | null = null
  const run = async (rollBack: RollBack<ResponseValue | ResultsValue>): Promise<ResponseValue | ResultsValue> => {
    let running: PlannedOperation | null = null
    const onOperation = (operation: PlannedOperation | null): void => {
      running = operation
    }
    const onError = (reply: ErrorReply): never =>
      rollBack({ kind: 'error', reply: running === null ? reply : mapReplyPointers(reply, pointerMapperOf(running)) })
    try {
      return responseTo(await runOperations(operations, shared, { onOperation, onError }))
    } catch (thrown) {
      failure = { thrown, operation: running }
      throw thrown
    }
  }
  const transaction = { services, context: first.context }
  try {
    return await inTransaction<ResponseValue | ResultsValue>(types, transaction, (_, rollBack) => run(rollBack))
  } catch (thrown) {
    throw failureWithPointers(thrown, failure)
  }
}

function namesUpserts(header = ''): boolean {
  return parseMediaTypes(header).some((mediaType) => uriList(mediaType, 'ext').includes(UPSERT_EXTENSION))
}

function responseTo(results: readonly ResultValue[]): ResponseValue | ResultsValue {
  return results.every(({ kind }) => kind === 'noContent')
    ? noContentResponse()
    : resultsResponse('atomic:results', results)
}

/** A value that was thrown while an operation ran. */
interface Failure {
  readonly thrown: unknown
  /** `null` if several operations ran together. */
  readonly operation: PlannedOperation | null
}

/** Adds the pointer of the failed operation to its errors. An error of the whole batch, such as a failed commit, has no pointer. */
function failureWithPointers(thrown: unknown, failure: Failure | null): unknown {
  const operation = failure?.thrown === thrown ? failure?.operation : null
  return operation ? mapErrorPointers(withoutForeignSources(thrown), pointerMapperOf(operation)) : thrown
}

/**
 * Prepends the pointer of the operation. An identifier with a local id has no `id`, so the pointer refers to its `lid`.
 */
function pointerMapperOf({ pointer, localIds: { uses } }: PlannedOperation): PointerMapper {
  const locals = new Set(uses.map((use) => localIdPointer(use, pointer)))
  return (inner) => {
    const full = pointer + inner
    const local = full.replace(/\/id$/, '/lid')
    return locals.has(local) ? local : full
  }
}
