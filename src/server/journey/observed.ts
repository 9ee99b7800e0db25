import type { Service } from '../assembly/service.js'
import { ignoreRejection } from '../../core/errors/ignore-rejection.js'
import { byteLength, isBodyStream, type SentBody, watchedBody } from '../../core/http/body-stream.js'
import { loggedPath } from '../../core/http/logged-path.js'
import { requestId } from '../../core/http/request-id.js'
import type { RequestLogEntry } from '../../core/http/request-log.js'
import type { HttpRequest } from '../../core/http/request.js'
import { bothTraces, type RequestTrace } from '../../core/http/request-trace.js'
import type { HttpResponse } from '../../core/http/response.js'
import { routeNameOf, routeTemplateOf } from '../../serve/route/matched-name.js'
import type { ServedRoute } from '../../serve/route/route-table.js'
import type { Serve } from './call.js'
import { serverTiming } from './server-timing.js'

/** Traces requests, and logs them, depending on the settings of the server. */
export function observed(service: Service, next: Serve): Serve {
  return async (request, call) => {
    const start = performance.now()
    const { route } = call
    const trace = traceOf(service, request, route)
    const response = await next(request, { ...call, trace })
    const outcome = { route, response, start, trace }
    const { body } = response
    const logged = isBodyStream(body)
      ? watchedBody(response, body, { ended: (streamed) => logRequest(service, request, outcome, streamed) })
      : response
    if (logged === response) logRequest(service, request, outcome)
    return trace === null ? logged : ended(trace, logged)
  }
}

interface Outcome {
  readonly route: ServedRoute
  readonly response: HttpResponse
  /** When the request has arrived. */
  readonly start: number
  readonly trace: RequestTrace | null
}

/** Logs a request, if the server does that: a streamed response when it has ended. */
export function logRequest(
  { requestLog }: Service,
  request: HttpRequest,
  { route, response, start, trace }: Outcome,
  streamed: SentBody | null = null,
): void {
  if (requestLog === null) return
  const { method } = request
  const { status, body } = response
  const entry: RequestLogEntry = {
    requestId: requestId(request),
    method,
    path: loggedPath(request),
    route: routeNameOf(route, method),
    server: route.server.name,
    status,
    milliseconds: Math.round((performance.now() - start) * 1000) / 1000,
    bytes: streamed?.bytes ?? (isBodyStream(body) ? 0 : byteLength(body)),
    ...(streamed?.isWhole === false ? { isIncomplete: true } : {}),
  }
  const write = (): void => log(requestLog, entry)
  // Loggers may add the ids of the trace.
  if (trace === null) write()
  else trace.within(write)
}

/** Never throws: samplers and processors of the application may fail, and the client still gets its response. */
function ended(trace: RequestTrace, response: HttpResponse): HttpResponse {
  try {
    return trace.end(response)
  } catch {
    return response
  }
}

/** Returns the trace of the setting `telemetry`, the one that adds the header `Server-Timing` in debug mode, or both. */
function traceOf(service: Service, request: HttpRequest, route: ServedRoute): RequestTrace | null {
  const { telemetry } = service
  const timing = service.errors.debug ? serverTiming() : null
  if (telemetry === null) return timing
  const name = routeNameOf(route, request.method)
  try {
    const spans = telemetry.request(request, { name, template: routeTemplateOf(route) })
    return timing === null ? spans : bothTraces(spans, timing)
  } catch {
    return timing
  }
}

/** Never throws: the client still gets its response if the logger fails. */
function log(logger: NonNullable<Service['requestLog']>, entry: RequestLogEntry): void {
  try {
    ignoreRejection(logger.info(entry, `${entry.method} ${entry.path} ${entry.status}`))
  } catch {
    // There is no place to report the failure of a logger.
  }
}
