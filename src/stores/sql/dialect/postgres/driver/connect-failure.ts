import type { ErrorMembers } from './postgres-fault.js'
import { NoConnection } from './postgres-fault.js'

/**
 * Describes in one sentence why there is no connection, for the operator of the service. Contains no secrets: no
 * password, no connection string. Null for an error that is not a failure to connect.
 */
export function describeConnectFailure(thrown: unknown): string | null {
  const reason = thrown instanceof NoConnection ? thrown.cause : thrown
  if (typeof reason !== 'object' || reason === null) return null
  const error = firstError(reason)
  const code = typeof error.code === 'string' ? error.code : ''
  const message = typeof error.message === 'string' ? error.message : ''
  return byCode(code, message, error) ?? messages.find(([form]) => form.test(message))?.[1] ?? null
}

/** Returns the first error of several: a host name with several addresses fails with a similar error for each. */
function firstError(thrown: object): ErrorMembers {
  const error: ErrorMembers = thrown
  const [first]: readonly unknown[] = Array.isArray(error.errors) ? error.errors : []
  return typeof first === 'object' && first !== null && error.address === undefined ? first : error
}

function byCode(code: string, message: string, error: ErrorMembers): string | null {
  // The name of the user or the database is quoted in the message, with the quotes of the server's language.
  const name = /["»„«“]([^"»„«“”]+)["«“»”]/u.exec(message)?.[1]
  switch (code) {
    case '28P01':
      return `PostgreSQL refuses the password${name === undefined ? '' : ` of the user '${name}'`}.`
    case '28000':
      return `PostgreSQL refuses the connection: ${reasonOf(message, name)}.`
    case '3D000':
      return `PostgreSQL has no database${name === undefined ? ' of that name' : ` '${name}'`}.`
    case '53300':
      return 'PostgreSQL has no connection left: lower the `max` of the pool, or raise `max_connections` of the server.'
    case '57P03':
      return 'PostgreSQL is starting up or shutting down.'
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `No PostgreSQL server listens${at(error)}.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host of the PostgreSQL server${typeof error.hostname === 'string' ? `, '${error.hostname}',` : ''} cannot be resolved.`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'EHOSTDOWN':
    case 'ENETUNREACH':
      return `The PostgreSQL server${at(error)} does not respond.`
    case 'ECONNRESET':
    case 'EPIPE':
      return ended
    default:
      return certificate.test(code) ? `The TLS connection to the PostgreSQL server fails (${code}).` : null
  }
}

const certificate = /CERT|ERR_TLS|UNABLE_TO_(?:VERIFY|GET)|^ERR_SSL|^EPROTO$/

const ended = 'The PostgreSQL server ended the connection before it was usable.'

function reasonOf(message: string, name: string | undefined): string {
  if (message.includes('pg_hba.conf')) {
    return message.includes('no encryption')
      ? 'its pg_hba.conf has no entry for this connection without TLS'
      : 'its pg_hba.conf has no entry for this connection'
  }
  return name === undefined ? 'it does not know the user' : `it does not know the user '${name}'`
}

function at({ address, port }: ErrorMembers): string {
  if (typeof address !== 'string') return ''
  if (typeof port !== 'number') return ` at ${address}`
  return address.includes(':') ? ` at [${address}]:${port}` : ` at ${address}:${port}`
}

/** The messages of errors of pg and its pool, which have no codes. The first match counts. */
const messages: readonly (readonly [form: RegExp, description: string])[] = [
  [/^The server does not support SSL/, 'The PostgreSQL server does not support TLS.'],
  [/^There was an error establishing an SSL/, 'The PostgreSQL server refuses TLS.'],
  [
    /^SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be/,
    'PostgreSQL requires a password, and the pool has none.',
  ],
  [/^SASL/, 'The pool and the PostgreSQL server do not agree on how to check the password.'],
  [
    /^timeout e|^Connection terminated due to connection timeout/,
    'The PostgreSQL server gave no connection in the time that the pool allows.',
  ],
  [/^Connection terminated/, ended],
  [/^Cannot use a pool after calling end/, 'The connection pool was ended.'],
]
