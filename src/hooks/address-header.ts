import { checkHeaders } from '../errors/checked-answer.js'

/**
 * A header with an address of the author's, looked at before anything is kept. One that cannot be sent is a `TypeError`: a
 * line break would end the header, and what comes after it would be headers of its own.
 */
export function addressHeader(name: 'Location' | 'Content-Location', address: string): readonly string[] {
  const header = [name, address]
  checkHeaders(header)
  if (address.trim() === '') throw new TypeError(`${name} is an address, and none is given.`)
  return header
}
