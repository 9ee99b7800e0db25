// @ts-check
/**
 * The load, in a process of its own: asks a server over and over on some connections that are kept, each of which waits for its
 * answer. It must cost less than any server, so it speaks HTTP over bare sockets: requests are bytes that were made before,
 * and of an answer only the status and the length are looked at.
 *
 * Is sent an `Order`, says 'ready' once all connections are there, is sent 'go', and sends a `Round` back.
 */
import { connect } from 'node:net'
import { exit } from 'node:process'
import { bytesOf } from './request-bytes.mjs'

/** @typedef {import('./workloads.mjs').Request} Request */
/** @typedef {{ port: number, requests: readonly Request[], count: number, connections: number, status: number }} Order */
/** Times in milliseconds; or what went wrong. @typedef {{ seconds: number, p50: number, p99: number, fault?: string }} Round */

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
  let answered = 0

  const { finished, finish, giveUp } = ending()
  const opened = Array.from({ length: connections }, () => {
    let started = 0
    /** How many bytes of the answer are to come; -1 before its head is there. */
    let left = -1
    /** What came of a head that was cut. @type {Buffer | null} */
    let begun = null
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      // One buffer for all that comes, since nothing of it is kept.
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
        const place = text.indexOf('\r\ncontent-length:')
        if (place === -1 && status !== 204) {
          giveUp(new Error(`An response does not tell its length: ${text}`))
          return
        }
        const bodyLength = place === -1 ? 0 : Number.parseInt(text.slice(place + 17), 10)
        left = bodyLength - (head.length - end - 4)
      } else {
        left -= length
      }
      if (left > 0) return
      latencies[answered] = performance.now() - started
      answered += 1
      left = -1
      if (answered === count) finish()
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
function ending() {
  /** @type {any} */
  const handles = {}
  handles.finished = new Promise((resolve, reject) => {
    handles.finish = resolve
    handles.giveUp = reject
  })
  return handles
}
