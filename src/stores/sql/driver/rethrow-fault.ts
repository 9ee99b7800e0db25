import { HttpError } from '../../../core/errors/http-error.js'
import { fail, JsonApiError } from '../../../core/errors/json-api-error.js'
import { sentence } from '../../../core/errors/sentence.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { mappedFault } from './database-error.js'
import type { SqlDriver } from './sql-driver.js'
import type { SqlFault } from './sql-statement.js'

type FaultMapping = Pick<SqlDriver, 'faultOf' | 'mapError'>

/** The `Retry-After` header, in seconds. */
const retryAfter = '1'

/**
 * Throws the HTTP error for a database that cannot serve the request now, and rethrows any other error unchanged. The
 * error has the original one as its cause, for the log and for the transaction that may be retried.
 */
export function rethrowFault(thrown: unknown, driver: Pick<SqlDriver, 'faultOf'>): never {
  // An error that already determines the response stays unchanged.
  const fault = HttpError.is(thrown) || JsonApiError.is(thrown) ? null : findFault(thrown, driver)
  switch (fault?.kind) {
    case 'unavailable':
    case 'timeout':
    case 'conflict':
      return fail('STORE_UNAVAILABLE', {}, { headers: ['Retry-After', retryAfter], cause: thrown })
    case 'cancelled':
      // The client has disconnected and reads no response. 499 is the status that proxies log for this; a 5xx would count as a failure of
      // the server.
      throw new HttpError(499, 'The client has disconnected.', { cause: thrown })
    default:
      throw thrown
  }
}

/** Like `rethrowFault`, for a statement of a request: errors that the database raised, and missing privileges, are mapped too. */
export function rethrowRequestFault(thrown: unknown, driver: FaultMapping): never {
  return rethrowFault(mappedFault(thrown, driver.faultOf(thrown), driver) ?? thrown, driver)
}

/**
 * Throws the error response for a failed commit, caused by a constraint that is only checked then. The member of the
 * request body that caused it is no longer known.
 */
export function rethrowCommitFault(thrown: unknown, driver: FaultMapping, context: RequestContext | null): never {
  // Outside of requests, the application gets the error of the database.
  const fault = context === null ? null : driver.faultOf(thrown)
  const mapped = mappedFault(thrown, fault, driver)
  if (mapped !== null) throw mapped
  const kind = fault?.kind
  if (kind === 'foreignKey' && context?.operation === 'DeleteResource') {
    return fail('RESOURCE_IN_USE', {}, { cause: thrown })
  }
  const rule = kind === 'foreignKey' || kind === 'unique' || kind === 'check' ? commitRules[kind] : undefined
  if (rule === undefined) throw thrown
  return fail('VALIDATION_FAILED', { message: sentence(rule) }, { cause: thrown })
}

const commitRules = Object.freeze({ foreignKey: 'reference', unique: 'uniqueElsewhere', check: 'check' } as const)

/** Returns the database fault of an error or of one of its causes, or null if there is none. */
export function findFault(thrown: unknown, driver: Pick<SqlDriver, 'faultOf'>): SqlFault | null {
  let error = thrown
  // The depth is limited, because a chain of causes may be circular. In practice it is never this long.
  for (let depth = 0; depth < 8; depth += 1) {
    const fault = driver.faultOf(error)
    if (fault !== null) return fault
    if (!(error instanceof Error) || error.cause === undefined) return null
    error = error.cause
  }
  return null
}
