import type { Service } from '../assembly/service.js'
import { withoutForeignSources } from '../../core/errors/dispatched-error.js'
import { errorReply } from '../../core/errors/error-reply.js'
import type { RequestTrace } from '../../core/http/request-trace.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { Negotiated } from '../../serve/negotiate/accept.js'
import { renderError } from '../../serve/render/render-response.js'
import type { ServedRoute } from '../../serve/route/route-table.js'
import { extensionOfRoute, renderingFor } from './rendering-for.js'

interface Failure {
  readonly route: ServedRoute
  readonly trace: RequestTrace | null
  readonly thrown: unknown
  /** `null` if it failed before or while the media type was negotiated. */
  readonly negotiated: Negotiated | null
}

/** Returns the error document of a failure on a path of this server. */
export function errorResponse(
  service: Service,
  request: HttpRequest,
  { route, trace, thrown, negotiated }: Failure,
): HttpResponse {
  // A route of the application may dispatch the document of its client. Then the sources are right.
  const failure = errorReply(withoutForeignSources(thrown), service.errors, { request })
  if (trace !== null && failure.status >= 500) trace.fail(thrown)
  const applied = negotiated ?? extensionOfRoute(route, failure.status)
  return renderError(failure, renderingFor(service, request, route, { negotiated: applied }))
}

/** Returns the error document of an error in front of the middleware, which the application may have thrown. */
export function errorInFront(
  service: Service,
  request: HttpRequest,
  route: ServedRoute,
  thrown: unknown,
): HttpResponse {
  const failure = errorReply(thrown, service.errorsInFront, { request })
  const negotiated = extensionOfRoute(route, failure.status)
  return renderError(failure, renderingFor(service, request, route, { negotiated }))
}
