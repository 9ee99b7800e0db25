import type { SqlFault } from '../../../driver/sql-statement.js'

/** The members of the libraries' errors. No library sets all of them, and some set only the message. */
interface SqliteError {
  readonly message: string
  /** `ERR_SQLITE_ERROR`, `SQLITE_CONSTRAINT_UNIQUE`. */
  readonly code: string | null
  /** The extended result code. */
  readonly errcode: number | null
}

/** The faults of errors that the driver creates, such as a timeout while waiting for the connection. */
const driverFaults = new WeakMap<object, SqlFault>()

export function sqliteError(fault: SqlFault, message: string, cause?: unknown): Error {
  const error = new Error(message, cause === undefined ? undefined : { cause })
  driverFaults.set(error, fault)
  return error
}

/** Classifies an error of an SQLite library or of the driver. Null for any other error. */
export function sqliteFaultOf(thrown: unknown): SqlFault | null {
  if (typeof thrown !== 'object' || thrown === null) return null
  const driverFault = driverFaults.get(thrown)
  if (driverFault !== undefined) return driverFault
  const error = sqliteErrorOf(thrown)
  return error === null ? null : (constraintFault(error) ?? otherFault(error))
}

/** Returns whether an error is about a read-only database. */
export function isReadOnly(thrown: unknown): boolean {
  const error = sqliteErrorOf(thrown)
  return error !== null && isOf(error, 'READONLY')
}

/**
 * Returns whether another connection holds the lock, so that a retry may succeed.
 *
 * @param isInTransaction returns whether a transaction is open on the connection
 */
export function isBusy(thrown: unknown, isInTransaction: () => boolean): boolean {
  const error = sqliteErrorOf(thrown)
  if (error === null || !isOf(error, 'BUSY')) return false
  // The rows that the statement has read were changed by another connection before it got the lock. The next attempt reads them again,
  // but a transaction cannot: it can never write.
  return !isOf(error, 'BUSY_SNAPSHOT') || !isInTransaction()
}

/** Describes in one sentence why a database cannot be used at all. Null for other errors. */
export function describeOpenFailure(thrown: unknown): string | null {
  if (sqliteFaultOf(thrown)?.kind === 'timeout') return lockedByOther
  const error = sqliteErrorOf(thrown)
  if (error === null) return null
  if (isClosed(error)) return 'The SQLite database was closed.'
  if (isOf(error, 'CANTOPEN'))
    return 'The SQLite database cannot be opened: its folder does not exist or is not writable.'
  if (isOf(error, 'READONLY')) return 'The SQLite database is read-only: its file or its folder is write-protected.'
  if (isOf(error, 'NOTADB')) return 'The file is not an SQLite database.'
  if (isOf(error, 'CORRUPT')) return 'The SQLite database is damaged.'
  return isOf(error, 'BUSY') ? lockedByOther : null
}

const lockedByOther = 'Another process has locked the SQLite database.'

/**
 * Returns an error with its result code.
 *
 * @param again repeats the statement and returns its error, which has a result code; called only if it is needed
 */
export function withResultCode(thrown: unknown, again: () => unknown): unknown {
  const error = sqliteErrorOf(thrown)
  if (error === null || error.errcode !== null || sqliteFaultOf(thrown)?.kind !== 'other') return thrown
  const repeated = again()
  return sqliteErrorOf(repeated)?.errcode === undefined ? thrown : repeated
}

/** Returns whether an integer was read that a number cannot represent exactly. */
export function isTooLargeForNumber(thrown: unknown): boolean {
  const error = sqliteErrorOf(thrown)
  return error !== null && (error.code === 'ERR_OUT_OF_RANGE' || error.message.startsWith('Value is too large to be'))
}

function sqliteErrorOf(thrown: unknown): SqliteError | null {
  if (!(thrown instanceof Error)) return null
  const { message, name } = thrown
  const { code, errcode } = thrown as { readonly code?: unknown; readonly errcode?: unknown }
  const error = {
    message,
    code: typeof code === 'string' ? code : null,
    errcode: typeof errcode === 'number' ? errcode : null,
  }
  const isOfLibrary =
    name === 'SqliteError' ||
    error.errcode !== null ||
    error.code === 'ERR_SQLITE_ERROR' ||
    error.code?.startsWith('SQLITE_') === true ||
    isRefusedValue(error) ||
    isClosed(error) ||
    error.code === 'ERR_OUT_OF_RANGE'
  return isOfLibrary ? error : null
}

/** The result codes by name, with the beginning of their messages, for errors that have neither a name nor a number. */
const results = {
  CONSTRAINT_UNIQUE: [2067, 'UNIQUE constraint failed'],
  CONSTRAINT_PRIMARYKEY: [1555, 'UNIQUE constraint failed'],
  CONSTRAINT_ROWID: [2579, 'UNIQUE constraint failed'],
  CONSTRAINT_FOREIGNKEY: [787, 'FOREIGN KEY constraint failed'],
  CONSTRAINT_TRIGGER: [1811, null],
  CONSTRAINT_NOTNULL: [1299, 'NOT NULL constraint failed'],
  CONSTRAINT_CHECK: [275, 'CHECK constraint failed'],
  CONSTRAINT_DATATYPE: [3091, 'cannot store '],
  MISMATCH: [20, 'datatype mismatch'],
  TOOBIG: [18, 'string or blob too big'],
  BUSY: [5, 'database is locked'],
  BUSY_SNAPSHOT: [517, null],
  LOCKED: [6, 'database table is locked'],
  NOMEM: [7, 'out of memory'],
  IOERR: [10, 'disk I/O error'],
  FULL: [13, 'database or disk is full'],
  CANTOPEN: [14, 'unable to open database file'],
  PROTOCOL: [15, 'locking protocol'],
  READONLY: [8, 'attempt to write a readonly database'],
  CORRUPT: [11, 'database disk image is malformed'],
  NOTADB: [26, 'file is not a database'],
} as const satisfies Record<string, readonly [number, string | null]>

type ResultName = keyof typeof results

/**
 * Returns whether an error has a result code. A primary code includes its extended codes: its number is their lowest byte, and
 * their names begin with its name.
 */
function isOf({ errcode, code, message }: SqliteError, name: ResultName): boolean {
  const [number, beginning] = results[name]
  if (errcode !== null && errcode !== 0) return errcode === number || (number < 256 && (errcode & 255) === number)
  if (code?.startsWith('SQLITE_') === true) return code === `SQLITE_${name}` || code.startsWith(`SQLITE_${name}_`)
  return beginning !== null && message.startsWith(beginning)
}

function constraintFault(error: SqliteError): SqlFault | null {
  const { message } = error
  const is = (name: ResultName): boolean => isOf(error, name)
  if (is('CONSTRAINT_UNIQUE') || is('CONSTRAINT_PRIMARYKEY') || is('CONSTRAINT_ROWID')) return uniqueFault(message)
  // SQLite reports a violation of `on delete restrict` as an error of an internal trigger.
  const isRestricted = is('CONSTRAINT_TRIGGER') && message.startsWith(results.CONSTRAINT_FOREIGNKEY[1])
  if (is('CONSTRAINT_FOREIGNKEY') || isRestricted) return { kind: 'foreignKey', table: null, constraint: null }
  if (is('CONSTRAINT_TRIGGER')) return { kind: 'raised' }
  if (is('CONSTRAINT_NOTNULL')) {
    const named = columnsNamed(afterColon(message))
    return { kind: 'notNull', table: named?.table ?? null, column: named?.columns[0] ?? null }
  }
  // The message contains the name of the constraint, or its expression if it has no name.
  if (is('CONSTRAINT_CHECK')) return { kind: 'check', table: null, constraint: afterColon(message) || null }
  if (is('CONSTRAINT_DATATYPE') || is('MISMATCH') || is('TOOBIG') || isRefusedValue(error)) return { kind: 'value' }
  return null
}

/**
 * Classifies errors other than constraints. Errors that may be temporary are `unavailable`: a full or failing disk, a
 * file that cannot be opened now. A corrupt file, or one that is not a database, needs an operator and is `other`.
 */
function otherFault(error: SqliteError): SqlFault {
  const is = (name: ResultName): boolean => isOf(error, name)
  if (is('BUSY') || is('LOCKED')) return { kind: 'conflict' }
  if (is('CANTOPEN') || is('IOERR') || is('FULL') || is('NOMEM') || is('PROTOCOL') || isClosed(error)) {
    return { kind: 'unavailable' }
  }
  return { kind: 'other' }
}

/**
 * Returns the fault of a unique constraint. SQLite reports an index over expressions by its name, others by their
 * columns.
 */
function uniqueFault(message: string): SqlFault {
  const target = afterColon(message)
  const index = /^index '(.*)'$/s.exec(target)?.[1]
  if (index !== undefined) return { kind: 'unique', table: null, columns: null, constraint: index }
  const named = columnsNamed(target)
  return { kind: 'unique', table: named?.table ?? null, columns: named?.columns ?? null, constraint: null }
}

function afterColon(message: string): string {
  const at = message.indexOf('constraint failed: ')
  return at < 0 ? '' : message.slice(at + 'constraint failed: '.length)
}

/** Parses `albums.title, albums.artist_id`. Null for names with commas or dots, which make the text ambiguous. */
function columnsNamed(text: string): { readonly table: string; readonly columns: readonly string[] } | null {
  const parts = text.split(', ').map((part) => part.split('.'))
  const table = parts[0]?.[0]
  if (table === undefined || !parts.every((part) => part.length === 2 && part[0] === table)) return null
  return { table, columns: parts.map((part) => part[1] ?? '') }
}

/** Returns whether a library rejected a parameter value before it reached the database. */
function isRefusedValue({ message }: SqliteError): boolean {
  return /^(?:Provided value cannot be bound|BigInt value is too large|SQLite3 can only bind|The bound string)/.test(
    message,
  )
}

function isClosed({ message }: SqliteError): boolean {
  return /^(?:database is not open|Database connection is closed|The database connection is not open)/i.test(message)
}
