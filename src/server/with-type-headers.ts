import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { ReadShape } from '../resource/cache-headers.js'
import type { PathShape } from '../route/route-names.js'
import type { Route } from '../route/route-table.js'
import type { Service } from '../build/service.js'
import { varyingOn } from './vary.js'

const none: readonly string[] = Object.freeze([])

const readShapeOf: Readonly<Record<PathShape, ReadShape>> = Object.freeze({
  collection: 'collection',
  resource: 'read',
  related: 'related',
  relationship: 'relationship',
})

/**
 * Adds the headers of a type: deprecation headers to every response, caching headers to successful reads. Never
 * replaces a header that the response already has.
 */
export function withTypeHeaders(
  service: Service,
  { method }: HttpRequest,
  route: Route,
  response: HttpResponse,
): HttpResponse {
  if (!('type' in route)) return withMissing(response, service.headersOfServer)
  const { always, cacheControl, vary } = service.headersOf(route.type)
  const isRead = (method === 'GET' || method === 'HEAD') && response.status >= 200 && response.status < 300
  const shape = isRead && route.kind === 'match' ? readShapeOf[route.shape] : null
  const caching = shape === null ? null : cacheControl[shape]
  const varying = shape === null ? none : vary[shape]
  if (always.length === 0 && caching === null && varying.length === 0) return response
  const varied = varying.length === 0 ? response : { ...response, headers: varyingOn(response.headers, varying) }
  return withMissing(varied, caching === null ? always : [...always, 'Cache-Control', caching])
}

/** Adds the headers that a response does not have. */
function withMissing(response: HttpResponse, additional: readonly string[]): HttpResponse {
  if (additional.length === 0) return response
  const headers = [...response.headers]
  for (const [name, value] of pairs(additional)) if (!hasHeader(headers, name)) headers.push(name, value)
  return { ...response, headers }
}

export function hasHeader(headers: readonly string[], name: string): boolean {
  return [...pairs(headers)].some(([other]) => other.toLowerCase() === name.toLowerCase())
}

function* pairs(headers: readonly string[]): Generator<readonly [string, string]> {
  for (let index = 0; index + 1 < headers.length; index += 2) yield [headers[index] ?? '', headers[index + 1] ?? '']
}
