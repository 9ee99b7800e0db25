import { fail } from '../../core/errors/json-api-error.js'
import type { HttpRequest } from '../../core/http/request.js'

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */
export const IDEMPOTENCY_KEY = 'Idempotency-Key'

/** Returns whether requests with a method may have an `Idempotency-Key`. A `PUT` that is repeated responds differently: it finds the resource. */
export function isKeyedMethod(method: string): boolean {
  return method === 'POST' || method === 'PATCH' || method === 'PUT'
}

const MAX_LENGTH = 255

/** A string of structured fields (RFC 9651, section 3.3.3). */
const quotedKey = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/

/** Printable ASCII without space, quote, comma, semicolon and backslash, such as a UUID. Many clients leave out the quotes. */
const bareKey = /^[!#-+\--:<-[\]-~]*$/

/** Returns the key of a request; `null` if it has none. Fails with 400 if the header is not one valid key. */
export function idempotencyKey(request: HttpRequest): string | null {
  const header = request.header('idempotency-key')?.trim()
  if (header === undefined) return null
  const key = quotedKey.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? (bareKey.test(header) ? header : null)
  if (key === null) return refuse('it has other characters, or there are several keys')
  if (key === '') return refuse('it is empty')
  return key.length > MAX_LENGTH ? refuse(`it has ${key.length} characters`) : key
}

function refuse(message: string): never {
  const header = IDEMPOTENCY_KEY
  return fail('IDEMPOTENCY_KEY_INVALID', { header, limit: MAX_LENGTH, message }, { source: { header } })
}
