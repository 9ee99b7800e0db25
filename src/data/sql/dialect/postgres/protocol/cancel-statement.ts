import { isIP } from 'node:net'
import type { PostgresClient } from '../driver/postgres-pool.js'

/**
 * The members of pg's clients that are needed to cancel a statement: the class of the connection, the address of the
 * server, and the process id and secret key that a cancel request must contain. Other clients may lack them.
 */
interface Cancellable {
  readonly connection?: {
    readonly constructor: unknown
    readonly stream?: { readonly remoteAddress?: string; destroy?(): unknown }
  }
  readonly host?: string
  readonly port?: number
  readonly ssl?: boolean | TlsSettings | null
  readonly sslNegotiation?: string
  readonly processID?: number | null
  readonly secretKey?: number | null
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
  const { connection, host = '', port, ssl, sslNegotiation, processID, secretKey } = client as Cancellable
  if (connection === undefined || typeof port !== 'number' || !isKnown(processID) || !isKnown(secretKey)) {
    return Promise.resolve(false)
  }
  const encrypts = ssl === true || (typeof ssl === 'object' && ssl !== null)
  // A host name may resolve to several servers, of which only one runs the statement.
  const address = connection.stream?.remoteAddress ?? host
  // pg's own class, so that TLS works as it does for the client.
  const Connection = connection.constructor as new (settings: object) => Partial<RawConnection>
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

function isKnown(value: number | null | undefined): value is number {
  return typeof value === 'number'
}
