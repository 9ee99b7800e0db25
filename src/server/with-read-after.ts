import type { ServedReadAfter } from '../build/serve-read-after.js'
import { READ_AFTER } from '../build/serve-read-after.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import { varyingOn } from './vary.js'

const names: readonly string[] = Object.freeze([READ_AFTER])

/**
 * Adds the position of the writes of a request. Reads vary by the position that a request requires: a cache must not return an
 * older response.
 */
export function withReadAfter(readAfter: ServedReadAfter, request: HttpRequest, response: HttpResponse): HttpResponse {
  const { method } = request
  const value = readAfter.valueFor(request)
  const isRead = method === 'GET' || method === 'HEAD'
  if (value === null && !isRead) return response
  const headers = isRead ? varyingOn(response.headers, names) : response.headers
  return { ...response, headers: value === null ? headers : [...headers, READ_AFTER, value] }
}
