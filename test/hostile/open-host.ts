import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** A port of the process under test. */
export interface OpenHost {
  /** The adapter. */
  readonly name: string
  readonly protocol: 'HTTP/1.1' | 'HTTP/2'
  readonly isSecure: boolean
  readonly port: number
}

/** How a client ends a connection: it finishes sending, resets it, or resets it after the first bytes of the response. */
export type Ending = 'FIN' | 'RST' | 'late RST'

const address = '127.0.0.1'

/** Sends bytes to a host, ends the connection, and waits until it is closed. */
export async function sendCut(host: OpenHost, bytes: Uint8Array, ending: Ending): Promise<void> {
  const socket = connect(host.port, address)
  const stream = host.isSecure ? secured(socket, host) : socket
  const closed = new Promise((resolve) => socket.once('close', resolve))
  // The server may reset the connection, too.
  for (const each of [socket, stream]) each.on('error', () => socket.destroy())
  const reset = (): unknown => socket.resetAndDestroy()
  // After an error in the protocol, `node:http2` of Node 20 leaves the connection open.
  if (ending === 'FIN') stream.end(bytes, () => host.protocol === 'HTTP/2' && socket.destroy())
  else if (ending === 'RST') stream.write(bytes, reset)
  else stream.write(bytes)
  if (ending === 'late RST') stream.once('data', reset).once('end', reset)
  stream.resume()
  await closed
}

/** Sends bytes as they are, without a handshake. */
export function sendUnsecured(host: OpenHost, bytes: Uint8Array, ending: Ending): Promise<void> {
  return sendCut({ ...host, isSecure: false }, bytes, ending)
}

function secured(socket: Socket, { protocol }: OpenHost): Socket {
  return connectTls({ socket, rejectUnauthorized: false, ALPNProtocols: [protocol === 'HTTP/2' ? 'h2' : 'http/1.1'] })
}

/** Requests an artist with a client of its own. Returns the status. */
export async function statusOf(host: OpenHost): Promise<number | undefined> {
  return host.protocol === 'HTTP/2' ? statusOfHttp2(host) : statusOfHttp1(host)
}

async function statusOfHttp1({ isSecure, port }: OpenHost): Promise<number | undefined> {
  const options = { host: address, port, path: '/artists/1', agent: false, rejectUnauthorized: false }
  const [response] = (await once((isSecure ? httpsRequest : httpRequest)(options).end(), 'response')) as [
    IncomingMessage,
  ]
  response.resume()
  await once(response, 'close')
  return response.statusCode
}

async function statusOfHttp2({ isSecure, port }: OpenHost): Promise<number | undefined> {
  const session = connectHttp2(`${isSecure ? 'https' : 'http'}://${address}:${port}`, { rejectUnauthorized: false })
  const stream = session.request({ ':path': '/artists/1' }).resume()
  const [headers] = (await once(stream, 'response')) as [Record<string, number>]
  await once(stream, 'close')
  session.close()
  return headers[':status']
}
