import { memoize } from '../util/memoize.js'
import type { RequestContext } from './request-context.js'

/**
 * The results of one request: a memoized function, its result, and so on. There are only a few, so that a search in a list is faster
 * than a map.
 */
type Results = unknown[]

type Operation = RequestContext['operation']

/**
 * The context of an operation. It stores the results of memoized functions, because a map with weak keys costs garbage collection
 * time for each request. The results are private: a copy of a context may have another caller, and may outlive the request.
 */
export class OperationContext implements RequestContext {
  readonly server: string
  readonly type: string
  readonly operation: Operation
  readonly caller: RequestContext['caller']
  readonly request: RequestContext['request']
  #results: Results | null = null

  constructor(type: string, operation: Operation, { server, caller, request }: SharedContext) {
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

/** The members that all operations of a request share. */
export type SharedContext = Pick<RequestContext, 'server' | 'caller' | 'request'>

/** The results for copies, and for contexts that an application creates. */
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
