import type { ServedCors } from '../build/serve-cors.js'
import type { ServedOverload } from '../build/serve-overload.js'
import type { Service } from '../build/service.js'
import { withoutForeignSources } from '../errors/dispatched-error.js'
import { errorReply } from '../errors/error-reply.js'
import type { CompiledErrorSettings } from '../errors/error-settings.js'
import type { Refusal } from '../http/admission.js'
import type { RequestTrace } from '../http/request-trace.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { Negotiated } from '../negotiate/accept.js'
import { renderError } from '../render/render-response.js'
import type { ServedRoute } from '../route/route-table.js'
import { withCors } from './cors.js'
import { withQueryCost } from './query-cost-header.js'
import { extensionOfRoute, renderingFor } from './rendering-for.js'
import { withChallenge } from './run-middleware.js'
import { withCallerHeaders } from './with-caller-headers.js'
import { withTypeHeaders } from './with-type-headers.js'

/** Returns the error document of a request that has failed before the middleware. */
export function failedInFront(
  service: Service,
  request: HttpRequest,
  route: ServedRoute,
  thrown: unknown,
): HttpResponse {
  const own = service.forServer(route.server.name)
  return withOrigin(own, request, route, failedInMiddleware(own, request, route, thrown))
}

/** Returns the error document with the headers that the middleware adds. */
function failedInMiddleware(own: Service, request: HttpRequest, route: ServedRoute, thrown: unknown): HttpResponse {
  const failed = errorResponse(own, request, { route, thrown, negotiated: null, settings: own.errorsInFront })
  const middleware = own.middleware.get(route.server.name)
  const challenging = middleware === undefined ? failed : withChallenge(failed, middleware)
  return withCallerHeaders(challenging, own.callerHeaders.of(route))
}

/** Lets pages of other origins read a response that was not created by a route. */
function withOrigin(own: Service, request: HttpRequest, route: ServedRoute, response: HttpResponse): HttpResponse {
  const cors = own.cors.get(route.server.name)
  return cors === undefined ? response : withCors(cors, originOf(cors, request), response)
}

/** Returns the allowed origin of a request that has failed; `null` if the function of the application fails, too. */
function originOf(cors: ServedCors, request: HttpRequest): string | null {
  try {
    return cors.allowedOrigin(request.header('origin'))
  } catch {
    return null
  }
}

/** Returns the response to a request that is refused. It must be cheap, so that more requests can be served. */
export function refusedResponse(
  service: Service,
  request: HttpRequest,
  route: ServedRoute,
  { overload: { errors, responses }, reason }: { readonly overload: ServedOverload; readonly reason: Refusal },
): HttpResponse {
  const own = service.forServer(route.server.name)
  // Messages of the application may depend on the request.
  if (own.errors.resolver !== null) return failedInFront(service, request, route, errors[reason])
  const part = 'type' in route ? route.type.type : route.kind === 'extension' ? route.extension.uri : ''
  const key = `${reason} ${route.server.name} ${route.kind} ${part}`
  let response = responses.get(key)
  if (response === undefined) {
    response = failedInMiddleware(own, request, route, errors[reason])
    responses.set(key, response)
  }
  return withOrigin(own, request, route, response)
}

interface Failure {
  readonly route: ServedRoute
  /** Default: none. */
  readonly trace?: RequestTrace | null
  readonly thrown: unknown
  /** `null` if it failed before or while the media type was negotiated. */
  readonly negotiated: Negotiated | null
  /** Default: the error settings of the service. */
  readonly settings?: CompiledErrorSettings
}

/** Returns the error document of a failure on a path of this server. */
export function errorResponse(
  service: Service,
  request: HttpRequest,
  { route, trace = null, thrown, negotiated, settings }: Failure,
): HttpResponse {
  // A route of the application may dispatch the document of its client. Then the sources are right.
  const failure = errorReply(
    settings === undefined ? withoutForeignSources(thrown) : thrown,
    settings ?? service.errors,
    {
      request,
    },
  )
  if (trace !== null && failure.status >= 500) trace.fail(thrown)
  const applied = negotiated ?? extensionOfRoute(route, failure.status)
  const rendered = renderError(failure, renderingFor(service, request, route, applied))
  return withQueryCost(service, request, withTypeHeaders(service, request, route, rendered))
}
