import { connect, type Socket } from 'node:net'
import { patience } from '../support/patience.js'

export interface RawReply {
  /** Everything the server sent until it closed the connection, or until the time was up. */
  readonly text: string
  /** Whether the server closed the connection by itself. */
  readonly closed: boolean
}

/** Speaks to a port in bytes and listens until the other side closes; `finish` half-closes after sending. */
export function exchange(port: number, sent: string, options: { finish?: boolean } = {}) {
  return new Promise<RawReply>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const settle = (closed: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, closed })
    }
    const timer = setTimeout(() => settle(false), patience(30_000))
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => settle(true))
    if (options.finish === true) socket.end(sent)
    else socket.write(sent)
  })
}

/** Opens a connection that the test drives itself. */
export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** The body of the only, or the last, response in the bytes. */
export function lastBody(text: string): string {
  return text.slice(text.lastIndexOf('\r\n\r\n') + 4)
}
