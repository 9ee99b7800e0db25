// @ts-check
/**
 * Generates load at a fixed rate, in its own process: requests are sent at their scheduled time, even if earlier requests have no response
 * yet. A request uses an idle connection, or opens one. Latencies are measured from the scheduled time.
 *
 * Receives an `Order`, and sends an `Outcome`.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { exit } from 'node:process'
import { bytesOf } from './request-bytes.mjs'

/** @typedef {import('./workloads.mjs').Request} Request */
/**
 * `rate` is requests per second. `timeout` is how many milliseconds a client waits. With `clock`, a process id, all times are CPU time of that
 * process: on a machine with other work, a server gets as many requests as it would on a machine of its own. It must always be busy.
 * @typedef {{ port: number, requests: readonly Request[], rate: number, seconds: number, connections: number, timeout: number, clock?: number }} Order
 */
/** Latencies in milliseconds. @typedef {{ count: number, p50: number, p99: number, longest: number }} Latencies */
/**
 * `lost` counts requests without a response: the connection was closed, or the client has timed out.
 * @typedef {{ accepted: Latencies, refused: Latencies, failed: Record<string, number>, lost: number, sent: number }} Outcome
 */

process.on('disconnect', () => exit())
process.on('message', (/** @type {Order} */ order) => void run(order).then((outcome) => process.send?.(outcome)))

const headEnd = Buffer.from('\r\n\r\n')
const received = Buffer.allocUnsafe(262_144)

/** @param {Order} order @returns {Promise<Outcome>} */
async function run({ port, requests, rate, seconds, connections, timeout, clock }) {
  const time = () => (clock === undefined ? performance.now() : cpuTime(clock))
  const bytes = requests.map((request) => bytesOf(request, port))
  /** @type {Map<number, number[]>} */
  const latencies = new Map()
  /** The scheduled times of requests that have no connection yet. @type {number[]} */
  const due = []
  /** @type {ReturnType<typeof client>[]} */
  const free = []
  /** @type {Set<ReturnType<typeof client>>} */
  const busy = new Set()
  let open = 0
  let sent = 0
  let lost = 0

  const next = () => {
    while (due.length > 0) {
      const one = free.pop() ?? (open < connections ? client() : undefined)
      if (one === undefined) return
      busy.add(one)
      one.send(/** @type {Buffer} */ (bytes[sent % bytes.length]), /** @type {number} */ (due.shift()))
      sent += 1
    }
  }

  function client() {
    open += 1
    let since = 0
    let left = -1
    let status = 0
    let closes = false
    /** @type {Buffer | null} */
    let begun = null
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      // One buffer for all clients, because no data is stored: the load must not use the CPU time of the server.
      onread: {
        buffer: received,
        callback(length) {
          receive(received.subarray(0, length))
          return true
        },
      },
    })
    const self = {
      socket,
      since: () => since,
      /** @param {Buffer} request @param {number} scheduled */
      send(request, scheduled) {
        since = scheduled
        socket.write(request)
      },
    }
    const receive = (/** @type {Buffer} */ chunk) => {
      if (left === -1) {
        const head = begun === null ? chunk : Buffer.concat([begun, chunk])
        const end = head.indexOf(headEnd)
        begun = end === -1 ? Buffer.from(head) : null
        if (end === -1) return
        const text = head.toString('latin1', 0, end).toLowerCase()
        status = Number(text.slice(9, 12))
        closes = text.includes('\r\nconnection: close')
        const position = text.indexOf('\r\ncontent-length:')
        left = (position === -1 ? 0 : Number.parseInt(text.slice(position + 17), 10)) - (head.length - end - 4)
      } else left -= chunk.length
      if (left > 0) return
      left = -1
      const all = latencies.get(status) ?? []
      latencies.set(status, all)
      all.push(time() - since)
      busy.delete(self)
      if (closes) socket.destroy()
      else free.push(self)
      next()
    }
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open -= 1
      if (busy.delete(self)) lost += 1
      const index = free.indexOf(self)
      if (index !== -1) free.splice(index, 1)
      next()
    })
    return self
  }

  const begin = time()
  let scheduled = 0
  let looked = begin
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      const now = time()
      const wanted = Math.min(Math.floor(((now - begin) / 1000) * rate) + 1, rate * seconds)
      for (; scheduled < wanted; scheduled += 1) due.push(begin + (scheduled / rate) * 1000)
      // The client of a request that waits for a connection times out, too.
      while (due.length > 0 && now - /** @type {number} */ (due[0]) > timeout) {
        due.shift()
        lost += 1
      }
      if (now - looked > 100) {
        looked = now
        for (const one of busy) if (now - one.since() > timeout) one.socket.destroy()
      }
      next()
      if (now - begin < seconds * 1000 || (busy.size + due.length > 0 && now - begin < seconds * 1000 + timeout)) return
      clearInterval(timer)
      resolve(undefined)
    }, 1)
  })
  lost += busy.size + due.length
  for (const { socket } of [...free, ...busy]) socket.destroy()
  const ok = [...latencies].filter(([status]) => status < 300).flatMap(([, all]) => all)
  const others = [...latencies].filter(([status]) => status >= 300 && status !== 503)
  return {
    accepted: figuresOf(ok),
    refused: figuresOf(latencies.get(503) ?? []),
    failed: Object.fromEntries(others.map(([status, all]) => [status, all.length])),
    lost,
    sent,
  }
}

/** Returns the CPU time of the main thread of a process in milliseconds, on Linux. @param {number} pid */
function cpuTime(pid) {
  return Number.parseInt(readFileSync(`/proc/${pid}/schedstat`, 'latin1'), 10) / 1e6
}

/** @param {number[]} all @returns {Latencies} */
function figuresOf(all) {
  const sorted = Float64Array.from(all).toSorted()
  const at = (/** @type {number} */ share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), longest: sorted.at(-1) ?? 0 }
}
