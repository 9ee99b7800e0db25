import { fail } from '../errors/json-api-error.js'
import type { Placing } from '../errors/placed-error.js'
import { placedAnswer, placedError } from '../errors/placed-error.js'
import { refuseInclude, refuseListQuery } from '../read/query/refuse-query.js'
import { inTransaction } from '../write/persist/in-transaction.js'
import type { ExtensionCall } from '../operation/extension-call.js'
import { noQuery } from '../operation/query-parameters.js'
import type { ResponseValue, ResultsValue, ResultValue } from '../operation/response-value.js'
import { noContentResponse, resultsResponse } from '../operation/response-value.js'
import type { ExtensionHost } from '../build/declared/extension.js'
import { localIdPointer } from './local-ids.js'
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
export async function runBatch(
  call: ExtensionCall,
  { host, maxOperations }: Surroundings,
): Promise<ResponseValue | ResultsValue> {
  const { services, handler } = host
  const { context, profiles } = call
  if (handler === null) fail('ATOMIC_OPERATIONS_UNAVAILABLE')
  refuseListQuery(call.query)
  refuseInclude(call.query)
  const resolveHref = hrefResolver(host, context)
  const kindOf = kindsOf(services, context)
  const limit = services.maxErrors
  const hasRelation = (type: string, name: string): boolean =>
    services.find(context.server, type)?.relations.has(name) === true
  const sent = readBatch(call.document, { maxOperations, limit, resolveHref, kindOf, hasRelation })
  const { operations, types } = planBatch(sent, kindOf, limit)

  // Of the parameters, those of the application are for its own code, whichever operation that looks at.
  const query = { ...noQuery, custom: call.query.custom }
  let failure: Failure | null = null
  const run = async (): Promise<readonly ResultValue[]> => {
    let atWork: PlannedOperation | null = null
    const working = (operation: PlannedOperation | null): void => {
      atWork = operation
    }
    try {
      return await runOperations(operations, { host, handler, query, profiles, working })
    } catch (thrown) {
      failure = { thrown, operation: atWork }
      throw thrown
    }
  }
  try {
    const results = await inTransaction(types, services, run)
    return results.every(({ kind }) => kind === 'noContent')
      ? noContentResponse()
      : resultsResponse('atomic:results', results)
  } catch (thrown) {
    return tellFailure(thrown, failure)
  }
}

/** What was thrown while an operation was at work; `null` for several of them. */
interface Failure {
  readonly thrown: unknown
  readonly operation: PlannedOperation | null
}

/** What went wrong with one operation is told there. What a store says of all of them has no place. */
function tellFailure(thrown: unknown, failure: Failure | null): ResponseValue {
  const operation = failure?.thrown === thrown ? failure?.operation : null
  if (!operation) throw thrown
  const placing = placingIn(operation)
  if (!AnsweredError.is(thrown)) throw placedError(thrown, placing)
  return { kind: 'error', answer: placedAnswer(thrown.answer, placing) }
}

/** Pointers of an operation begin where it stands. What was named by a local id has no `id` to point at. */
function placingIn({ pointer, localIds: { uses } }: PlannedOperation): Placing {
  const locals = new Set(uses.map((use) => localIdPointer(use, pointer)))
  return (inner) => {
    const place = pointer + inner
    const local = place.replace(/\/id$/, '/lid')
    return locals.has(local) ? local : place
  }
}
