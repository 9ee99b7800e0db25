import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { Negotiated } from '../negotiate/accept.js'
import type { Rendering } from '../render/render-response.js'
import type { Route } from '../route/route-table.js'
import type { FoundRoute } from './placement.js'
import { isFound } from './placement.js'
import type { Service } from '../build/service.js'

/** The router's answer to a path of nobody's: plain, because it is no JSON:API route. */
export const plainNotFound: HttpResponse = Object.freeze({
  status: 404,
  headers: Object.freeze(['Content-Type', 'text/plain; charset=utf-8']),
  body: 'Not Found\n',
})

export function optionsResponse({ methods }: FoundRoute): HttpResponse {
  return { status: 204, headers: ['Allow', methods.join(', '), 'Vary', 'Accept'], body: null }
}

const none: readonly string[] = Object.freeze([])

/** What an answer names that came before anything was negotiated: an endpoint's own extension, unless that was refused. */
export function spokenAt(route: Route, status: number): Negotiated | null {
  if (route.kind !== 'extension' || status === 406 || status === 415) return null
  return { profiles: none, extensions: [route.extension.uri] }
}

/** What the document says of the request: its address, the base of its links, what was negotiated. */
export function rendering(
  { baseUri, frame }: Service,
  { origin, path, query }: HttpRequest,
  route: Route,
  negotiated: Negotiated | null,
): Rendering {
  const base = baseUri === '' ? origin : baseUri
  const address = `${base}${uriOf(path)}`
  const sent = query === '' ? '' : uriOf(query)
  return {
    base: isFound(route) ? base + route.server.prefix : base,
    self: sent === '' ? address : `${address}?${sent}`,
    address,
    query: sent,
    frame,
    profiles: negotiated?.profiles ?? none,
    extensions: negotiated?.extensions ?? none,
  }
}

// What RFC 3986 does not allow in a URI; a percent sign is let through where it encodes something, and a fragment is no
// part of what a client may ask for.
const notOfUris = /%(?![\dA-Fa-f]{2})|[^\w!$%&'()*+,./:;=?@[\]~-]/gu

/** Nothing but these, and no percent sign: most addresses are so. */
const usual = /^[\w!$&'()*+,./:;=?@[\]~-]*$/

/** A client may send characters that belong into no link, such as `"` or `|`; their encoded form names the same. */
function uriOf(target: string): string {
  if (usual.test(target)) return target
  return target.replace(notOfUris, (character) => encodeURIComponent(character.toWellFormed()))
}
