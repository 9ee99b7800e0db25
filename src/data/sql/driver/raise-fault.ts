import { HttpError } from '../../../errors/http-error.js'
import { fail, JsonApiError } from '../../../errors/json-api-error.js'
import type { RequestContext } from '../../../resource/request-context.js'
import type { SqlDriver } from './sql-driver.js'
import type { SqlFault } from './sql-fault.js'

/** In seconds, after which a client may try again. */
const retryAfter = '1'

/**
 * Throws what a request is answered with where the database cannot serve it now, and anything else as it came. The cause
 * stays with it, for the log and for the transaction that may run its work again.
 */
export function rethrowFault(thrown: unknown, driver: Pick<SqlDriver, 'faultOf'>): never {
  // Who has answered it in his own words is not corrected.
  const fault = HttpError.is(thrown) || JsonApiError.is(thrown) ? null : faultBehind(thrown, driver)
  switch (fault?.kind) {
    case 'unavailable':
    case 'timeout':
    case 'conflict':
      return fail('STORE_UNAVAILABLE', {}, { headers: ['Retry-After', retryAfter], cause: thrown })
    case 'cancelled':
      // Nobody reads the answer. The status is the one that proxies log for clients that are gone, and no fault of ours.
      throw new HttpError(499, 'The client is gone.', { cause: thrown })
    default:
      throw thrown
  }
}

/**
 * The same where a transaction is not kept, because of a constraint that is looked at only then: which member of a body is to
 * blame nobody knows any more.
 */
export function rethrowUnkept(
  thrown: unknown,
  driver: Pick<SqlDriver, 'faultOf'>,
  context: RequestContext | null,
): never {
  // A program's own transaction is told what the database said.
  const kind = context === null ? undefined : driver.faultOf(thrown)?.kind
  if (kind === 'foreignKey' && context?.operation === 'DeleteResource') {
    return fail('RESOURCE_IN_USE', {}, { cause: thrown })
  }
  const message = kind === 'foreignKey' || kind === 'unique' || kind === 'check' ? unkept[kind] : undefined
  if (message === undefined) throw thrown
  return fail('VALIDATION_FAILED', { message }, { cause: thrown })
}

const unkept = Object.freeze({
  foreignKey: 'This points at a resource that is not there, or others still point at what it takes away.',
  unique: 'Another resource has a value that only one may have.',
  check: 'This breaks a rule that holds for its values.',
})

/** What the database said, be it told already in other words. */
export function faultBehind(thrown: unknown, driver: Pick<SqlDriver, 'faultOf'>): SqlFault | null {
  let error = thrown
  // Nobody wraps an error more often than that, and a chain of causes may be a circle.
  for (let depth = 0; depth < 8; depth += 1) {
    const fault = driver.faultOf(error)
    if (fault !== null) return fault
    if (!(error instanceof Error) || error.cause === undefined) return null
    error = error.cause
  }
  return null
}
