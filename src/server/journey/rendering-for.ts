import { NO_SNIFF } from '../../core/document/media-type.js'
import { logThrown } from '../../core/errors/error-log.js'
import { encodedUri } from '../../core/http/encoded-uri.js'
import type { HttpRequest } from '../../core/http/request.js'
import { QUERY, readMethods } from '../../core/http/request-method.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { Negotiated } from '../../serve/negotiate/accept.js'
import type { RenderOptions } from '../../serve/render/render-response.js'
import type { Route } from '../../serve/route/route-table.js'
import type { FoundRoute } from './check-method.js'
import { allowedMethods, allowHeaders } from './check-method.js'
import type { Service } from '../assembly/service.js'

/** The response to a path that matches no route. It is plain text, because the path is not a JSON:API endpoint. */
export const plainNotFound: HttpResponse = Object.freeze({
  status: 404,
  headers: Object.freeze(['Content-Type', 'text/plain; charset=utf-8', ...NO_SNIFF]),
  body: 'Not Found\n',
})

export function optionsResponse(
  route: FoundRoute,
  { queryMediaTypes }: Pick<Service, 'queryMediaTypes'>,
): HttpResponse {
  const methods = allowedMethods(route)
  return { status: 204, headers: [...allowHeaders(methods, queryMediaTypes), 'Vary', 'Accept'], body: null }
}

const none: readonly string[] = Object.freeze([])

/**
 * Returns the extension that a response names if the request failed before the negotiation was done: the extension of
 * the endpoint, unless the negotiation refused the request.
 */
export function extensionOfRoute(route: Route, status: number): Negotiated | null {
  if (route.kind !== 'extension' || status === 406 || status === 415) return null
  return { profiles: none, extensions: [route.extension.uri] }
}

/** What the document of a response depends on, besides the request. */
export interface ReadRequest {
  readonly negotiated: Negotiated | null
  /** The query string that the request has in its URL or its body; `null` if the query is JSON. Default: that of the URL. */
  readonly query?: string | null
}

/** Returns the data of the request for its document: its URI, the base URI of links, and the negotiation result. */
export function renderingFor(
  { baseUri, baseUrl, documentBuffer, pageQuery, frame, documentBytes, errors, describedby, uriLength }: Service,
  request: HttpRequest,
  route: Route,
  { negotiated, query = request.query }: ReadRequest,
): RenderOptions {
  const { method, origin, prefix = '', path } = request
  const base = baseUri === '' ? baseUrl(origin, prefix) : baseUrl(baseUri, '')
  const address = `${base}${encodedUri(path)}`
  const maxQuery = uriLength - path.length - 1
  // A query that no URL has room for is not encoded.
  const encodedQuery = query === '' ? '' : query === null || query.length > maxQuery ? null : encodedUri(query)
  const isInUrl = encodedQuery !== null && (encodedQuery.length <= maxQuery || method !== QUERY)
  const isRead = readMethods.has(method)
  return {
    base: 'methods' in route ? base + route.server.prefix : base,
    self: encodedQuery === '' ? address : isInUrl ? `${address}?${encodedQuery}` : null,
    address,
    describedby: describedby.size === 0 ? null : describedbyUrl(describedby, base, route),
    query: encodedQuery,
    maxQuery,
    frame,
    buffer: documentBuffer,
    pageQuery,
    profiles: negotiated?.profiles ?? none,
    extensions: negotiated?.extensions ?? none,
    // A write is committed when its document is written, so its response has no limit.
    maxBytes: isRead ? documentBytes : Number.POSITIVE_INFINITY,
    log: (thrown) => logThrown(errors.logger, 'error', thrown, { request }),
    dependsOnPrefer: !isRead && dependsOnPrefer(method, route),
  }
}

/** Returns the URL of the OpenAPI document; `null` if the server of the route serves none. */
function describedbyUrl(paths: Service['describedby'], base: string, route: Route): string | null {
  const path = 'server' in route ? paths.get(route.server.name) : undefined
  return path === undefined ? null : base + path
}

/** Returns whether the response to a write depends on `Prefer`: all do, except those to the deletion of a resource. */
function dependsOnPrefer(method: string, route: Route): boolean {
  return route.kind === 'match' && (method !== 'DELETE' || route.shape === 'relationship')
}
