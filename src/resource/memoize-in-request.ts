import { memoize } from '../util/memoize.js'
import type { RequestContext } from './request-context.js'

/**
 * The results of one request: a memoized function, its result, and so on. There are a few, which are found faster in a list than in
 * a map.
 */
type Results = unknown[]

type Operation = RequestContext['operation']

/**
 * The context of an operation. It holds the results of memoized functions itself, since a map with weak keys takes the garbage
 * collector some time for each request. They are private: a copy of a context may have another caller, and may outlive the
 * request.
 */
export class OperationContext implements RequestContext {
  readonly server: string
  readonly type: string
  readonly operation: Operation
  readonly caller: RequestContext['caller']
  readonly request: RequestContext['request']
  #results: Results | null = null

  constructor(type: string, operation: Operation, { server, caller, request }: SentBy) {
    this.server = server
    this.type = type
    this.operation = operation
    this.caller = caller
    this.request = request
  }

  static resultsIn(context: RequestContext): Results {
    return #results in context ? (context.#results ??= []) : resultsElsewhere(context)
  }
}

/** What all operations of a request share. */
export type SentBy = Pick<RequestContext, 'server' | 'caller' | 'request'>

/** For copies, and for the contexts of an application. */
const resultsElsewhere = memoize((_context: RequestContext): Results => [])

/** Memoizes a function of a request: it runs once for each request, and the result is dropped with the request. */
export function memoizeInRequest<Result extends NonNullable<unknown> | null>(
  compute: (context: RequestContext) => Result,
): (context: RequestContext) => Result {
  return (context) => {
    const results = OperationContext.resultsIn(context)
    for (let index = 0; index < results.length; index += 2) {
      if (results[index] === compute) return results[index + 1] as Result
    }
    const result = compute(context)
    results.push(compute, result)
    return result
  }
}
