import type { RequestContext } from './request-context.js'

/**
 * The results of one request: a key, its result, and so on. There are only a few, so that a search in a list is faster than a map.
 */
type Results = unknown[]

/** Identifies a result that is computed once for each request: an object of the build, compared by identity. */
export interface ResultKey<Result extends NonNullable<unknown> | null> {
  readonly resultOf?: (context: RequestContext) => Result
}

/** Creates a key for results. */
export function resultKey<Result extends NonNullable<unknown> | null>(): ResultKey<Result> {
  return {}
}

type Operation = RequestContext['operation']

/**
 * The context of an operation. It stores what is computed once for each request, because a map with weak keys costs garbage collection
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

  /** Returns the result that is stored for a request; `undefined` if there is none. It is dropped with the request. */
  static resultIn<Result extends NonNullable<unknown> | null>(
    context: RequestContext,
    key: ResultKey<Result>,
  ): Result | undefined {
    const results = #results in context ? context.#results : resultsElsewhere.get(context)
    if (results === null || results === undefined) return undefined
    for (let index = 0; index < results.length; index += 2) {
      if (results[index] === key) return results[index + 1] as Result
    }
    return undefined
  }

  /** Stores a result for a request, and returns it. */
  static storeIn<Result extends NonNullable<unknown> | null>(
    context: RequestContext,
    key: ResultKey<Result>,
    result: Result,
  ): Result {
    if (#results in context) (context.#results ??= []).push(key, result)
    else {
      const results = resultsElsewhere.get(context) ?? []
      resultsElsewhere.set(context, results)
      results.push(key, result)
    }
    return result
  }
}

/** The members that all operations of a request share. */
export type SharedContext = Pick<RequestContext, 'server' | 'caller' | 'request'>

/** The results for copies, and for contexts that an application creates. */
const resultsElsewhere = new WeakMap<RequestContext, Results>()
