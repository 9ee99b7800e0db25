// @ts-check
/**
 * Exports a table from SQLite, and measures what it costs the server and other requests: memory, the first byte, how late the event loop of the
 * server is, and the time of other requests with and without an export. The server, the reader of the export and the client of the other requests
 * are three processes, so that none measures the work of another. Prints figures. The exit code is 1 if rows are missing, but never because of a time. Needs a build.
 *
 *   node bench/export.mjs                  1,000,000 rows, about a minute
 *   node bench/export.mjs --rows 50000
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process, { argv, exit, memoryUsage } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const self = fileURLToPath(import.meta.url)

if (argv[2] === 'server') await serve(Number(argv[3]))
else if (argv[2] === 'reader') process.once('message', (url) => void readFor(String(url)))
else await measure()

/** Reads an export in its own process, and reports how long it took. */
async function readFor(/** @type {string} */ url) {
  process.send?.(await exported(url))
}

/** Serves the rows in its own process, and reports its memory when it is asked. */
async function serve(/** @type {number} */ rows) {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const { createServer, defineResource, id, numberPage } = await import('ashlar')
  const { sqlData, table } = await import('ashlar/sql')
  const { listen } = await import('ashlar/node')
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-export-'))
  const database = new DatabaseSync(join(folder, 'export.db'))
  database.exec(`create table tracks (id integer primary key, title text not null, seconds integer not null, explicit integer not null);
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})
    insert into tracks select n, 'A song with the number ' || n, n % 600, n % 2 from numbers`)
  const tracks = defineResource('tracks', {
    model:
      /** @type {import('ashlar/sql').TableModel<{ id: number, title: string, seconds: number, explicit: boolean }>} */ (
        /** @type {unknown} */ (table('tracks'))
      ),
    id: id(),
    attributes: (a) => ({ title: a.string(), seconds: a.integer(), explicit: a.boolean() }),
    pagination: numberPage({ size: 10 }),
    export: { maxRows: rows + 1 },
  })
  const server = createServer({ policy: 'public', resources: [tracks], data: sqlData(database) })
  const { url, close } = await listen(server)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('message', (message) => void respondTo(message))
  process.send?.({ url })

  /** @param {unknown} message */
  async function respondTo(message) {
    if (message === 'memory') {
      process.send?.({ memory: memoryUsage().rss })
      return
    }
    if (message === 'delay') {
      process.send?.({ delay: { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6 } })
      delay.reset()
      return
    }
    await close()
    database.close()
    rmSync(folder, { recursive: true })
    exit()
  }
}

async function measure() {
  const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
  const rows = Number(values.rows)
  const child = fork(self, ['server', String(rows)])
  /** @returns {Promise<any>} */
  const answer = () => new Promise((resolve) => child.once('message', resolve))
  const { url } = await answer()
  const reader = fork(self, ['reader'])
  /** @returns {Promise<any>} */
  const ask = (/** @type {'memory' | 'delay'} */ question) =>
    new Promise((resolve) => {
      child.on('message', function listener(/** @type {any} */ reply) {
        if (!(question in reply)) return
        child.off('message', listener)
        resolve(reply[question])
      })
      child.send(question)
    })
  for (let count = 0; count < 500; count += 1) await (await fetch(`${url}/tracks/${count + 1}`)).text()
  await ask('delay')
  const alone = await timesOf(url, async () => sleep(5000))
  const delayAlone = await ask('delay')
  const before = await ask('memory')
  let peak = before
  const watch = setInterval(() => void ask('memory').then((now) => (peak = Math.max(peak, now))), 500)
  /** @type {Awaited<ReturnType<typeof exported>> | null} */
  let result = null
  const beside = await timesOf(url, async () => {
    result = await new Promise((resolve) => {
      reader.once('message', resolve)
      reader.send(url)
    })
  })
  clearInterval(watch)
  const delayBeside = await ask('delay')
  reader.kill()
  child.send('close')
  const { lines, bytes, first, total } = /** @type {Awaited<ReturnType<typeof exported>>} */ (
    /** @type {unknown} */ (result)
  )
  console.log(`rows             ${lines}, ${(bytes / 2 ** 20).toFixed(1)} MiB, ${(total / 1000).toFixed(1)} s`)
  console.log(`first byte       ${first.toFixed(0)} ms`)
  console.log(`more memory      ${((peak - before) / 2 ** 20).toFixed(1)} MiB`)
  console.log(`other requests   p50 ${alone.p50.toFixed(1)} ms, p99 ${alone.p99.toFixed(1)} ms without an export`)
  console.log(`                 p50 ${beside.p50.toFixed(1)} ms, p99 ${beside.p99.toFixed(1)} ms with one`)
  console.log(
    `event loop       p50 ${delayAlone.p50.toFixed(1)} ms, p99 ${delayAlone.p99.toFixed(1)} ms without an export`,
  )
  console.log(`                 p50 ${delayBeside.p50.toFixed(1)} ms, p99 ${delayBeside.p99.toFixed(1)} ms with one`)
  if (lines !== rows) exit(1)
}

/** Reads an export, without keeping it. */
async function exported(/** @type {string} */ url) {
  const start = performance.now()
  const response = await fetch(`${url}/tracks`, { headers: { Accept: 'application/x-ndjson' } })
  let [lines, bytes, first] = [0, 0, 0]
  for await (const chunk of response.body ?? []) {
    if (first === 0) first = performance.now() - start
    bytes += chunk.byteLength
    for (const byte of chunk) if (byte === 10) lines += 1
  }
  return { lines, bytes, first, total: performance.now() - start }
}

/** Sends other requests, 100 in a second, while the work runs. */
async function timesOf(/** @type {string} */ url, /** @type {() => Promise<void>} */ work) {
  const running = { isRunning: true }
  const done = work().finally(() => {
    running.isRunning = false
  })
  /** @type {number[]} */
  const times = []
  for (let count = 1; running.isRunning; count += 1) {
    const start = performance.now()
    await (await fetch(`${url}/tracks/${count}`)).text()
    times.push(performance.now() - start)
    await sleep(10)
  }
  await done
  times.sort((a, b) => a - b)
  const at = (/** @type {number} */ share) => times[Math.floor(times.length * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

function sleep(/** @type {number} */ milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
