import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import { isKnownTo } from '../negotiate/preconditions.js'

/**
 * Returns 304 in place of the response to a read, if the client has the same bytes already. The headers of the response
 * stay, except those that describe its body.
 *
 * https://www.rfc-editor.org/rfc/rfc9110#name-304-not-modified
 */
export function conditionalResponse(request: HttpRequest, response: HttpResponse): HttpResponse {
  const ifNoneMatch = request.header('if-none-match')
  if (ifNoneMatch === undefined || response.status !== 200) return response
  if (request.method !== 'GET' && request.method !== 'HEAD') return response
  const etag = headerOf(response, 'ETag')
  if (etag === null || !isKnownTo(ifNoneMatch, etag)) return response
  return { status: 304, headers: withoutBodyHeaders(response.headers), body: null }
}

function headerOf({ headers }: HttpResponse, name: string): string | null {
  const index = headers.findIndex((each, position) => position % 2 === 0 && each === name)
  return index === -1 ? null : (headers[index + 1] ?? null)
}

function withoutBodyHeaders(headers: readonly string[]): readonly string[] {
  return headers.filter((_, index) => !describesBody(headers[index - (index % 2)] ?? ''))
}

function describesBody(name: string): boolean {
  return /^content-(?!location$)/i.test(name)
}
