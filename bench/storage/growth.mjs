// @ts-check
/**
 * Measures the cost of a large table on PostgreSQL: a cursor page at nine tenths of the table compared with the first page, and the
 * memory of the server over many requests. The exit code is 1 if a limit is exceeded. Needs a build.
 *
 *   node bench/storage/growth.mjs                                    1,000,000 tracks and 20,000 requests, some minutes
 *   node bench/storage/growth.mjs --rows 100000 --requests 3000      less accurate; add --untimed on a busy machine
 *   DATABASE_URL=postgres://… node bench/storage/growth.mjs          on your server, in a temporary schema
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Pool } from 'pg'
import { temporarySchema } from '../temporary-schema.mjs'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string' },
    requests: { type: 'string' },
    pairs: { type: 'string' },
    untimed: { type: 'boolean' },
  },
})
const rows = Number(options.rows ?? 1_000_000)
const requests = Number(options.requests ?? 20_000)
const pairs = Number(options.pairs ?? 400)

/** A deep page may take 1.5 times as long as the first page, and read 21 rows for each of its at most three parts. */
const limits = { time: 1.5, rowsRead: 3 * 21, heap: 4 * 2 ** 20, resident: 0.2 }

/** Every fourth rating is null and sorts last: at nine tenths the rating is null, at six tenths it is not. */
const positions = [
  ...['id', 'seconds', '-seconds', 'title', 'rating'].map((order) => ({ order, depth: 0.9 })),
  { order: 'rating', depth: 0.6 },
]

/** @type {string[]} */
const faults = []
/** @type {(() => unknown)[]} */
const cleanups = []
try {
  await run()
} finally {
  for (const end of cleanups.toReversed()) await end()
}
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

async function run() {
  const { pool, url } = await filledDatabase()
  const server = fork(fileURLToPath(new URL('tracks-server.mjs', import.meta.url)), [url], {
    execArgv: ['--expose-gc'],
  })
  const gone = once(server, 'exit')
  cleanups.push(async () => {
    if (server.connected) server.disconnect()
    await gone
  })
  const [{ port }] = await once(server, 'message')
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  cleanups.push(() => agent.destroy())
  /** @param {string} path */
  const fetchText = (path) => textOf(port, agent, path)
  /** @param {'memory' | 'statement'} what */
  const reportOf = async (what) => {
    server.send(what)
    const [reply] = await once(server, 'message')
    return reply
  }

  console.log(`${rows.toLocaleString('en')} tracks; a deep page compared with the first page, medians of ${pairs}:`)
  /** @type {string[]} */
  const deepPaths = []
  for (const { order, depth } of positions) {
    const path = `/tracks?sort=${order}`
    const deep = `${path}&page[after]=${await deepCursor({ order, depth }, pool, fetchText)}`
    deepPaths.push(deep)
    const [first, far] = await compared([path, deep], fetchText)
    await fetchText(deep)
    const read = await rowsRead(pool, await reportOf('statement'))
    const ratio = far / first
    console.log(
      `  ${`${order} at ${depth}`.padEnd(16)} first ${ms(first)}   deep ${ms(far)}   ratio ${ratio.toFixed(2)}   rows read ${read}`,
    )
    if (ratio > limits.time && options.untimed !== true)
      faults.push(`Sorted by ${order}, a deep page takes ${ratio.toFixed(2)} times as long.`)
    if (read > limits.rowsRead) faults.push(`Sorted by ${order}, a deep page reads ${read} rows.`)
  }

  console.log(`memory of the server over ${requests.toLocaleString('en')} requests, after collecting garbage:`)
  await measureMemory({ fetchText, reportOf, paths: requestPaths(deepPaths) })
}

/** Returns different requests of a few kinds. @param {readonly string[]} deepPaths */
function requestPaths(deepPaths) {
  /** @param {number} turn @returns {string} */
  return (turn) => {
    const key = 1 + ((turn * 7919) % rows)
    const kinds = [
      `/tracks/${key}`,
      `/tracks?filter[ids]=${key},${key + 1},${key + 2}&include=album`,
      `/albums/${1 + (key % Math.ceil(rows / 10))}?include=tracks`,
      `/tracks?filter[title]=Track ${key}`,
      deepPaths[turn % deepPaths.length] ?? '/tracks',
    ]
    return kinds[turn % kinds.length] ?? '/tracks'
  }
}

/**
 * @param {{ fetchText: (path: string) => Promise<string>, reportOf: (what: 'memory') => Promise<{ heapUsed: number, rss: number }>,
 *   paths: (turn: number) => string }} options
 */
async function measureMemory({ fetchText, reportOf, paths }) {
  const samples = []
  const steps = 10
  let turn = 0
  for (let step = 1; step <= steps; step += 1) {
    const end = Math.round((requests * step) / steps)
    const client = async () => {
      while (turn < end) await fetchText(paths((turn += 1)))
    }
    await Promise.all(Array.from({ length: 8 }, client))
    const { heapUsed, rss } = await reportOf('memory')
    samples.push({ heapUsed, rss })
    console.log(`  ${String(end).padStart(7)}   heap ${mb(heapUsed)}   resident ${mb(rss)}`)
  }
  // The first half warms up: code is compiled, connections are opened, statements and plans are cached.
  const [warm, last] = [samples[Math.floor(steps / 2)], samples.at(-1)]
  if (warm === undefined || last === undefined) return
  const [heap, resident] = [last.heapUsed - warm.heapUsed, last.rss / warm.rss - 1]
  console.log(`  since the first half: heap ${mb(heap)}, resident ${(resident * 100).toFixed(1)} %`)
  if (heap > limits.heap) faults.push(`The heap has grown by ${mb(heap)}.`)
  if (resident > limits.resident) faults.push(`The resident memory has grown by ${(resident * 100).toFixed(1)} %.`)
}

/** Returns the medians of pages that are requested alternately. @param {readonly string[]} paths @param {(path: string) => Promise<string>} fetchText */
async function compared(paths, fetchText) {
  /** @type {number[][]} */
  const times = paths.map(() => [])
  const warmUp = Math.ceil(pairs / 10)
  for (let time = -warmUp; time < pairs; time += 1) {
    for (const [position, path] of paths.entries()) {
      const started = performance.now()
      await fetchText(path)
      if (time >= 0) times[position]?.push(performance.now() - started)
    }
  }
  const [first = 0, far = 0] = times.map(median)
  return /** @type {const} */ ([first, far])
}

/**
 * Returns a cursor of the server at a depth. A filter finds the rows: a cursor is valid with other filters, too.
 * @param {{ order: string, depth: number }} position @param {Pool} pool @param {(path: string) => Promise<string>} fetchText
 */
async function deepCursor({ order, depth }, pool, fetchText) {
  const [column, direction] = order.startsWith('-') ? [order.slice(1), 'desc'] : [order, 'asc']
  const found = await pool.query(
    `select id from tracks order by ${column} ${direction}, id ${direction} limit 2 offset ${Math.floor(rows * depth)}`,
  )
  const ids = found.rows.map(({ id }) => id).join(',')
  const { links } = JSON.parse(await fetchText(`/tracks?sort=${order}&filter[ids]=${ids}&page[size]=1`))
  return new URL(links.next).searchParams.get('page[after]')
}

/** Returns the number of rows that a statement reads from tables. @param {Pool} pool @param {{ sql: string, values: unknown[] }} statement */
async function rowsRead(pool, { sql, values }) {
  const explained = await pool.query(`explain (analyze, format json) ${sql}`, values)
  /** @param {Readonly<Record<string, any>>} node @returns {number} */
  const read = (node) => {
    const below = (node['Plans'] ?? []).reduce(
      (/** @type {number} */ sum, /** @type {object} */ each) => sum + read(each),
      0,
    )
    if (node['Relation Name'] === undefined) return below
    return below + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  }
  return Math.round(read(explained.rows[0]['QUERY PLAN'][0]['Plan']))
}

async function filledDatabase() {
  const url = await temporarySchema('growth', cleanups)
  const pool = new Pool({ connectionString: url, max: 2 })
  cleanups.push(() => pool.end())
  await pool.query(`
    create table albums (id integer generated by default as identity primary key, title text collate "C" not null);
    create table tracks (id integer generated by default as identity primary key, title text collate "C" not null, seconds integer not null, rating integer, album_id integer);
    insert into albums select i, 'Album ' || i from generate_series(1, ${Math.ceil(rows / 10)}) i;
    insert into tracks select i, 'Track ' || i, 60 + i % 1009, case when i % 4 > 0 then i % 101 end, 1 + (i - 1) / 10
      from generate_series(1, ${rows}) i;
    create index on tracks (seconds, id);
    create index on tracks (rating, id);
    create index on tracks (title, id);
    create index on tracks (album_id, id);
  `)
  await pool.query('vacuum analyze tracks')
  return { pool, url }
}

/** @param {number} port @param {Agent} agent @param {string} path @returns {Promise<string>} */
function textOf(port, agent, path) {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: encodeURI(path), agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${path}: ${response.statusCode} ${text}`))
      })
    }).on('error', reject)
  })
}

/** @param {readonly number[]} values @returns {number} */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** @param {number} value */
function ms(value) {
  return `${value.toFixed(2)} ms`
}

/** @param {number} bytes */
function mb(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}
