import { memoize } from '../util/memoize.js'
import type { RequestContext } from './request-context.js'

/** The results of one request, by the functions that were memoized. */
type Results = Map<object, unknown>

const held: unique symbol = Symbol('results of the request')

interface HoldingContext {
  readonly [held]?: Results
}

/** For contexts that cannot hold their results. */
const resultsElsewhere = memoize((_context: RequestContext): Results => new Map())

/**
 * Returns the results of a request. The context holds them itself, since a map with weak keys takes the garbage collector some
 * time for each request. They are not enumerable: a copy of a context may have another caller, and may outlive the request.
 */
function resultsIn(context: RequestContext & HoldingContext): Results {
  const known = context[held]
  if (known !== undefined) return known
  if (!Object.isExtensible(context)) return resultsElsewhere(context)
  const results: Results = new Map()
  Object.defineProperty(context, held, { value: results })
  return results
}

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
