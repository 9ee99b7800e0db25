import { isIP } from 'node:net'
import type { PostgresClient } from '../driver/postgres-pool.js'
import type { QueryConnection } from './prepared-query.js'

/**
 * The members of pg's clients and connections that pg does not document, except `getTransactionStatus`. Clients of other libraries, and of
 * other versions, may lack any of them. All are read here and in the other files of this folder only.
 */
export interface PgClient {
  /** Documented as a setting. pg reads this member for each statement. */
  pipeline?: unknown
  /** Whether values are requested in binary format. */
  readonly binary?: unknown
  /** The process id that the server or a pooler sent when it accepted the connection. */
  readonly processID?: unknown
  /** Whether the server has ended its response to the last statement. */
  readonly readyForQuery?: unknown
  /** The statements that are sent, without the one whose response is being read. */
  readonly _sentQueryQueue?: readonly unknown[]
  /** Returns the query whose response is being read. */
  _getActiveQuery?(): unknown
  readonly connection?: {
    /** The texts of the prepared statements, by name. */
    readonly parsedStatements?: Readonly<Record<string, unknown>>
    readonly stream?: Partial<QueryConnection['stream']> & {
      readonly destroyed?: boolean
      readonly remoteAddress?: string
      listeners?(event: 'data'): readonly unknown[]
      on?(event: 'data', listener: (bytes: Buffer) => void): unknown
      off?(event: 'data', listener: unknown): unknown
    }
  }
  /** The address of the server, and what a cancel request must contain besides the process id. */
  readonly host?: string
  readonly port?: unknown
  readonly ssl?: boolean | TlsSettings | null
  readonly sslNegotiation?: string
  readonly secretKey?: unknown
  getTransactionStatus?(): string | null
  on(event: 'notice', listener: (message: object) => void): unknown
  off(event: 'notice', listener: (message: object) => void): unknown
}

export function pgClientOf(client: PostgresClient): PgClient {
  return client as unknown as PgClient
}

/** Sets whether a client pipelines statements, and returns whether it did before. pg reads the flag for each statement. */
export function setPipeline(client: PostgresClient, pipelines: boolean): boolean {
  const pgClient = pgClientOf(client)
  const before = pgClient.pipeline === true
  pgClient.pipeline = pipelines
  return before
}

/** Returns how many statements are sent, without the one whose response is being read. Null if the client does not tell. */
export function sentCount({ _sentQueryQueue: sent }: PgClient): number | null {
  return sent?.length ?? null
}

/** Returns the query whose response is being read. Null if there is none, or if the client does not tell. */
export function activeQuery(client: Pick<PgClient, '_getActiveQuery'>): unknown {
  const { _getActiveQuery: read } = client
  return read === undefined ? null : Reflect.apply(read, client, [])
}

/** Sends the statements that the work starts to the server in one write. */
export function writeOnce(client: PostgresClient, work: () => void): void {
  const { stream } = pgClientOf(client).connection ?? {}
  stream?.cork?.()
  try {
    work()
  } finally {
    stream?.uncork?.()
  }
}

/** Returns whether a transaction is still open, or a result is pending, which the next user of the client would get. */
export function isBusy(client: PostgresClient): boolean {
  const pgClient = pgClientOf(client)
  const { readyForQuery, connection } = pgClient
  // pg destroys the socket of a query that exceeds the time limit of the pool.
  if ((sentCount(pgClient) ?? 0) > 0 || connection?.stream?.destroyed === true) return true
  const status = pgClient.getTransactionStatus?.()
  return readyForQuery !== false && (status === 'T' || status === 'E')
}

/** Destroys a connection whose server does not respond. Everything that waits for it fails. */
export function destroyConnection(client: PostgresClient): void {
  pgClientOf(client).connection?.stream?.destroy?.()
}

interface TlsSettings {
  readonly key?: unknown
}

/** A connection of pg without a session. */
interface RawConnection {
  readonly stream: { destroy(): unknown }
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): unknown
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}

/**
 * Cancels the statement that a client's connection is running. PostgreSQL's protocol requires a separate connection for this, which is not
 * taken from the pool. Resolves when the server has processed the request, so that it cannot cancel a later statement of the client.
 * Resolves to false if the request was not sent.
 *
 * @param ms the time limit in milliseconds
 */
export function cancelStatement(client: PostgresClient, ms: number): Promise<boolean> {
  const { connection, host = '', port, ssl, sslNegotiation, processID, secretKey } = pgClientOf(client)
  if (connection === undefined || typeof port !== 'number') return Promise.resolve(false)
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return Promise.resolve(false)
  const encrypts = ssl === true || (typeof ssl === 'object' && ssl !== null)
  // A host name may resolve to several servers, of which only one runs the statement.
  const address = connection.stream?.remoteAddress ?? host
  // pg's own class, so that TLS works as it does for the client.
  const Connection = connection.constructor as unknown as new (settings: object) => Partial<RawConnection>
  return new Promise((resolve) => {
    const cancelling = rawConnection(() => new Connection({ ssl: encrypts && tlsOf(ssl, host), sslNegotiation }))
    if (cancelling === null) return resolve(false)
    let isSent = false
    const send = (): void => {
      cancelling.cancel(processID, secretKey)
      isSent = true
    }
    const end = (isCancelled: boolean): void => {
      clearTimeout(timer)
      cancelling.stream.destroy()
      resolve(isCancelled)
    }
    const timer = setTimeout(() => end(false), ms)
    cancelling.on('connect', () => {
      if (!encrypts) send()
      else if (sslNegotiation !== 'direct') cancelling.requestSsl()
    })
    cancelling.on('sslconnect', send)
    // The server sends no response, it closes the connection. Some close so abruptly that it looks like an error.
    cancelling.on('error', () => end(isSent))
    cancelling.on('end', () => end(isSent))
    if (host.startsWith('/')) cancelling.connect(`${host}/.s.PGSQL.${port}`)
    else cancelling.connect(port, address)
  })
}

const neededMethods = ['on', 'connect', 'requestSsl', 'cancel'] as const

/** Returns a connection if it has all that a cancel request needs. Null for the class of another version of pg. */
function rawConnection(create: () => Partial<RawConnection>): RawConnection | null {
  try {
    const created = create()
    const isUsable = neededMethods.every((name) => typeof created[name] === 'function')
    return isUsable && typeof created.stream?.destroy === 'function' ? (created as RawConnection) : null
  } catch {
    return null
  }
}

/**
 * Returns the TLS settings of the client, with the host name of the server. pg makes `key` non-enumerable, so it is
 * copied.
 */
function tlsOf(ssl: true | TlsSettings, host: string): object {
  const settings = ssl === true ? {} : { ...ssl, ...('key' in ssl && { key: ssl.key }) }
  return isIP(host) === 0 ? { ...settings, servername: host } : settings
}
