import { checkHeaders } from '../errors/checked-answer.js'

/**
 * Returns a header with a URL from user-defined code. The URL is checked before the commit. Throws a `TypeError` if it
 * cannot be sent: a line break would end the header, and the rest of the URL would become other headers.
 */
export function addressHeader(name: 'Location' | 'Content-Location', address: string): readonly string[] {
  const header = [name, address]
  checkHeaders(header)
  if (address.trim() === '') throw new TypeError(`The URL for the ${name} header is empty.`)
  return header
}
