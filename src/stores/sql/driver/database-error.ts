import { HttpError } from '../../../core/errors/http-error.js'
import { JsonApiError, problem } from '../../../core/errors/json-api-error.js'
import { sentence } from '../../../core/errors/sentence.js'
import type { SqlFault } from './sql-statement.js'

/** An error of the database that is not about one value or one constraint of the written row. */
export interface DatabaseError {
  /**
   * - `raised`: a trigger or a function of the database refused the statement: `raise exception` of PostgreSQL,
   *   `raise(abort, …)` of SQLite.
   * - `forbidden`: the database user may not do this. Row-level security of PostgreSQL reports it too.
   */
  readonly kind: 'raised' | 'forbidden'
  /** The text of the database, such as the text of `raise exception`. */
  readonly message: string
  /** The SQLSTATE of PostgreSQL, or the error code of the SQLite library; null if it has none. */
  readonly code: string | null
  /** The error as the client library threw it. */
  readonly error: unknown
}

/** Returns the error that the client gets for an error of the database, or null for a logged 500. */
export type DatabaseErrorMapper = (error: DatabaseError) => JsonApiError | HttpError | null

/**
 * The mapper that `sqlData()` uses unless it has the option `mapError`: 422 if the database raised an error, 403 if the
 * database user may not do this. The text of the database is logged, but not sent: it may reveal other rows.
 *
 * @example
 * ```ts
 * import { fail } from 'ashlar'
 * import { mapDatabaseError, type SqlDataOptions } from 'ashlar/sql'
 *
 * // Triggers of this database are written for clients, so their texts are sent.
 * const options: SqlDataOptions = {
 *   mapError: (error) => {
 *     if (error.kind === 'raised') fail('VALIDATION_FAILED', { message: error.message })
 *     return mapDatabaseError(error)
 *   },
 * }
 * ```
 */
export function mapDatabaseError({ kind, error }: DatabaseError): JsonApiError | HttpError | null {
  switch (kind) {
    case 'raised':
      return new JsonApiError([problem('VALIDATION_FAILED', { message: sentence('database') })], { cause: error })
    case 'forbidden':
      return new JsonApiError([problem('FORBIDDEN')], { reason: 'The database does not allow this.', cause: error })
  }
}

/** Returns the mapped error for a fault; null for other kinds of faults, or if the mapper returns null. */
export function mappedFault(
  thrown: unknown,
  fault: SqlFault | null,
  { mapError = mapDatabaseError }: { readonly mapError?: DatabaseErrorMapper },
): JsonApiError | HttpError | null {
  if (fault?.kind !== 'raised' && fault?.kind !== 'forbidden') return null
  const { message = '', code } = thrown as { readonly message?: string; readonly code?: unknown }
  try {
    return mapError({
      kind: fault.kind,
      message,
      code: typeof code === 'string' ? code : null,
      error: thrown,
    })
  } catch (mapped) {
    // A mapper may throw its error, such as by `fail()`.
    if (JsonApiError.is(mapped) || HttpError.is(mapped)) return mapped
    throw mapped
  }
}
