import { createHash } from 'node:crypto'

/** Returns a short hash of the body of a response, for its entity tag. */
export function bodyHash(body: string | Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22)
}
