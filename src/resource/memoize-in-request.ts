import { memoize } from '../util/memoize.js'
import type { RequestContext } from './request-context.js'

/** The results of one request. A single map for all functions, since garbage collection of weak keys takes time. */
const resultsIn = memoize((_context: RequestContext) => new Map<object, unknown>())

/** Memoizes a function of a request: it runs once for each request, and the result is dropped with the request. */
export function memoizeInRequest<Result>(
  compute: (context: RequestContext) => Result,
): (context: RequestContext) => Result {
  return (context) => {
    const results = resultsIn(context)
    const known = results.get(compute)
    if (known !== undefined) return known as Result
    const result = compute(context)
    results.set(compute, result)
    return result
  }
}
