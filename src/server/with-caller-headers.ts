import { inPrivate } from '../http/cache-control.js'
import type { HttpResponse } from '../http/response.js'
import { varyingOn } from './vary.js'

/**
 * Marks a response that depends on the caller, also an error: no shared cache stores it unless its type says so, and no
 * cache serves one caller the response of another.
 *
 * @param names the request headers that decide about the caller: the same list in every request
 */
export function withCallerHeaders(response: HttpResponse, names: readonly string[]): HttpResponse {
  if (names.length === 0) return response
  const { status, headers, body } = response
  // A new list, of this response only.
  const varied = varyingOn(headers, names) as string[]
  let position = 0
  while (position < varied.length && varied[position]?.toLowerCase() !== 'cache-control') position += 2
  if (position >= varied.length) varied.push('Cache-Control', 'private')
  else varied[position + 1] = inPrivate(varied[position + 1] ?? '')
  return { status, headers: varied, body }
}
