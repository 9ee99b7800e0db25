import { isIP } from 'node:net'
import type { PostgresClient } from './postgres-pool.js'

/**
 * What pg's clients have beyond what is asked of all: the connection's way of speaking, and what a server wants to be told
 * by whoever cancels a statement.
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

/** A connection that has not said yet who it is for. */
interface Wire {
  readonly stream: { destroy(): unknown }
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): unknown
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}

/**
 * Asks the server to stop what a client's connection is running, on a connection of its own as PostgreSQL's protocol wants
 * it, which is none of the pool's. Resolves when the server has passed it on, so that it can hit nothing that the client
 * is given later; `false` when it was not told.
 *
 * @param ms how long the server has for it
 */
export function cancelStatement(client: PostgresClient, ms: number): Promise<boolean> {
  const { connection, host = '', port, ssl, sslNegotiation, processID, secretKey } = client as Cancellable
  if (connection === undefined || typeof port !== 'number' || !isKnown(processID) || !isKnown(secretKey)) {
    return Promise.resolve(false)
  }
  const encrypts = ssl === true || (typeof ssl === 'object' && ssl !== null)
  // One name may stand for several servers, of which only one knows the statement.
  const address = connection.stream?.remoteAddress ?? host
  // pg's own, so that it does with TLS what the client does.
  const Connection = connection.constructor as new (settings: object) => Wire
  return new Promise((resolve) => {
    const wire = new Connection({ ssl: encrypts && tlsOf(ssl, host), sslNegotiation })
    let isSent = false
    const send = (): void => {
      wire.cancel(processID, secretKey)
      isSent = true
    }
    const end = (isTold: boolean): void => {
      clearTimeout(timer)
      wire.stream.destroy()
      resolve(isTold)
    }
    const timer = setTimeout(() => end(false), ms)
    wire.on('connect', () => {
      if (!encrypts) send()
      else if (sslNegotiation !== 'direct') wire.requestSsl()
    })
    wire.on('sslconnect', send)
    // The server says nothing: it closes. Some close so abruptly that it looks like an error.
    wire.on('error', () => end(isSent))
    wire.on('end', () => end(isSent))
    if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
    else wire.connect(port, address)
  })
}

/** As the client's, with the name that the server was called by; pg hides the key from those who copy settings. */
function tlsOf(ssl: true | TlsSettings, host: string): object {
  const settings = ssl === true ? {} : { ...ssl, ...('key' in ssl && { key: ssl.key }) }
  return isIP(host) === 0 ? { ...settings, servername: host } : settings
}

/** Ends a connection whose server does not answer: whatever waits for it fails. */
export function cutOff(client: PostgresClient): void {
  const { connection } = client as Cancellable
  if (connection?.stream?.destroy !== undefined) connection.stream.destroy()
}

function isKnown(value: number | null | undefined): value is number {
  return typeof value === 'number'
}
