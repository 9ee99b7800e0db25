import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { Negotiated } from '../negotiate/accept.js'
import type { Rendering } from '../render/render-response.js'
import type { ReadShape } from '../resource/cache-headers.js'
import type { PathShape, Route, RouteMatch } from '../route/route-table.js'
import type { Service } from './service.js'

/** The router's answer to a path of nobody's: plain, because it is no JSON:API route. */
export const plainNotFound: HttpResponse = Object.freeze({
  status: 404,
  headers: Object.freeze(['Content-Type', 'text/plain; charset=utf-8']),
  body: 'Not Found\n',
})

export function optionsResponse({ methods }: RouteMatch): HttpResponse {
  return { status: 204, headers: ['Allow', methods.join(', '), 'Vary', 'Accept'], body: null }
}

const none: readonly string[] = Object.freeze([])

/** What the document says of the request: its address, the base of its links, what was negotiated. */
export function rendering(
  { baseUri, version, jsonapiMeta }: Service,
  { origin, path, query }: HttpRequest,
  route: Route,
  negotiated: Negotiated | null,
): Rendering {
  const base = baseUri === '' ? origin : baseUri
  return {
    base: route.kind === 'match' ? base + route.server.prefix : base,
    self: uriOf(`${base}${path}${query === '' ? '' : `?${query}`}`),
    version,
    jsonapiMeta,
    profiles: negotiated?.profiles ?? none,
    extensions: negotiated?.extensions ?? none,
  }
}

// What RFC 3986 does not allow in a URI; a percent sign is let through, since the target came percent-encoded.
const notOfUris = /[^\w!#$%&'()*+,./:;=?@[\]~-]/gu

/** A client may send characters that belong into no link, such as `"` or `|`; their encoded form names the same. */
function uriOf(target: string): string {
  return target.replace(notOfUris, (character) => encodeURIComponent(character.toWellFormed()))
}

const readShapeOf: Readonly<Record<PathShape, ReadShape>> = Object.freeze({
  collection: 'collection',
  resource: 'read',
  related: 'related',
  relationship: 'relationship',
})

/** Deprecation on every answer of the type, caching on successful reads; never over a header that is there already. */
export function withTypeHeaders(
  service: Service,
  { method }: HttpRequest,
  route: Route,
  response: HttpResponse,
): HttpResponse {
  if (!('type' in route)) return response
  const { always, cacheControl, vary } = service.headersOf(route.type)
  const isRead = (method === 'GET' || method === 'HEAD') && response.status >= 200 && response.status < 300
  const shape = isRead && route.kind === 'match' ? readShapeOf[route.shape] : null
  const caching = shape === null ? null : cacheControl[shape]
  const varying = shape === null ? none : vary[shape]
  if (always.length === 0 && caching === null && varying.length === 0) return response
  const headers = varying.length === 0 ? [...response.headers] : varyingOn(response.headers, varying)
  for (const [name, value] of pairs(caching === null ? always : [...always, 'Cache-Control', caching])) {
    if (!hasHeader(headers, name)) headers.push(name, value)
  }
  return { ...response, headers }
}

function varyingOn(headers: readonly string[], names: readonly string[]): string[] {
  return [...pairs(headers)].flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'vary') return [name, value]
    return [name, [...new Set([...value.split(', '), ...names])].join(', ')]
  })
}

function hasHeader(headers: readonly string[], name: string): boolean {
  return [...pairs(headers)].some(([other]) => other.toLowerCase() === name.toLowerCase())
}

function* pairs(headers: readonly string[]): Generator<readonly [string, string]> {
  for (let index = 0; index + 1 < headers.length; index += 2) yield [headers[index] ?? '', headers[index + 1] ?? '']
}
