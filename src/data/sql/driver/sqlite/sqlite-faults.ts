import type { SqlFault } from '../sql-fault.js'

/** What the libraries put on their errors; none of them says all of it, and some say nothing but the message. */
interface SqliteError {
  readonly message: string
  /** `ERR_SQLITE_ERROR`, `SQLITE_CONSTRAINT_UNIQUE`. */
  readonly code: string | null
  /** The extended result code. */
  readonly errcode: number | null
}

/** Our own errors that say a kind, such as a turn that did not come. */
const ownFaults = new WeakMap<object, SqlFault>()

export function sqliteError(fault: SqlFault, message: string): Error {
  const error = new Error(message)
  ownFaults.set(error, fault)
  return error
}

/** What an error of an SQLite library says; `null` for one of somebody else. */
export function sqliteFaultOf(thrown: unknown): SqlFault | null {
  if (typeof thrown !== 'object' || thrown === null) return null
  const own = ownFaults.get(thrown)
  if (own !== undefined) return own
  const error = sqliteErrorOf(thrown)
  return error === null ? null : (constraintFault(error) ?? otherFault(error))
}

/** Whether the file may only be read. */
export function isReadOnly(thrown: unknown): boolean {
  const error = sqliteErrorOf(thrown)
  return error !== null && isOf(error, 'READONLY')
}

/** Whether another connection has the lock, and it is worth to ask again. */
export function isBusy(thrown: unknown): boolean {
  const error = sqliteErrorOf(thrown)
  // A transaction that has read what others have changed since will never be let write.
  return error !== null && isOf(error, 'BUSY') && !isOf(error, 'BUSY_SNAPSHOT')
}

/** One sentence on why a database cannot be worked with at all; `null` where it is something else. */
export function describeOpenFailure(thrown: unknown): string | null {
  const error = sqliteErrorOf(thrown)
  if (error === null) return null
  if (isClosed(error)) return 'The SQLite database was closed.'
  if (isOf(error, 'CANTOPEN'))
    return 'The SQLite database cannot be opened: its folder is not there, or may not be written to.'
  if (isOf(error, 'READONLY')) return 'The SQLite database may only be read: its file or its folder is write-protected.'
  if (isOf(error, 'NOTADB')) return 'The file is not an SQLite database.'
  if (isOf(error, 'CORRUPT')) return 'The SQLite database is damaged.'
  if (isOf(error, 'BUSY')) return 'Another process keeps the SQLite database locked.'
  return null
}

/** Whether a whole number was met that a number cannot hold exactly. */
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

/** Result codes by name, and what the message of each begins with, for errors that have neither name nor number. */
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

/** A plain result covers the extended ones of it: its number is their lowest byte, its name how theirs begins. */
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
  // What `on delete restrict` refuses is told as a trigger of SQLite's own.
  const isRestricted = is('CONSTRAINT_TRIGGER') && message.startsWith(results.CONSTRAINT_FOREIGNKEY[1])
  if (is('CONSTRAINT_FOREIGNKEY') || isRestricted) return { kind: 'foreignKey', table: null, constraint: null }
  if (is('CONSTRAINT_NOTNULL')) {
    const named = columnsNamed(afterColon(message))
    return { kind: 'notNull', table: named?.table ?? null, column: named?.columns[0] ?? null }
  }
  // The name of the constraint, or its text where it has none.
  if (is('CONSTRAINT_CHECK')) return { kind: 'check', table: null, constraint: afterColon(message) || null }
  if (is('CONSTRAINT_DATATYPE') || is('MISMATCH') || is('TOOBIG') || isRefusedValue(error)) return { kind: 'value' }
  return null
}

/**
 * What waiting may cure is unavailable: a disk that is full or does not answer, a file that cannot be opened now. A file
 * that is damaged or no database stays so, and somebody has to look at it.
 */
function otherFault(error: SqliteError): SqlFault {
  const is = (name: ResultName): boolean => isOf(error, name)
  if (is('BUSY') || is('LOCKED')) return { kind: 'conflict' }
  if (is('CANTOPEN') || is('IOERR') || is('FULL') || is('NOMEM') || is('PROTOCOL') || isClosed(error)) {
    return { kind: 'unavailable' }
  }
  return { kind: 'other' }
}

/** An index of expressions is told by its name. */
function uniqueFault(message: string): SqlFault {
  const what = afterColon(message)
  const index = /^index '(.*)'$/s.exec(what)?.[1]
  if (index !== undefined) return { kind: 'unique', table: null, columns: null, constraint: index }
  const named = columnsNamed(what)
  return { kind: 'unique', table: named?.table ?? null, columns: named?.columns ?? null, constraint: null }
}

function afterColon(message: string): string {
  const at = message.indexOf('constraint failed: ')
  return at < 0 ? '' : message.slice(at + 'constraint failed: '.length)
}

/** `albums.title, albums.artist_id`. Names may have commas and dots in them: then nothing is known. */
function columnsNamed(text: string): { readonly table: string; readonly columns: readonly string[] } | null {
  const parts = text.split(', ').map((part) => part.split('.'))
  const table = parts[0]?.[0]
  if (table === undefined || !parts.every((part) => part.length === 2 && part[0] === table)) return null
  return { table, columns: parts.map((part) => part[1] ?? '') }
}

/** Values that a library does not even give to the database. */
function isRefusedValue({ message }: SqliteError): boolean {
  return /^(?:Provided value cannot be bound|BigInt value is too large|SQLite3 can only bind|The bound string)/.test(
    message,
  )
}

function isClosed({ message }: SqliteError): boolean {
  return /^(?:database is not open|Database connection is closed|The database connection is not open)/i.test(message)
}
