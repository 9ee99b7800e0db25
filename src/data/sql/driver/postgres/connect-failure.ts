import { NoConnection } from './no-connection.js'

interface Told {
  readonly code?: unknown
  readonly message?: unknown
  readonly address?: unknown
  readonly hostname?: unknown
  readonly port?: unknown
  readonly errors?: unknown
}

/**
 * Why there is no connection, in one sentence for whoever starts the service. Says nothing that was secret: no password,
 * no address of a connection. `null` for what is no failure to connect.
 */
export function describeConnectFailure(thrown: unknown): string | null {
  const reason = thrown instanceof NoConnection ? thrown.cause : thrown
  if (typeof reason !== 'object' || reason === null) return null
  const told = toldBy(reason)
  const code = typeof told.code === 'string' ? told.code : ''
  const message = typeof told.message === 'string' ? told.message : ''
  return byState(code, message) ?? bySocket(code, told) ?? byCertificate(code) ?? byMessage(message)
}

/** A name with several addresses fails with an error for each: they differ in little. */
function toldBy(thrown: object): Told {
  const told: Told = thrown
  const [first]: readonly unknown[] = Array.isArray(told.errors) ? told.errors : []
  return typeof first === 'object' && first !== null && told.address === undefined ? first : told
}

function byState(code: string, message: string): string | null {
  // The names are PostgreSQL's own words about what it was told; they stand in its kind of quotes in every language.
  const name = /["»„«“]([^"»„«“”]+)["«“»”]/u.exec(message)?.[1]
  switch (code) {
    case '28P01':
      return `PostgreSQL refuses the password${name === undefined ? '' : ` of the user '${name}'`}.`
    case '28000':
      return `PostgreSQL does not let this service in: ${reasonOf(message, name)}.`
    case '3D000':
      return `PostgreSQL has no database${name === undefined ? ' of that name' : ` '${name}'`}.`
    case '53300':
      return 'PostgreSQL has no connection left: lower the `max` of the pool, or raise `max_connections` of the server.'
    case '57P03':
      return 'PostgreSQL is starting up or shutting down.'
    default:
      return null
  }
}

function reasonOf(message: string, name: string | undefined): string {
  if (message.includes('pg_hba.conf')) {
    return message.includes('no encryption')
      ? 'its pg_hba.conf has no entry for this connection without TLS'
      : 'its pg_hba.conf has no entry for this connection'
  }
  return name === undefined ? 'it does not know the user' : `it does not know the user '${name}'`
}

function bySocket(code: string, told: Told): string | null {
  switch (code) {
    case 'ECONNREFUSED':
      return `No PostgreSQL server listens${at(told)}.`
    case 'ENOENT':
      return `No PostgreSQL server listens${at(told)}.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host of the PostgreSQL server${typeof told.hostname === 'string' ? `, '${told.hostname}',` : ''} is not known here.`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'EHOSTDOWN':
    case 'ENETUNREACH':
      return `The PostgreSQL server${at(told)} does not answer.`
    case 'ECONNRESET':
    case 'EPIPE':
      return 'The PostgreSQL server ended the connection before it was usable.'
    default:
      return null
  }
}

function at({ address, port }: Told): string {
  if (typeof address !== 'string') return ''
  if (typeof port !== 'number') return ` at ${address}`
  return address.includes(':') ? ` at [${address}]:${port}` : ` at ${address}:${port}`
}

function byCertificate(code: string): string | null {
  const isCertificate = /CERT|ERR_TLS|UNABLE_TO_(?:VERIFY|GET)|^ERR_SSL|^EPROTO$/.test(code)
  return isCertificate ? `The TLS connection to the PostgreSQL server fails (${code}).` : null
}

/** pg and its pool have no codes of their own. */
function byMessage(message: string): string | null {
  if (message.startsWith('The server does not support SSL')) return 'The PostgreSQL server does not speak TLS.'
  if (message.startsWith('There was an error establishing an SSL')) return 'The PostgreSQL server refuses TLS.'
  if (message.startsWith('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be'))
    return 'PostgreSQL asks for a password, and the pool has none.'
  if (message.startsWith('SASL')) return 'The pool and the PostgreSQL server do not agree on how to check the password.'
  if (/^timeout e|^Connection terminated due to connection timeout/.test(message))
    return 'The PostgreSQL server gave no connection in the time that the pool allows.'
  if (message.startsWith('Connection terminated'))
    return 'The PostgreSQL server ended the connection before it was usable.'
  if (message.startsWith('Cannot use a pool after calling end')) return 'The pool of connections was ended.'
  return null
}
