import type { HttpRequest } from './request.js'

/**
 * Returns the path of a request for a log entry. HTTP/2 allows characters beyond ASCII in it, among them some that end a line or control
 * a terminal: they are percent-encoded.
 */
export function loggedPath({ path }: HttpRequest): string {
  return path.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
}
