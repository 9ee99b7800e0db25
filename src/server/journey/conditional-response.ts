import { discardBody, isBodyStream } from '../../core/http/body-stream.js'
import { headerOf, withoutBodyHeaders } from '../../core/http/headers.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import { matchesIfNoneMatch, isUnmodifiedSince } from '../../serve/negotiate/preconditions.js'
import type { Route } from '../../serve/route/route-table.js'
import { bodyHash } from '../../core/util/body-hash.js'

/**
 * Returns 304 instead of the response to a read if the client already has the same document. The headers of the response
 * are unchanged, except those that describe its body. A collection gets its entity tag here, if its type declares one.
 *
 * https://www.rfc-editor.org/rfc/rfc9110#name-304-not-modified
 */
export function conditionalResponse(request: HttpRequest, route: Route, given: HttpResponse): HttpResponse {
  if (given.status !== 200) return given
  const response =
    route.kind === 'match' && route.shape === 'collection' && route.type.collectionTags ? withWeakTag(given) : given
  const ifNoneMatch = request.header('if-none-match')
  const ifModifiedSince = request.header('if-modified-since')
  if (ifNoneMatch === undefined && ifModifiedSince === undefined) return response
  const isKnown =
    ifNoneMatch === undefined
      ? isUnmodifiedSince(ifModifiedSince ?? '', headerOf(response.headers, 'Last-Modified'))
      : matchesIfNoneMatch(ifNoneMatch, headerOf(response.headers, 'ETag'))
  if (!isKnown) return response
  discardBody(response.body)
  return { status: 304, headers: withoutBodyHeaders(response.headers), body: null }
}

/** A collection has no version, so its entity tag is only for caches. */
function withWeakTag(response: HttpResponse): HttpResponse {
  const { headers, body } = response
  if (body === null || isBodyStream(body) || headerOf(headers, 'ETag') !== null) return response
  return { ...response, headers: [...headers, 'ETag', `W/"${bodyHash(body)}"`] }
}
