import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Serves a request for another protocol, and ignores its `Upgrade` header (RFC 9110, section 7.8). Without an `upgrade` listener,
 * `node:http` responds to this request, but drops the requests that arrived together with it. With a listener, it stops parsing the
 * connection. So the request is parsed again without its `Upgrade` header, together with all following data.
 */
export function serveWithoutUpgrade(server: Server, incoming: IncomingMessage, socket: Socket, rest: Buffer): void {
  if (socket.destroyed) return
  socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(incoming), 'latin1'), rest]))
  server.emit('connection', socket)
}

/** Calls the function when a response, and with it all responses before it, was sent. */
export function afterResponse(outgoing: ServerResponse | null | undefined, callback: () => void): void {
  if (outgoing === null || outgoing === undefined || outgoing.destroyed) callback()
  else outgoing.once('close', callback)
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const value = rawHeaders[index + 1] ?? ''
    if (/^upgrade$/i.test(name)) continue
    head += `${name}: ${/^connection$/i.test(name) ? withoutUpgrade(value) : value}\r\n`
  }
  return `${head}\r\n`
}

function withoutUpgrade(connection: string): string {
  const options = connection.split(',').map((option) => option.trim())
  return options.filter((option) => option.toLowerCase() !== 'upgrade').join(', ')
}
