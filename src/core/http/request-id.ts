import { randomUUID } from 'node:crypto'
import type { HttpRequest } from './request.js'

/** The generated ids of requests that have no usable header. */
const generatedIds = new WeakMap<HttpRequest, string>()

/** Returns the id of a request, always the same one. A header that could break a log line is not used. */
export function requestId(request: HttpRequest): string {
  if (request.id !== undefined) return request.id
  const sent = request.header('x-request-id')
  if (sent !== undefined && /^[\x21-\x7e]{1,128}$/.test(sent)) return sent
  const id = generatedIds.get(request) ?? randomUUID()
  generatedIds.set(request, id)
  return id
}
