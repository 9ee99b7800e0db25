import type { ServedCors } from '../assembly/serve-cors.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import { allowHeaders } from './check-method.js'

/** Returns whether a request is a CORS preflight request of a browser. */
export function isPreflight(request: HttpRequest): boolean {
  if (request.method !== 'OPTIONS' || request.header('origin') === undefined) return false
  return request.header('access-control-request-method') !== undefined
}

/**
 * Returns the response to a preflight request.
 *
 * @param origin the origin that is allowed; `null` for an origin that is not allowed, which gets no CORS headers
 */
export function preflightResponse(
  cors: ServedCors,
  origin: string | null,
  { methods, queryMediaTypes }: { readonly methods: readonly string[]; readonly queryMediaTypes: readonly string[] },
): HttpResponse {
  const allow = methods.join(', ')
  const allowed =
    origin === null
      ? []
      : ['Access-Control-Allow-Origin', origin, 'Access-Control-Allow-Methods', allow, ...cors.preflight]
  return {
    status: 204,
    headers: [...allowHeaders(methods, queryMediaTypes), 'Vary', cors.varies ? 'Accept, Origin' : 'Accept', ...allowed],
    body: null,
  }
}
