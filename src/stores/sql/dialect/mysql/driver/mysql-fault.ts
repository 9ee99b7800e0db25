import type { SqlFault } from '../../../driver/sql-statement.js'

/** The members of errors of the server and of the network, as `mysql2` throws them. */
interface ErrorMembers {
  readonly code?: unknown
  readonly errno?: unknown
  readonly sqlState?: unknown
  readonly sqlMessage?: unknown
  readonly message?: unknown
}

/** Thrown if a pool cannot provide a connection that can be used. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'

  constructor(cause: unknown) {
    super('The pool could not provide a connection to the database.', { cause })
  }
}

/** Thrown if a statement would run after the server has rolled back its transaction. */
export class TransactionLost extends Error {
  override readonly name = 'TransactionLost'

  constructor(cause: unknown) {
    super('The server has rolled back the whole transaction: it runs no more statements.', { cause })
  }
}

/** Errors of the server that mean that it cannot serve the connection now. */
const unavailableNumbers: ReadonlySet<number> = new Set([
  1040, // Too many connections.
  1042, // Bad host.
  1043, // Bad handshake.
  1047, // A node of a cluster that is not ready for statements.
  1053, // The server shuts down.
  1077,
  1078,
  1079,
  1080,
  1081,
  1129, // The host is blocked.
  1152, // Aborted connection.
  1158,
  1159,
  1160,
  1161,
  1184,
  1203, // Too many connections of the user.
  1226, // The user has exceeded a resource.
  1927, // The connection was killed.
  2002,
  2003,
  2006,
  2013,
  3169, // The session was killed.
  4031, // The connection was idle for too long.
])

/** Errors of privileges. */
const forbiddenNumbers: ReadonlySet<number> = new Set([1044, 1142, 1143, 1227, 1370, 1410])

/**
 * Errors after which the whole transaction is retried: deadlocks, waits for locks, rows that others have changed, and statements that must be
 * prepared again because a table has changed.
 */
const conflictNumbers: ReadonlySet<number> = new Set([1020, 1205, 1213, 1412, 1613, 1615, 3101, 3572])

/** Errors of a value that does not fit its column. */
const valueNumbers: ReadonlySet<number> = new Set([
  1264, 1265, 1292, 1366, 1367, 1406, 1411, 1416, 1425, 1441, 1690, 3140, 3141, 3156,
])

/** Classifies an error of the server by its number, or one of the connection to it. Null for any other error. */
export function mysqlFault(thrown: unknown): SqlFault | null {
  if (typeof thrown !== 'object' || thrown === null) return null
  if (thrown instanceof NoConnection) return { kind: 'unavailable' }
  // The whole transaction is retried, also if its code has ignored the first error.
  if (thrown instanceof TransactionLost) return mysqlFault(thrown.cause)
  const { code, errno, sqlState, sqlMessage, message } = thrown as ErrorMembers
  if (typeof sqlState === 'string' && typeof errno === 'number') {
    return ofNumber(errno, typeof sqlMessage === 'string' ? sqlMessage : String(message))
  }
  if (typeof code === 'string' && isLost(code)) return { kind: 'unavailable' }
  if (code === 'PROTOCOL_SEQUENCE_TIMEOUT') return { kind: 'timeout' }
  return typeof message === 'string' && lostMessages.some((beginning) => message.startsWith(beginning))
    ? { kind: 'unavailable' }
    : null
}

/** Returns whether an error means that the server has rolled back the transaction, or that it must be rolled back. */
export function losesTransaction(thrown: unknown): boolean {
  const kind = mysqlFault(thrown)?.kind
  return kind === 'conflict' || kind === 'unavailable'
}

/** Errors of sockets, of name lookups, and of the library. */
const lostCodes =
  /^(?:ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ERR_STREAM_DESTROYED|ERR_SOCKET_CLOSED|PROTOCOL_CONNECTION_LOST|PROTOCOL_ENQUEUE_\w+|POOL_\w+)$/

function isLost(code: string): boolean {
  return lostCodes.test(code)
}

/** The beginnings of messages of the library, whose errors have no codes. */
const lostMessages: readonly string[] = [
  "Can't add new command when connection is in closed state",
  'Pool is closed',
  'No connections available',
  'Queue limit reached',
  'connect ETIMEDOUT',
]

function ofNumber(number: number, message: string): SqlFault {
  switch (number) {
    case 1062:
    case 1586:
      return { kind: 'unique', table: null, columns: null, constraint: indexIn(message) }
    case 1048:
    case 1364:
    case 1263:
      return { kind: 'notNull', table: null, column: quotedIn(message) }
    case 1216:
    case 1217:
      return { kind: 'foreignKey', table: null, constraint: null }
    case 1451:
    case 1452:
      return { kind: 'foreignKey', ...foreignKeyIn(message) }
    case 3819:
      return { kind: 'check', table: null, constraint: quotedIn(message) }
    case 4025:
      return { kind: 'check', ...checkIn(message) }
    case 1526:
      return { kind: 'check', table: null, constraint: null }
    case 1644:
      return { kind: 'raised' }
    case 1969:
    case 3024:
      return { kind: 'timeout' }
    case 1317:
      return { kind: 'cancelled' }
    default:
  }
  if (conflictNumbers.has(number)) return { kind: 'conflict' }
  if (valueNumbers.has(number)) return { kind: 'value', column: columnIn(message) }
  if (forbiddenNumbers.has(number)) return { kind: 'forbidden' }
  return unavailableNumbers.has(number) ? { kind: 'unavailable' } : { kind: 'other' }
}

const keyMark = " for key '"

/** Parses `Duplicate entry 'x' for key 'albums.albums_title'`. MariaDB leaves out the table. */
function indexIn(message: string): string | null {
  const start = message.lastIndexOf(keyMark)
  if (start === -1) return null
  const key = message.slice(start + keyMark.length, -1)
  return key.slice(key.indexOf('.') + 1)
}

/** Parses the first quoted name, as in `Column 'title' cannot be null`. */
function quotedIn(message: string): string | null {
  return /'([^']+)'/.exec(message)?.[1] ?? null
}

/** Parses ``a foreign key constraint fails (`music`.`albums`, CONSTRAINT `albums_artist` FOREIGN KEY …``. */
function foreignKeyIn(message: string): { readonly table: string | null; readonly constraint: string | null } {
  const [, table = null, constraint = null] = /\(`[^`]+`\.`([^`]+)`, CONSTRAINT `([^`]+)`/.exec(message) ?? []
  return { table, constraint }
}

/** Parses ``CONSTRAINT `year` failed for `music`.`albums` ``. The name of a check of a column may be that of its table and its column. */
function checkIn(message: string): { readonly table: string | null; readonly constraint: string | null } {
  const [, named = null, table = null] = /^CONSTRAINT `(.+)` failed for `[^`]+`\.`([^`]+)`/.exec(message) ?? []
  const prefix = `${table}.`
  return { table, constraint: named?.startsWith(prefix) === true ? named.slice(prefix.length) : named }
}

/** Parses `Out of range value for column 'year' at row 1`, where a name may be quoted by backticks, with its table. */
function columnIn(message: string): string | null {
  const [, plain, qualified] = /\bcolumn (?:'([^']+)'|(?:`[^`]+`\.)*`([^`]+)`)/.exec(message) ?? []
  return plain ?? qualified ?? null
}
