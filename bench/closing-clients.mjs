// @ts-check
/** Clients that send requests until the service is gone, and count what becomes of each request. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * `new` clients open a connection for each request, directly after the last response. `arriving` clients do so after a pause of up to 200 ms. `busy` and
 * `resting` clients are like them, but use one connection.
 * @typedef {'new' | 'arriving' | 'busy' | 'resting'} Kind
 */
/**
 * `lost`: the connection was closed or reset, without a response. `raced`: the same on a connection that was used before; a client cannot know that the
 * server is closing it. `refused`: nobody listens, and nothing was sent.
 * @typedef {{ served: number, failed: number, lost: number, raced: number, refused: number }} Counts
 */

const request = 'GET /tracks/1 HTTP/1.1\r\nHost: 127.0.0.1\r\n'

/**
 * @param {number} port
 * @param {{ kind: Kind, count: number, stop: AbortSignal }} options
 * @returns {{ counts: Counts, ended: Promise<unknown> }} what has happened so far; a client ends when it is refused, or at the signal
 */
export function startClients(port, { kind, count, stop }) {
  const counts = { served: 0, failed: 0, lost: 0, raced: 0, refused: 0 }
  return { counts, ended: Promise.all(Array.from({ length: count }, client)) }

  async function client() {
    /** @type {ReturnType<typeof openConnection> | null} */
    let connection = null
    while (!stop.aborted) {
      if (connection === null || connection.isClosed()) connection = openConnection(port)
      const outcome = await connection.exchange(kind === 'new' || kind === 'arriving')
      counts[outcome] += 1
      if (outcome === 'refused') return
      if (kind === 'resting' || kind === 'arriving') await sleep(Math.random() * 200)
    }
    connection?.close()
  }
}

/** @param {number} port */
function openConnection(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let exchanges = 0
  let isClosed = false
  let isRefused = false
  let received = ''
  /** @type {((outcome: keyof Counts) => void) | null} */
  let settle = null
  const finish = (/** @type {keyof Counts} */ outcome) => {
    settle?.(outcome)
    settle = null
  }
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    received += chunk
    const end = received.indexOf('\r\n\r\n')
    if (end === -1) return
    const head = received.slice(0, end).toLowerCase()
    const [, length = '0'] = /\r\ncontent-length: (\d+)/.exec(head) ?? []
    if (received.length < end + 4 + Number(length)) return
    received = ''
    if (head.includes('\r\nconnection: close')) {
      isClosed = true
      socket.end()
    }
    finish(head.startsWith('http/1.1 200') ? 'served' : 'failed')
  })
  socket.on('error', (/** @type {NodeJS.ErrnoException} */ { code }) => {
    isRefused = code === 'ECONNREFUSED'
  })
  socket.on('close', () => {
    isClosed = true
    finish(isRefused ? 'refused' : exchanges > 1 ? 'raced' : 'lost')
  })
  return {
    isClosed: () => isClosed,
    close: () => socket.destroy(),
    /** @param {boolean} isLast @returns {Promise<keyof Counts>} */
    exchange(isLast) {
      exchanges += 1
      return new Promise((resolve) => {
        settle = resolve
        socket.write(`${request}${isLast ? 'Connection: close\r\n' : ''}\r\n`)
      })
    },
  }
}
