import type { SqlFault } from '../sql-fault.js'
import { StalePlan } from './stale-plan.js'

/** What pg tells of an error of the server, and of one of the network. */
interface Told {
  readonly code?: unknown
  readonly message?: unknown
  readonly detail?: unknown
  readonly table?: unknown
  readonly column?: unknown
  readonly constraint?: unknown
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

/** pg and its pool have no codes of their own: these are how their sentences start. */
const lostSentences: readonly string[] = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
]

const unavailable: SqlFault = { kind: 'unavailable' }

/** What an error of PostgreSQL or of the way to it says, by its SQLSTATE. `null` for one that is neither's. */
export function postgresFault(thrown: unknown): SqlFault | null {
  if (typeof thrown !== 'object' || thrown === null) return null
  if (thrown instanceof StalePlan) return { kind: 'conflict' }
  const told: Told = thrown
  const { code } = told
  if (typeof code === 'string') {
    if (lostCodes.has(code)) return unavailable
    if (isState(code, told)) return ofState(code, told)
  }
  const message = textOf(told.message) ?? ''
  if (message === 'Query read timeout') return { kind: 'timeout' }
  return lostSentences.some((sentence) => message.startsWith(sentence)) ? unavailable : null
}

/** Errors of Node have codes of five letters too, such as `EPERM`: those of the server say how severe they are. */
function isState(code: string, told: Told): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && 'severity' in told
}

function ofState(code: string, told: Told): SqlFault {
  const table = textOf(told.table)
  const constraint = textOf(told.constraint)
  switch (code) {
    case '23505':
      return { kind: 'unique', table, constraint, columns: columnsOf(textOf(told.detail)) }
    case '23P01': // An exclusion: what collides are not equal values of columns.
      return { kind: 'unique', table, constraint, columns: null }
    case '23503':
    case '23001': // Still pointed at, where the foreign key says `on delete restrict`.
      return { kind: 'foreignKey', table, constraint }
    case '23502':
      return { kind: 'notNull', table, column: textOf(told.column) }
    case '23514':
    case '23000':
    case '44000': // Against the `check option` of a view.
      return { kind: 'check', table, constraint }
    case '40001':
    case '40P01':
    case '55P03':
      return { kind: 'conflict' }
    case '57014':
    case '25P04':
      return { kind: 'timeout' }
    case '54000': // A text too long for its index, above all.
      return { kind: 'value' }
    case '40003': // Nobody knows whether it was done.
    case '25P03':
    case '3D000':
      return unavailable
    default:
      if (isStalePlan(told)) return { kind: 'conflict' }
      return { kind: ofClass(code) }
  }
}

function ofClass(code: string): 'value' | 'unavailable' | 'other' {
  switch (code.slice(0, 2)) {
    case '22':
      return 'value'
    case '08': // Connections.
    case '28': // Who may connect.
    case '53': // Out of connections, memory or disk.
      return 'unavailable'
    case '57': // Shutting down, starting up, or ended by an operator.
      return code.startsWith('57P') ? 'unavailable' : 'other'
    default:
      return 'other'
  }
}

/**
 * Whether a connection has a statement prepared that no longer fits its tables, or not at all any more. On another
 * connection it is prepared anew.
 */
export function isStalePlan(thrown: unknown): boolean {
  return thrown instanceof StalePlan || isRefusedPlan(thrown)
}

/** The same where the server has said so, and has run nothing. */
export function isRefusedPlan(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false
  const { code, message }: Told = thrown
  // The sentence is in the language of the server; its other reasons for this code come from what statements never do.
  if (code === '26000') return true
  return code === '0A000' && 'routine' in thrown && thrown.routine === 'RevalidateCachedQuery' && message !== undefined
}

const identifier = String.raw`(?:[a-z_][a-z0-9_$]*|"(?:[^"]|"")+")`
/** Only names may stand in the first parentheses: of an expression nobody can tell which columns it is about. */
const keyNames = new RegExp(`^[^(]*\\((${identifier}(?:, ${identifier})*)\\)=\\(`)

/** The columns of `Key (artist_id, "Title")=(1, Blue) already exists.`, in whatever language the server speaks. */
function columnsOf(detail: string | null): readonly string[] | null {
  const names = detail === null ? undefined : keyNames.exec(detail)?.[1]
  if (names === undefined) return null
  const found = names.match(new RegExp(identifier, 'g')) ?? []
  return found.map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name))
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
