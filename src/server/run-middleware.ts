import type { ServerMiddleware, Service } from '../build/service.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { Middleware, Next } from '../resource/middleware.js'
import type { QueryCharge } from '../resource/query-cost.js'
import { setCharges } from '../resource/request-costs.js'
import type { Caller } from '../resource/capabilities/registered.js'
import { isOpen } from '../route/description-routes.js'
import type { Call, Serve } from './call.js'
import { errorResponse } from './error-response.js'

/**
 * Runs the middleware of a server in order, then the next step with the caller that it sets. Each one gets the caller of the previous
 * one, and the response of the next one: an error document if the next one has thrown.
 */
export function throughMiddleware(service: Service, { list }: ServerMiddleware, serve: Serve): Serve {
  return (request, call) => {
    if (isOpen(call.route)) return serve(request, call)
    call.trace?.enter('middleware')
    return runMiddleware(list, { service, request, call, serve })
  }
}

interface MiddlewareRun {
  readonly service: Service
  readonly request: HttpRequest
  readonly call: Call
  readonly serve: Serve
}

function runMiddleware(
  list: readonly Middleware[],
  { service, request, call: given, serve }: MiddlewareRun,
): Promise<HttpResponse> {
  const { route, options, trace } = given
  const server = route.server.name
  const isCallerGiven = options.caller !== undefined
  const charges: QueryCharge[] = []
  const run = (position: number, caller: Caller): Promise<HttpResponse> => {
    const middleware = list[position]
    if (middleware !== undefined) return call(middleware, position, caller)
    if (charges.length > 0) setCharges(request, charges)
    return serve(request, { ...given, caller }).then(withOwnHeaders)
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
      return errorResponse(service, request, { route, trace, thrown, negotiated: null })
    }
  }
  return run(0, given.caller)
}

/** Responses share their list of headers. A middleware may change its own. */
function withOwnHeaders({ status, headers, body }: HttpResponse): HttpResponse {
  return { status, headers: headers.slice(), body }
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
