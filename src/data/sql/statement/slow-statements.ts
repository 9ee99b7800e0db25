import { ignoreRejection } from '../../../errors/ignore-rejection.js'
import { loggedPath } from '../../../http/logged-path.js'
import { requestId } from '../../../http/request-id.js'
import type { RequestContext } from '../../../resource/request-context.js'
import type { RanStatement, StatementReport } from './ran-statement.js'
import { withoutLiterals } from './ran-statement.js'

/**
 * The option `slowStatements` of `sqlData()`: which statements are logged, and where.
 *
 * @example
 * ```ts
 * import type { SlowStatementSettings } from 'ashlar/sql'
 *
 * const slowStatements: SlowStatementSettings = { milliseconds: 100, logger: console }
 * ```
 */
export interface SlowStatementSettings {
  /** Statements that take at least this long are logged, including the time that they wait for a connection. Default: 200. */
  readonly milliseconds?: number
  readonly logger: SlowStatementLogger
}

/** Gets an entry for each slow statement. A pino logger fits. See {@link SlowStatementSettings}. */
export interface SlowStatementLogger {
  warn(entry: SlowStatementEntry, message: string): unknown
}

/**
 * The log entry of a slow statement. It has no values: neither those of the statement nor those of an error.
 *
 * @example
 * ```ts
 * import type { SlowStatementEntry } from 'ashlar/sql'
 *
 * const describe = ({ shape, milliseconds, path }: SlowStatementEntry) => `${shape} took ${milliseconds} ms in ${path}`
 * ```
 */
export interface SlowStatementEntry
  extends Pick<RanStatement, 'engine' | 'shape' | 'sql' | 'milliseconds' | 'rows' | 'inTransaction'> {
  /** The error code of the database, or the name of the error, if the statement failed; else null. */
  readonly error: string | null
  /** The type and the kind of the operation that it ran for. Absent outside of requests, like the following members. */
  readonly type?: string
  readonly operation?: RequestContext['operation']
  readonly method?: string
  /** The path without its query. */
  readonly path?: string
  /** The same id as in the other logs. */
  readonly requestId?: string
}

const DEFAULT_LIMIT = 200

/** Returns a function that logs slow statements. */
export function slowStatementLog({
  milliseconds: limit = DEFAULT_LIMIT,
  logger,
}: SlowStatementSettings): StatementReport {
  return ({ engine, shape, sql: text, milliseconds, rows, error, context, inTransaction }) => {
    if (milliseconds < limit) return
    const sql = shape === null ? withoutLiterals(text) : text
    const rounded = Math.round(milliseconds * 1000) / 1000
    const failure = error === null ? null : codeOf(error)
    const entry = {
      shape,
      milliseconds: rounded,
      rows,
      error: failure,
      engine,
      inTransaction,
      ...membersOf(context),
      sql,
    }
    ignoreRejection(
      logger.warn(entry, `Slow statement: ${shape ?? 'of the application'}, ${Math.round(milliseconds)} ms`),
    )
  }
}

function membersOf(
  context: RequestContext | null,
): Pick<SlowStatementEntry, 'type' | 'operation' | 'method' | 'path' | 'requestId'> {
  if (context === null) return {}
  const { type, operation, request } = context
  if (request === null) return { type, operation }
  return { type, operation, method: request.method, path: loggedPath(request), requestId: requestId(request) }
}

/** The message of an error may contain values, its code never does. */
function codeOf(error: unknown): string {
  const { code, name }: { readonly code?: unknown; readonly name?: unknown } =
    typeof error === 'object' && error !== null ? error : {}
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : 'Error'
}

/** Returns whether a value can be the option `slowStatements`. */
export function isSlowStatementSettings(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { milliseconds, logger, ...others }: Partial<Record<keyof SlowStatementSettings, unknown>> = value
  if (Object.keys(others).length > 0 || typeof logger !== 'object' || logger === null) return false
  const isLimit = milliseconds === undefined || (typeof milliseconds === 'number' && milliseconds >= 0)
  return isLimit && 'warn' in logger && typeof logger.warn === 'function'
}
