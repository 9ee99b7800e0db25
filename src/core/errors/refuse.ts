import { fail } from './json-api-error.js'

/**
 * Fails with 401 or 403. The client learns neither the rule nor the row.
 *
 * @param isAnonymous whether credentials might help
 * @param reason the reason for the application, which clients see in debug mode only
 */
export function refuse(isAnonymous: boolean, reason: string): never {
  return fail(isAnonymous ? 'UNAUTHENTICATED' : 'FORBIDDEN', {}, { reason })
}
