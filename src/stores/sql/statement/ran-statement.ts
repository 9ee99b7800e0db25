import { ignoreRejection } from '../../../core/errors/ignore-rejection.js'
import { loggedPath } from '../../../core/http/logged-path.js'
import { requestId } from '../../../core/http/request-id.js'
import type { RequestTrace } from '../../../core/http/request-trace.js'
import { currentTrace } from '../../../core/http/request-trace.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { EngineName } from '../../../core/util/engine-name.js'
import type { SqlResult, SqlStatement } from '../driver/sql-statement.js'
import type { SqlRunOptions } from '../sql-store.js'

/** A statement that a store has run, for logs and tests. */
export interface RanStatement {
  readonly engine: EngineName
  /**
   * The name of its shape, the same for all values: `list albums`, `list albums.tracks` (a relation), `insert albums`,
   * `commit`; null for a statement of the application.
   */
  readonly shape: string | null
  /** The table that it reads or writes first, with its schema if it has one; null if that is unknown. */
  readonly table: string | null
  readonly sql: string
  /** The query parameters, as passed to the driver. They include values that clients sent. */
  readonly values: readonly unknown[]
  readonly milliseconds: number
  /** How many rows were returned or written; null if the statement failed. */
  readonly rows: number | null
  /** The error if the statement failed, else null. */
  readonly error: unknown
  /** The request that it ran for; null if there was none. */
  readonly context: RequestContext | null
  readonly inTransaction: boolean
  /** Whether it only begins or ends a transaction or a savepoint: `begin`, `commit`, `rollback`, `savepoint`, `release`. */
  readonly isTransactionControl: boolean
}

/** A function that gets each statement after it has run. */
export type StatementReport = (ran: RanStatement) => void

/** The request and the transaction of a statement, which are reported with it. */
interface WatchedRun extends Pick<SqlRunOptions, 'context'> {
  readonly transaction: object | null
  readonly isTransactionControl?: boolean
}

/** The counters of a store since it was opened. */
export interface StoreCounts {
  statements: number
  /** How many transactions were begun, including retries. */
  transactions: number
  retries: number
}

/** Counts the statements of a store, and reports them. */
export interface StatementWatch {
  readonly counts: StoreCounts
  /** Whether statements are reported. Else one outside of a traced request may be counted, and run without `run`. */
  readonly hasReports: boolean
  /** Runs a statement. */
  run(statement: SqlStatement, options: WatchedRun, run: () => Promise<SqlResult>): Promise<SqlResult>
}

/** Returns a watch that passes each statement to the reports after it has run. */
export function statementWatch(engine: EngineName, reports: readonly StatementReport[] = []): StatementWatch {
  const counts: StoreCounts = { statements: 0, transactions: 0, retries: 0 }
  return Object.freeze<StatementWatch>({
    counts,
    hasReports: reports.length > 0,
    run(statement, options, run) {
      if (options.isTransactionControl !== true) counts.statements += 1
      const trace = currentTrace()
      if (reports.length === 0 && trace === null) return run()
      return reported(statement, options, { engine, reports, trace, run })
    },
  })
}

interface ReportedRun {
  readonly engine: EngineName
  readonly reports: readonly StatementReport[]
  /** The trace of the request; null if there is none. */
  readonly trace: RequestTrace | null
  readonly run: () => Promise<SqlResult>
}

async function reported(
  { sql, values, label }: SqlStatement,
  { context, transaction, isTransactionControl = false }: WatchedRun,
  { engine, reports, trace, run }: ReportedRun,
): Promise<SqlResult> {
  const started = performance.now()
  const inTransaction = transaction !== null
  const shape = label?.name ?? (isTransactionControl ? (sql.split(' ', 1)[0] ?? sql) : null)
  const table = label?.table ?? null
  const text = trace === null || label ? sql : withoutLiterals(sql)
  const endTrace = trace?.statement({ engine, sql: text, shape, table })
  const report = (rows: number | null, error: unknown): void => {
    const milliseconds = performance.now() - started
    endTrace?.(rows, error)
    const outcome = { milliseconds, rows, error }
    const ran = { engine, shape, table, sql, values, ...outcome, context, inTransaction, isTransactionControl }
    for (const each of reports) {
      try {
        each(ran)
      } catch {
        // An error of the listener must not fail the statement.
      }
    }
  }
  try {
    const result = await run()
    report(result.rows.length === 0 ? result.changes : result.rows.length, null)
    return result
  } catch (thrown) {
    report(null, thrown)
    throw thrown
  }
}

/** Quoted names, which stay unchanged, and then the literals: texts, texts between dollar signs, and numbers. */
const literals = /("(?:[^"]|"")*")|'(?:[^']|'')*'|\$([a-z_]*)\$[^]*?\$\2\$|(?<![\w$?])\d+(?:\.\d+)?(?![\w$])/gi

/**
 * Returns the text of a statement with `?` instead of literals. Statements of the store have values in their parameters only. The
 * application may write values into the text of its own statements.
 */
export function withoutLiterals(sql: string): string {
  return sql.replaceAll(literals, (_, name: string | undefined) => name ?? '?')
}

/**
 * The option `slowStatements` of `sqlData()`: which statements are logged, and where.
 *
 * @example
 * ```ts
 * const slowStatements = { milliseconds: 100, logger: console }
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
    const entry = {
      shape,
      milliseconds: Math.round(milliseconds * 1000) / 1000,
      rows,
      error: error === null ? null : codeOf(error),
      engine,
      inTransaction,
      ...membersOf(context),
      sql: shape === null ? withoutLiterals(text) : text,
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
