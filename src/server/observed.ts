import { Buffer } from 'node:buffer'
import type { Service } from '../build/service.js'
import { ignoreRejection } from '../errors/ignore-rejection.js'
import { requestId } from '../http/request-id.js'
import type { RequestLogEntry } from '../http/request-log.js'
import type { HttpRequest } from '../http/request.js'
import type { RequestTrace } from '../http/request-trace.js'
import type { HttpResponse } from '../http/response.js'
import { routeNameOf } from '../route/matched-name.js'
import type { Route } from '../route/route-table.js'
import { serverTiming } from './server-timing.js'

type ServedRoute = Exclude<Route, { readonly kind: 'notServed' }>

/**
 * Serves a request, then logs it, and adds its id to the response.
 *
 * @param serve gets the trace that follows the request; `null` if there is none
 */
export async function observed(
  service: Service,
  request: HttpRequest,
  route: ServedRoute,
  serve: (trace: RequestTrace | null) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const start = performance.now()
  const trace = traceOf(service, route)
  const response = await serve(trace)
  const { requestLog, sendsRequestIds } = service
  const id = requestId(request)
  if (requestLog !== null) {
    const { method, path } = request
    const { status, body } = response
    const entry: RequestLogEntry = {
      requestId: id,
      method,
      path,
      route: routeNameOf(route, method),
      server: route.server.name,
      status,
      milliseconds: Math.round((performance.now() - start) * 1000) / 1000,
      bytes: body === null ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength,
    }
    log(requestLog, entry)
  }
  const sent = sendsRequestIds ? { ...response, headers: [...response.headers, 'X-Request-Id', id] } : response
  return trace === null ? sent : trace.end(sent)
}

/** In debug mode, the trace adds the header `Server-Timing`. */
function traceOf(service: Service, { server }: ServedRoute): RequestTrace | null {
  return service.forServer(server.name).errors.debug ? serverTiming() : null
}

/** Never throws: the client still gets its response if the logger fails. */
function log(logger: NonNullable<Service['requestLog']>, entry: RequestLogEntry): void {
  try {
    ignoreRejection(logger.info(entry, `${entry.method} ${entry.path} ${entry.status}`))
  } catch {
    // There is no place to report the failure of a logger.
  }
}
