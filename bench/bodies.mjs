// @ts-check
/**
 * Measures the memory of a server that gets hostile request bodies, or whose clients do not read: `npm run build`, then `node bench/bodies.mjs`. It prints the resident
 * memory of the process before and at its peak, and the statuses.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { cpus, totalmem } from 'node:os'
import { argv, exit, memoryUsage, version } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const MIB = 2 ** 20

if (argv[2] === 'serve') await serve()
else await measure()

async function serve() {
  const { createServer, defineResource, id, model } = await import('ashlar')
  const { memoryData } = await import('ashlar/memory')
  const { listen } = await import('ashlar/node')
  const albums = defineResource('albums', {
    model: /** @type {import('ashlar').Model<{ id: number, notes: string }>} */ (model('albums')),
    id: id(),
    attributes: (a) => ({ notes: a.string() }),
  })
  const rows = Array.from({ length: 2000 }, (_, index) => ({ id: index + 1, notes: 'x'.repeat(8000) }))
  const data = memoryData({ albums: rows })
  const server = createServer({ resources: [albums], data, access: 'open', maxPageSize: 2000 })
  const { port } = await listen(server)
  let peak = memoryUsage.rss()
  setInterval(() => (peak = Math.max(peak, memoryUsage.rss())), 2)
  process.on('message', () => {
    process.send?.({ peak, now: memoryUsage.rss(), bodies: server.stats().bodies })
  })
  process.on('disconnect', () => exit())
  process.send?.({ port })
}

async function measure() {
  const [processor] = cpus()
  console.log(`Node ${version}, ${cpus().length} x ${processor?.model}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB\n`)
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24 }
  const zeros = Buffer.alloc(16 * MIB)
  const bomb = brotliCompressSync(zeros, { params })
  await report('300 brotli bodies of one block of 16 MiB', 300, () => compressed('br', bomb))
  const hidden = behindSmallBlock(bomb)
  await report('300 brotli bodies, with an empty block in front of it', 300, () => compressed('br', hidden))
  const zipped = gzipSync(zeros, { level: 9 })
  await report('300 gzip bodies of 16 MiB', 300, () => compressed('gzip', zipped))
  await report('1,000 bodies that stop one byte before 1 MiB', 1000, () => [head(MIB), Buffer.alloc(MIB - 1, 0x20)])
  const small = Buffer.from('1\r\n \r\n'.repeat(MIB / 16))
  await report('100 bodies of 65,536 chunks of one byte that do not end', 100, () => [head(null), small])
  const get = Buffer.from('GET /albums?page[size]=2000 HTTP/1.1\r\nHost: a\r\n\r\n')
  await report('100 clients that read nothing of a document of 16 MiB', 100, () => [get], { reads: false, quiet: 12 })
}

/** @param {string} coding @param {Buffer} bytes */
function compressed(coding, bytes) {
  return [head(bytes.length, `Content-Encoding: ${coding}\r\n`), bytes]
}

/** @param {number | null} length `null` for chunks */
function head(length, more = '') {
  const framing = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  return Buffer.from(
    `POST /albums HTTP/1.1\r\nHost: a\r\nContent-Type: application/vnd.api+json\r\n${more}${framing}\r\n\r\n`,
  )
}

/**
 * Returns a stream whose first block is empty metadata, so that its header does not show the size (RFC 7932, section 9.2): four bits of
 * the window, then the bits 0, 11, 0 and 00, and the rest of the byte. The blocks of `bomb` begin in the middle of its first byte.
 * @param {Buffer} bomb
 */
function behindSmallBlock(bomb) {
  const shifted = Array.from(bomb, (byte, index) => (byte >> 4) | (((bomb[index + 1] ?? 0) & 0x0f) << 4))
  return Buffer.from([((bomb[0] ?? 0) & 0x0f) | 0b0110_0000, 0, ...shifted])
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / MIB).toFixed(0)} MiB`
}

/**
 * @param {string} title
 * @param {number} count
 * @param {() => readonly Buffer[]} parts the bytes of one request
 * @param {{ readonly reads?: boolean, readonly quiet?: number }} options whether the clients read their responses; half seconds without a change at the end
 */
async function report(title, count, parts, { reads = true, quiet: enough = 4 } = {}) {
  const child = fork(fileURLToPath(import.meta.url), ['serve'])
  const [{ port }] = await once(child, 'message')
  const before = await usage(child)
  /** @type {Record<string, number>} */
  const statuses = {}
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.once('data', (bytes) => {
      const status = bytes.toString('latin1', 9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (!reads) socket.pause()
    })
    for (const part of parts()) socket.write(part)
    return socket
  })
  let last = -1
  // Until nothing changes any more.
  for (let quiet = 0; quiet < enough; ) {
    await sleep(500)
    const seen = Object.values(statuses).reduce((sum, each) => sum + each, 0)
    const { bodies } = await usage(child)
    const state = seen * 1e10 + bodies.held
    quiet = state === last ? quiet + 1 : 0
    last = state
  }
  const { bodies, peak } = await usage(child)
  for (const socket of sockets) socket.destroy()
  child.disconnect()
  await once(child, 'exit')
  console.log(title)
  console.log(
    `  ${parts().reduce((sum, { length }) => sum + length, 0)} bytes each; statuses ${JSON.stringify(statuses)}`,
  )
  console.log(
    `  resident: ${megabytes(before.now)}, at its peak ${megabytes(peak)}; held at the end: ${megabytes(bodies.held)}, ended: ${bodies.ended}, refused: ${bodies.refused}\n`,
  )
}

/** @param {import('node:child_process').ChildProcess} child */
async function usage(child) {
  child.send('usage')
  const [state] = await once(child, 'message')
  return state
}
