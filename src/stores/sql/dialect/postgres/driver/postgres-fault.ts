import type { SqlFault } from '../../../driver/sql-statement.js'

/** Thrown if a pool cannot provide a connection. The error of the pool is the cause. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'

  constructor(cause: unknown) {
    super('The pool could not provide a connection to PostgreSQL.', { cause })
  }
}

/** Thrown if a prepared statement returns other columns than before. It must be prepared again. */
export class StalePlan extends Error {
  override readonly name = 'StalePlan'

  constructor() {
    super('A prepared statement returns other columns than it was prepared with.')
  }
}

/** Thrown if PostgreSQL refuses the role or a setting of the option `session`. */
export class SessionRefused extends Error {
  override readonly name = 'SessionRefused'

  constructor(cause: unknown) {
    super("PostgreSQL refused the role or a setting that the option 'session' of sqlData() returned.", { cause })
  }
}

/** The reason why a running statement was stopped. */
export type StopReason = 'timeout' | 'cancelled'

const sentences: Readonly<Record<StopReason, string>> = {
  timeout: 'The statement took longer than the statement timeout allows.',
  cancelled: 'The client disconnected, and its statement was cancelled.',
}

/** Thrown instead of the error of the database, which is the same for both reasons. */
export class StoppedStatement extends Error {
  override readonly name = 'StoppedStatement'
  readonly reason: StopReason

  constructor(reason: StopReason, cause?: unknown) {
    super(sentences[reason], cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

/** The members of errors of the server and of the network, as pg throws them. */
export interface ErrorMembers {
  readonly code?: unknown
  readonly message?: unknown
  readonly detail?: unknown
  readonly table?: unknown
  readonly column?: unknown
  readonly constraint?: unknown
  readonly dataType?: unknown
  readonly routine?: unknown
  readonly address?: unknown
  readonly hostname?: unknown
  readonly port?: unknown
  readonly errors?: unknown
}

/** Errors of sockets and of name lookups. */
const lostCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ERR_STREAM_DESTROYED',
  'ERR_SOCKET_CLOSED',
])

/** The beginnings of messages of pg and its pool, whose errors have no codes. */
const lostMessages: readonly string[] = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
]

/** A fault without details. */
type PlainFault = Exclude<SqlFault, { readonly table: string | null }>

const unavailable: SqlFault = { kind: 'unavailable' }

/** Classifies an error of PostgreSQL by its SQLSTATE, or one of the connection to it. Null for any other error. */
export function postgresFault(thrown: unknown): SqlFault | null {
  if (typeof thrown !== 'object' || thrown === null) return null
  if (thrown instanceof StalePlan) return { kind: 'conflict' }
  const error: ErrorMembers = thrown
  const { code } = error
  if (typeof code === 'string') {
    if (lostCodes.has(code)) return unavailable
    // An SQLSTATE. Errors of Node have five-letter codes too, such as `EPERM`, but no `severity`.
    if (/^[0-9A-Z]{5}$/.test(code) && 'severity' in error) return ofState(code, error)
  }
  const message = textOf(error.message) ?? ''
  if (message === 'Query read timeout') return { kind: 'timeout' }
  return lostMessages.some((beginning) => message.startsWith(beginning)) ? unavailable : null
}

/** The routine of the server that runs `raise exception` of PL/pgSQL. Its name is the same in all languages. */
const raising = 'exec_stmt_raise'

/**
 * Classifies an error that `raise exception` may have given any SQLSTATE. Errors of the connection or the transaction keep their meaning.
 * Others were raised by the application, unless they name a constraint.
 */
function ofState(code: string, error: ErrorMembers): SqlFault {
  const fault = ofServerState(code, error)
  if (error.routine !== raising) return fault
  switch (fault.kind) {
    case 'unique':
    case 'foreignKey':
    case 'check':
      return fault.constraint === null ? { kind: 'raised' } : { ...fault, raisedAs: fault.constraint }
    case 'notNull':
      return fault.column === null ? { kind: 'raised' } : fault
    case 'value':
    case 'other':
      return { kind: 'raised' }
    default:
      return fault
  }
}

function ofServerState(code: string, error: ErrorMembers): SqlFault {
  const table = textOf(error.table)
  const constraint = textOf(error.constraint)
  switch (code) {
    case '23505':
      return { kind: 'unique', table, constraint, columns: columnsOf(textOf(error.detail)) }
    case '23P01': // An exclusion constraint: the values of the columns need not be equal to conflict.
      return { kind: 'unique', table, constraint, columns: null }
    case '23503':
    case '23001': // The row is still referred to by a foreign key with `on delete restrict`.
      return { kind: 'foreignKey', table, constraint }
    case '23502':
      return { kind: 'notNull', table, column: textOf(error.column) }
    case '23514':
      // The check of a domain: the value does not fit the type of its column.
      if (table === null && textOf(error.dataType) !== null) return { kind: 'value' }
      return { kind: 'check', table, constraint, ...(constraint === null && partitionOf(textOf(error.detail))) }
    case '23000':
    case '44000': // The `check option` of a view.
      return { kind: 'check', table, constraint }
    default:
      if (isStalePlan(error)) return { kind: 'conflict' }
      return { kind: kinds[code] ?? kinds[code.slice(0, 3)] ?? kinds[code.slice(0, 2)] ?? kindOfUnknown(code) }
  }
}

/** The kinds of other states, by the state or by its beginning. */
const kinds: Readonly<Record<string, PlainFault['kind'] | undefined>> = {
  '40001': 'conflict',
  '40P01': 'conflict',
  '55P03': 'conflict',
  '25P02': 'aborted',
  '57014': 'timeout',
  '25P04': 'timeout',
  P0001: 'raised',
  '42501': 'forbidden',
  '54000': 'value', // Usually a text that is too long for its index.
  '40003': 'unavailable', // It is unknown whether the statement completed.
  '25006': 'unavailable', // A write on a server in recovery: a standby that is not promoted yet.
  '25P03': 'unavailable',
  '3D000': 'unavailable',
  '08': 'unavailable', // Connection errors.
  '28': 'unavailable', // Authorization of the connection.
  '53': 'unavailable', // Out of connections, memory or disk.
  '57P': 'unavailable', // Shutting down, starting up, or ended by an operator.
  '22': 'value',
}

/** The classes of PostgreSQL among the implementation-defined ones of the standard. All others belong to the application. */
const postgresClasses: ReadonlySet<string> = new Set(['53', '54', '55', '57', '58', '72', 'P0', 'XX'])

function kindOfUnknown(code: string): 'raised' | 'other' {
  return /^[5-9I-Z]/.test(code) && !postgresClasses.has(code.slice(0, 2)) ? 'raised' : 'other'
}

/**
 * Returns whether the prepared statement of a connection no longer matches its tables, or is no longer prepared. It must be prepared again.
 */
export function isStalePlan(thrown: unknown): boolean {
  return thrown instanceof StalePlan || isRefusedPlan(thrown)
}

/** Returns whether the connection already has a prepared statement of that name, from another client. */
export function isDuplicatePlan(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === '42P05'
}

/** Returns whether the server rejected a stale prepared statement, so that nothing has run. */
export function isRefusedPlan(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false
  const { code, message }: ErrorMembers = thrown
  // The message is in the language of the server, so the routine is compared. Other causes of this code do not occur
  // here.
  if (code === '26000') return true
  return code === '0A000' && 'routine' in thrown && thrown.routine === 'RevalidateCachedQuery' && message !== undefined
}

const identifier = String.raw`(?:[a-z_][a-z0-9_$]*|"(?:[^"]|"")+")`
/** Matches only if the first parentheses contain column names. The columns of an index expression are unknown. */
const keyNames = new RegExp(`^[^(]*\\((${identifier}(?:, ${identifier})*)\\)=\\(`)

/** Returns the columns of `Partition key of the failing row contains (paid_at) = (…).`, in any language of the server. */
function partitionOf(detail: string | null): { readonly partitionedBy: readonly string[] } | null {
  const columns = columnsOf(detail?.replace(') = (', ')=(') ?? null)
  return columns === null ? null : { partitionedBy: columns }
}

/** Returns the columns of `Key (artist_id, "Title")=(1, Blue) already exists.`, in any language of the server. */
function columnsOf(detail: string | null): readonly string[] | null {
  const names = detail === null ? undefined : keyNames.exec(detail)?.[1]
  if (names === undefined) return null
  const found = names.match(new RegExp(identifier, 'g')) ?? []
  return found.map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name))
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
