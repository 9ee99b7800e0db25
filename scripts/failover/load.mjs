// @ts-check
/** Clients of the service: they write with idempotency keys, repeat failed writes, and read their own writes and those of other clients. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * @typedef {object} Load
 * @property {Set<string>} acknowledged  the titles whose create had the response 201
 * @property {Map<string, number>} writeErrors  the number of failed and repeated writes by status
 * @property {Map<string, number>} readErrors  the number of failed reads by status
 * @property {number} reads  the number of successful reads
 * @property {number} unseen  how often a client did not see its own write
 * @property {number} replayed  the number of repeated writes that were already stored
 * @property {() => number} longestGap  the longest time without a successful write, in seconds
 * @property {() => number} longestReadGap  the same for reads
 * @property {() => Promise<void>} end
 */

const mediaType = 'application/vnd.api+json'

/** @param {Map<string, number>} counts @param {string} name */
function count(counts, name) {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Measures the longest time between two events. */
function gaps() {
  let last = performance.now()
  let longest = 0
  return {
    note() {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    },
    longest: () => Math.max(longest, performance.now() - last) / 1000,
  }
}

/** Sends a request. Without a response, the status is `no response`. @param {string} url @param {RequestInit} [init] */
async function send(url, init) {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) })
    return { status: String(response.status), headers: response.headers, text: await response.text() }
  } catch {
    return { status: 'no response', headers: new Headers(), text: '' }
  }
}

/**
 * @param {string} url
 * @param {{ name: string, writers: number, readers: number }} clients
 * @returns {Load}
 */
export function startLoad(url, { name, writers, readers }) {
  const ending = new AbortController()
  const isEnding = () => ending.signal.aborted
  const written = gaps()
  const read = gaps()
  /** @type {Load} */
  const load = {
    acknowledged: new Set(),
    writeErrors: new Map(),
    readErrors: new Map(),
    reads: 0,
    unseen: 0,
    replayed: 0,
    longestGap: () => written.longest(),
    longestReadGap: () => read.longest(),
    async end() {
      ending.abort()
      await Promise.all(running)
    },
  }

  /** @param {string} path @param {string | null} position @returns {Promise<string>} the status */
  const get = async (path, position) => {
    const { status } = await send(`${url}${path}`, { headers: position === null ? {} : { 'Read-After': position } })
    if (status === '200') {
      load.reads += 1
      read.note()
    } else count(load.readErrors, status)
    return status
  }

  /** Repeats a create with the same key until it succeeds, or the load ends. @param {string} title */
  const create = async (title) => {
    const headers = { 'Content-Type': mediaType, 'Idempotency-Key': randomUUID() }
    const body = JSON.stringify({ data: { type: 'albums', attributes: { title } } })
    while (!isEnding()) {
      const response = await send(`${url}/albums`, { method: 'POST', headers, body })
      if (response.status === '201') {
        if (response.headers.has('idempotency-replayed')) load.replayed += 1
        return response
      }
      count(load.writeErrors, response.status)
      await pause(100)
    }
    return null
  }

  /** @param {number} writer */
  const write = async (writer) => {
    for (let turn = 0; !isEnding(); turn += 1) {
      const title = `Album ${name} ${turn} of ${writer}`
      const response = await create(title)
      if (response === null) return
      load.acknowledged.add(title)
      written.note()
      const { id } = JSON.parse(response.text).data
      if ((await get(`/albums/${id}`, response.headers.get('read-after'))) === '404') load.unseen += 1
    }
  }

  const readOn = async () => {
    while (!isEnding()) {
      await get('/albums?page[size]=5', null)
      await pause(5)
    }
  }

  const running = [
    ...Array.from({ length: writers }, (_, writer) => write(writer)),
    ...Array.from({ length: readers }, readOn),
  ]
  return load
}
