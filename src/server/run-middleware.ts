import type { ServerMiddleware } from '../build/service.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { Middleware, Next } from '../resource/middleware.js'
import type { QueryCharge } from '../resource/query-cost.js'
import { setCharges } from '../resource/request-costs.js'
import type { HandleOptions } from './handle-options.js'
import { hasHeader } from './with-type-headers.js'
import type { Caller } from '../resource/capabilities/registered.js'

/** The route behind the middleware of a server. */
interface MiddlewareTarget {
  readonly request: HttpRequest
  readonly server: string
  /** The caller that the application has named; `undefined` if middleware has to authenticate it. */
  readonly givenCaller: HandleOptions['caller']
  /** Runs the route with the caller of the last middleware. It never rejects. */
  readonly serve: (caller: Caller) => Promise<HttpResponse>
  /** Returns the error document of an error that a middleware has thrown. */
  readonly failed: (thrown: unknown) => HttpResponse
}

/**
 * Runs the middleware of a server in order. Each one gets the caller of the previous one, and the response of the next one:
 * an error document if the next one has thrown. It never rejects.
 */
export function runMiddleware(
  list: readonly Middleware[],
  { request, server, givenCaller, serve, failed }: MiddlewareTarget,
): Promise<HttpResponse> {
  const isCallerGiven = givenCaller !== undefined
  const charges: QueryCharge[] = []
  const run = (position: number, caller: Caller): Promise<HttpResponse> => {
    const middleware = list[position]
    if (middleware !== undefined) return call(middleware, position, caller)
    if (charges.length > 0) setCharges(request, charges)
    return serve(caller).then(withOwnHeaders)
  }
  const call = async (middleware: Middleware, position: number, caller: Caller): Promise<HttpResponse> => {
    let rest: Promise<HttpResponse> | null = null
    let isCalledTwice = false
    const next: Next = (changes = {}) => {
      isCalledTwice = rest !== null
      if (changes.charge !== undefined && !isCalledTwice) charges.push(changes.charge)
      return (rest ??= run(position + 1, changes.caller === undefined ? caller : changes.caller))
    }
    try {
      const response: unknown = await middleware({ request, server, caller, isCallerGiven }, next)
      if (isCalledTwice) throw new Error(`next() was called twice by ${nameOf(middleware, position)}.`)
      if (isResponse(response)) return response
      throw new TypeError(
        `No response came from ${nameOf(middleware, position)}: it must return that of next(), or another one.`,
      )
    } catch (thrown) {
      return failed(thrown)
    }
  }
  return run(0, isCallerGiven ? givenCaller : null)
}

/** Responses share their list of headers. A middleware may change its own. */
function withOwnHeaders({ status, headers, body }: HttpResponse): HttpResponse {
  return { status, headers: headers.slice(), body }
}

/** Adds the challenge to a 401 response that has none: https://httpwg.org/specs/rfc9110.html#status.401 */
export function withChallenge(response: HttpResponse, { challenge }: ServerMiddleware): HttpResponse {
  if (response.status !== 401 || challenge === null || hasHeader(response.headers, 'WWW-Authenticate')) return response
  return { ...response, headers: [...response.headers, 'WWW-Authenticate', challenge] }
}

function nameOf({ name }: Middleware, position: number): string {
  return name === '' ? `the middleware at position ${position}` : `the middleware '${name}'`
}

function isResponse(value: unknown): value is HttpResponse {
  if (typeof value !== 'object' || value === null) return false
  const { status, headers, body }: Partial<Record<keyof HttpResponse, unknown>> = value
  const isBody = body === null || typeof body === 'string' || body instanceof Uint8Array
  return Number.isInteger(status) && Array.isArray(headers) && isBody
}
