import { fail } from '../errors/json-api-error.js'
import type { HttpRequest } from '../http/request.js'

export const DEFAULT_TARGET_LENGTH: number = 16 * 1024

/** Fails with 414 if the request target, path and query together, is longer than the limit. */
export function checkTargetLength(request: HttpRequest, limit: number = DEFAULT_TARGET_LENGTH): void {
  const length = request.path.length + (request.query === '' ? 0 : request.query.length + 1)
  if (length > limit) fail('URI_TOO_LONG', { limit })
}
