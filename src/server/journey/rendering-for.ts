import { NO_SNIFF } from '../../core/document/media-type.js'
import { logThrown } from '../../core/errors/error-log.js'
import { encodedUri } from '../../core/http/encoded-uri.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { Negotiated } from '../../serve/negotiate/accept.js'
import type { RenderOptions } from '../../serve/render/render-response.js'
import type { Route } from '../../serve/route/route-table.js'
import type { FoundRoute } from './check-method.js'
import { allowedMethods } from './check-method.js'
import type { Service } from '../assembly/service.js'

/** The response to a path that matches no route. It is plain text, because the path is not a JSON:API endpoint. */
export const plainNotFound: HttpResponse = Object.freeze({
  status: 404,
  headers: Object.freeze(['Content-Type', 'text/plain; charset=utf-8', ...NO_SNIFF]),
  body: 'Not Found\n',
})

export function optionsResponse(route: FoundRoute): HttpResponse {
  return { status: 204, headers: ['Allow', allowedMethods(route).join(', '), 'Vary', 'Accept'], body: null }
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

/** Returns the data of the request for its document: its URI, the base URI of links, and the negotiation result. */
export function renderingFor(
  { baseUri, baseUrl, documentBuffer, pageQuery, frame, documentBytes, errors, describedby }: Service,
  request: HttpRequest,
  route: Route,
  negotiated: Negotiated | null,
): RenderOptions {
  const { method, origin, prefix = '', path, query } = request
  const base = baseUri === '' ? baseUrl(origin, prefix) : baseUrl(baseUri, '')
  const address = `${base}${encodedUri(path)}`
  const encodedQuery = query === '' ? '' : encodedUri(query)
  const isRead = method === 'GET' || method === 'HEAD'
  return {
    base: 'methods' in route ? base + route.server.prefix : base,
    self: encodedQuery === '' ? address : `${address}?${encodedQuery}`,
    address,
    describedby: describedby.size === 0 ? null : describedbyUrl(describedby, base, route),
    query: encodedQuery,
    frame,
    buffer: documentBuffer,
    pageQuery,
    profiles: negotiated?.profiles ?? none,
    extensions: negotiated?.extensions ?? none,
    // A write is committed when its document is written, so its response has no limit.
    maxBytes: isRead ? documentBytes : Number.POSITIVE_INFINITY,
    onUnshown: (unshown) => logThrown(errors.logger, 'error', unshown, { request }),
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
