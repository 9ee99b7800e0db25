import { fail } from '../errors/json-api-error.js'
import type { Placing } from '../errors/placed-error.js'
import { placedAnswer, placedError } from '../errors/placed-error.js'
import { refuseListQuery } from '../handler/query/refuse-query.js'
import { inTransaction } from '../handler/steps/in-transaction.js'
import type { ExtensionCall } from '../operation/extension-call.js'
import type { ResponseValue } from '../operation/response-value.js'
import { noContentResponse, resultsResponse } from '../operation/response-value.js'
import type { ExtensionHost } from '../server/extension.js'
import { kindsOf } from './operation-kind.js'
import type { PlannedOperation } from './planned-operation.js'
import { planBatch } from './planned-operation.js'
import { readBatch } from './read-batch.js'
import { hrefResolver } from './resolve-href.js'
import { AnsweredError, runOperations } from './run-operations.js'

interface Surroundings {
  readonly host: ExtensionHost
  readonly maxOperations: number
}

/**
 * A batch from its document to its results: read, plan, run in one transaction. Every operation passes what it would pass
 * as a request of its own; the first that fails is the answer, and nothing of the batch stays.
 */
export async function runBatch(call: ExtensionCall, { host, maxOperations }: Surroundings): Promise<ResponseValue> {
  const { services, handler } = host
  const { context, profiles } = call
  if (handler === null) fail('ATOMIC_OPERATIONS_UNAVAILABLE')
  refuseListQuery(call.query)
  const resolveHref = hrefResolver(host, context)
  const kindOf = kindsOf(services, context)
  const limit = services.maxErrors
  const sent = readBatch(call.document, { maxOperations, limit, resolveHref, kindOf })
  const { operations, types } = planBatch(sent, kindOf, limit)

  let atWork: PlannedOperation | null = null
  const working = (operation: PlannedOperation | null): void => {
    atWork = operation
  }
  try {
    const run = async () => {
      const results = await runOperations(operations, { host, handler, profiles, working })
      // What goes wrong from here on goes wrong for all of them.
      working(null)
      return results
    }
    const results = await inTransaction(types, services, run)
    return results.every(({ kind }) => kind === 'noContent')
      ? noContentResponse()
      : resultsResponse('atomic:results', results)
  } catch (thrown) {
    return tellFailure(thrown, atWork)
  }
}

/** Whatever went wrong is told at the operation that was at work, where it was one. */
function tellFailure(thrown: unknown, operation: PlannedOperation | null): ResponseValue {
  if (operation === null) throw thrown
  const placing = placingIn(operation)
  if (!AnsweredError.is(thrown)) throw placedError(thrown, placing)
  return { kind: 'error', answer: placedAnswer(thrown.answer, placing) }
}

/** Pointers of an operation begin where it stands. What was named by a local id has no `id` to point at. */
function placingIn({ pointer, localIds: { uses } }: PlannedOperation): Placing {
  const locals = new Set(uses.map((use) => use.pointer))
  return (inner) => {
    const place = pointer + inner
    const local = place.replace(/\/id$/, '/lid')
    return locals.has(local) ? local : place
  }
}
