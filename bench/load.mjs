// @ts-check
/**
 * Generates load in its own process: sends requests on several keep-alive connections, each of which waits for its response.
 * It must use less CPU than any server, so it writes HTTP to sockets: requests are prepared bytes, and of a response it reads
 * only the status and the length.
 *
 * Receives an `Order`, sends 'ready' when all connections are open, receives 'go', and sends a `Round`.
 */
import { connect } from 'node:net'
import { exit } from 'node:process'
import { bytesOf } from './request-bytes.mjs'

/** @typedef {import('./workloads.mjs').Request} Request */
/** @typedef {{ port: number, requests: readonly Request[], count: number, connections: number, status: number }} Order */
/** Times in milliseconds, or an error. @typedef {{ seconds: number, p50: number, p99: number, fault?: string }} Round */

const headEnd = Buffer.from('\r\n\r\n')

process.on('disconnect', () => exit())
process.on('message', (/** @type {Order | 'go'} */ message) => {
  if (message === 'go') return
  void run(message).then(
    (round) => process.send?.(round),
    (/** @type {Error} */ fault) => process.send?.({ fault: fault.message }),
  )
})

/** @param {Order} order @returns {Promise<Round>} */
async function run({ port, requests, count, connections, status }) {
  const bytes = requests.map((request) => bytesOf(request, port))
  const latencies = new Float64Array(count)
  let sent = 0
  let received = 0

  const { finished, finish, giveUp } = completion()
  const opened = Array.from({ length: connections }, () => {
    let started = 0
    /** The number of bytes of the response that are missing; -1 before its head is complete. */
    let left = -1
    /** The received part of an incomplete head. @type {Buffer | null} */
    let begun = null
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      // One buffer for all responses, because no data is stored.
      onread: {
        buffer: Buffer.allocUnsafe(262_144),
        callback(length, buffer) {
          receive(/** @type {Buffer} */ (buffer), length)
          return true
        },
      },
    })
    socket.on('error', giveUp)
    socket.on('close', () => giveUp(new Error('The server closed a connection.')))

    const send = () => {
      if (sent === count) return
      const next = /** @type {Buffer} */ (bytes[sent % bytes.length])
      sent += 1
      started = performance.now()
      socket.write(next)
    }
    /** @param {Buffer} buffer @param {number} length */
    const receive = (buffer, length) => {
      if (left === -1) {
        const head = begun === null ? buffer.subarray(0, length) : Buffer.concat([begun, buffer.subarray(0, length)])
        const end = head.indexOf(headEnd)
        begun = end === -1 ? Buffer.from(head) : null
        if (end === -1) return
        const text = head.toString('latin1', 0, end).toLowerCase()
        if (Number(text.slice(9, 12)) !== status) {
          giveUp(new Error(`Expected ${status}, but got ${head.toString('utf8', 0, Math.min(head.length, 2000))}`))
          return
        }
        const position = text.indexOf('\r\ncontent-length:')
        if (position === -1 && status !== 204) {
          giveUp(new Error(`A response has no Content-Length: ${text}`))
          return
        }
        const bodyLength = position === -1 ? 0 : Number.parseInt(text.slice(position + 17), 10)
        left = bodyLength - (head.length - end - 4)
      } else {
        left -= length
      }
      if (left > 0) return
      latencies[received] = performance.now() - started
      received += 1
      left = -1
      if (received === count) finish()
      else send()
    }
    return { socket, send, connected: new Promise((resolve) => socket.on('connect', resolve)) }
  })
  try {
    await Promise.race([Promise.all(opened.map(({ connected }) => connected)), finished])
    process.send?.('ready')
    await new Promise((resolve) => process.once('message', resolve))
    const begin = performance.now()
    for (const { send } of opened) send()
    await finished
    const seconds = (performance.now() - begin) / 1000
    latencies.sort()
    return { seconds, p50: latencies[Math.floor(count * 0.5)] ?? 0, p99: latencies[Math.floor(count * 0.99)] ?? 0 }
  } finally {
    for (const { socket } of opened) socket.destroy()
  }
}

/** @returns {{ finished: Promise<void>, finish: () => void, giveUp: (fault: Error) => void }} */
function completion() {
  /** @type {any} */
  const handles = {}
  handles.finished = new Promise((resolve, reject) => {
    handles.finish = resolve
    handles.giveUp = reject
  })
  return handles
}
