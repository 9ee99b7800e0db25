import type { ServerMiddleware, Service } from '../assembly/service.js'
import { isBodyStream } from '../../core/http/body-stream.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { Middleware, Next } from '../../declare/resource/request/middleware.js'
import type { QueryCharge } from '../../declare/resource/request/query-cost.js'
import { setCharges } from '../../declare/resource/request/request-costs.js'
import type { Caller } from '../../declare/resource/request/registered.js'
import { isOpen } from '../../serve/route/description-routes.js'
import type { Call, Serve } from './call.js'
import { errorResponse } from './error-response.js'

/** A request on its way through the middleware. */
interface MiddlewareRun {
  readonly request: HttpRequest
  readonly call: Call
  /** What middleware wants to take of the cost of the request; `null` if there is nothing. */
  charges: QueryCharge[] | null
}

/** A middleware with everything after it, for the caller that is known so far. */
type Stage = (run: MiddlewareRun, caller: Caller) => Promise<HttpResponse>

/**
 * Composes the middleware of a server in order, then the next step with the caller that it sets. Each one gets the caller of the previous
 * one, and the response of the next one: an error document if the next one has thrown.
 */
export function throughMiddleware(service: Service, { list }: ServerMiddleware, serve: Serve): Serve {
  const last: Stage = ({ request, call: { route, options, trace, waited }, charges }, caller) => {
    if (charges !== null) setCharges(request, charges)
    // Member by member: a spread before other members takes several times as long.
    return serve(request, { route, options, caller, trace, waited }).then(withOwnHeaders)
  }
  const first = list.reduceRight((next, middleware, position) => {
    return stageOf(service, { middleware, name: nameOf(middleware, position) }, next)
  }, last)
  return (request, call) => {
    if (call.route.kind === 'description' && isOpen(call.route)) return serve(request, call)
    call.trace?.enter('middleware')
    return first({ request, call, charges: null }, call.caller)
  }
}

/** A middleware, and what error messages call it. */
interface NamedMiddleware {
  readonly middleware: Middleware
  readonly name: string
}

function stageOf(service: Service, { middleware, name }: NamedMiddleware, after: Stage): Stage {
  return async (run, caller) => {
    const { request, call } = run
    const { route, options, trace } = call
    let rest: Promise<HttpResponse> | null = null
    let isCalledTwice = false
    const next: Next = (changes = {}) => {
      isCalledTwice = rest !== null
      if (changes.charge !== undefined && !isCalledTwice) (run.charges ??= []).push(changes.charge)
      return (rest ??= after(run, changes.caller === undefined ? caller : changes.caller))
    }
    try {
      const isCallerGiven = options.caller !== undefined
      const response: unknown = await middleware({ request, server: route.server.name, caller, isCallerGiven }, next)
      if (isCalledTwice) throw new Error(`next() was called twice by ${name}.`)
      if (isResponse(response)) return response
      throw new TypeError(`No response came from ${name}: it must return that of next(), or another one.`)
    } catch (thrown) {
      return errorResponse(service, request, { route, trace, thrown, negotiated: null })
    }
  }
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
  const isBody = body === null || typeof body === 'string' || body instanceof Uint8Array || isBodyStream(body)
  return Number.isInteger(status) && Array.isArray(headers) && isBody
}
