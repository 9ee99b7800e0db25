// @ts-check
/**
 * Measures requests that exceed a limit of a document: how many rows they read, and how long other requests wait meanwhile. Needs a build.
 *
 *   node bench/limits.mjs                          both engines, about a minute
 *   node bench/limits.mjs --engine sqlite          one engine
 *   node bench/limits.mjs --package ../earlier     another checkout, installed and built
 *
 * All requests are handled in one process, without sockets. Every 5 milliseconds another request reads one track. On a busy machine, compare rows and
 * CPU time, which includes those other requests: the times depend on the other work.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { arch, cpuUsage, version } from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { DatabaseSync } from '@photostructure/sqlite'
import { Pool } from 'pg'
import { temporarySchema } from './temporary-schema.mjs'

const { values: options } = parseArgs({ options: { engine: { type: 'string' }, package: { type: 'string' } } })
const root = pathToFileURL(resolve(options.package ?? new URL('..', import.meta.url).pathname)).href
/** @type {typeof import('ashlar')} */
const { belongsTo, belongsToMany, createServer, defineResource, id } = await import(`${root}/dist/index.js`)
/** @type {typeof import('ashlar/sql')} */
const { sqlData, table } = await import(`${root}/dist/sql.js`)

const TRACKS = 200_000
const LIMIT = 10_000
const SHARING = 50

/** Playlist 1 has all tracks, playlist 2 exactly as many as may be included, 50 others the same 10,000. */
const tables = [
  'create table albums (id integer primary key, title text not null)',
  'create table tracks (id integer primary key, title text not null, seconds integer not null, album_id integer not null)',
  'create table playlists (id integer primary key, name text not null)',
  'create table entries (playlist_id integer not null, track_id integer not null, primary key (playlist_id, track_id))',
]

/** @param {(limit: number) => string} series a table with the column `n`, from 1 to the limit */
function rowsOf(series) {
  return [
    `insert into albums select n, 'Album ' || n from ${series(TRACKS)} as s`,
    `insert into tracks select n, 'Track ' || n, n % 300, n from ${series(TRACKS)} as s`,
    `insert into playlists select n, 'Playlist ' || n from ${series(2 + SHARING)} as s`,
    `insert into entries select 1, n from ${series(TRACKS)} as s`,
    `insert into entries select 2, n from ${series(LIMIT)} as s`,
    `insert into entries select 2 + b.n, a.n from ${series(LIMIT)} a cross join ${series(SHARING)} b`,
  ]
}

const sharing = Array.from({ length: SHARING }, (_, index) => index + 3).join(',')

/** @type {readonly { readonly name: string, readonly method?: string, readonly path: string, readonly body?: object }[]} */
const cases = [
  { name: '200,000 members included', path: '/playlists/1?include=tracks' },
  { name: '200,000 identifiers', path: '/playlists/1/relationships/tracks' },
  { name: '10,000 included, and one level more', path: '/playlists/2?include=tracks.album' },
  { name: '500,000 identifiers of 10,000 included', path: `/playlists?include=tracks&filter[id]=${sharing}` },
  { name: '200,000 resources without pages', path: '/tracks' },
  {
    name: 'the response to a write',
    method: 'PATCH',
    path: '/playlists/1?include=tracks',
    body: { data: { type: 'playlists', id: '1', attributes: { name: 'Changed' } } },
  },
]

console.log(`Node ${version}, ${arch}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`)
for (const engine of options.engine === undefined ? ['sqlite', 'postgres'] : [options.engine]) {
  /** @type {(() => unknown)[]} */
  const cleanups = []
  try {
    await measure(engine, engine === 'sqlite' ? sqliteDatabase(cleanups) : await postgresDatabase(cleanups))
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
}

/** @param {(() => unknown)[]} cleanups */
function sqliteDatabase(cleanups) {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'))
  const database = new DatabaseSync(join(folder, 'music.db'))
  cleanups.push(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })
  database.exec(`begin; ${[...tables, ...rowsOf(sqliteSeries)].join('; ')}; commit`)
  return database
}

/** @param {number} limit */
function sqliteSeries(limit) {
  return `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${limit}) select n from s)`
}

/** @param {(() => unknown)[]} cleanups */
async function postgresDatabase(cleanups) {
  const pool = new Pool({ connectionString: await temporarySchema('limits', cleanups) })
  cleanups.push(() => pool.end())
  for (const statement of [...tables, ...rowsOf(postgresSeries), 'analyze']) await pool.query(statement)
  return pool
}

/** @param {number} limit */
function postgresSeries(limit) {
  return `(select n from generate_series(1, ${limit}) as s(n))`
}

/** @param {string} engine @param {any} database */
async function measure(engine, database) {
  let rows = 0
  const data = sqlData(database, { naming: 'snake_case', onStatement: (ran) => (rows += ran.rows ?? 0) })
  const server = createServer({ resources: /** @type {any} */ (resources()), data, pagination: null })
  /** @param {string} path @param {{ method?: string, body?: object }} [request] */
  const send = (path, { method = 'GET', body } = {}) =>
    server.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { accept: 'application/vnd.api+json', 'content-type': 'application/vnd.api+json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
  for (let count = 0; count < 100; count += 1) await send('/tracks/1')
  console.log(`\n${engine}\n`)
  console.log('| Request | Status | Rows read | Bytes | CPU time | Time | Longest other request |')
  console.log('|---|---|---|---|---|---|---|')
  for (const { name, path, ...request } of cases) {
    rows = 0
    const others = otherRequests(() => send('/tracks/1'))
    const [start, cpuBefore] = [performance.now(), cpuUsage()]
    const response = await send(path, request)
    const bytes = (await response.arrayBuffer()).byteLength
    const time = performance.now() - start
    const { user, system } = cpuUsage(cpuBefore)
    const { longest, count } = await others.stop()
    const figures = [response.status, rows - count, bytes].map((figure) => figure.toLocaleString('en'))
    const times = [(user + system) / 1000, time, longest].map((milliseconds) => `${milliseconds.toFixed(0)} ms`)
    console.log(`| ${name} | ${[...figures, ...times].join(' | ')} |`)
  }
}

/**
 * Sends a request every 5 milliseconds, also if earlier ones have no response yet.
 * @param {() => Promise<Response>} send
 */
function otherRequests(send) {
  let [longest, count] = [0, 0]
  let planned = performance.now()
  /** @type {Promise<unknown>[]} */
  const pending = []
  const measured = async (/** @type {number} */ start) => {
    await send()
    longest = Math.max(longest, performance.now() - start)
  }
  const timer = setInterval(() => {
    // A request waits from the time at which it should have been sent.
    const start = Math.min(planned + 5, performance.now())
    planned = performance.now()
    count += 1
    pending.push(measured(start))
  }, 5)
  return {
    async stop() {
      await new Promise((done) => setTimeout(done, 20))
      clearInterval(timer)
      await Promise.all(pending)
      return { longest, count }
    },
  }
}

/** @param {string} name @returns {any} */
function modelOf(name) {
  return table(name)
}

function resources() {
  const albums = defineResource('albums', {
    model: modelOf('albums'),
    id: id(),
    attributes: (/** @type {any} */ a) => ({ title: a.string() }),
  })
  const tracks = defineResource('tracks', {
    model: modelOf('tracks'),
    id: id(),
    attributes: (/** @type {any} */ a) => ({ title: a.string(), seconds: a.integer() }),
    relations: /** @type {any} */ ({ album: belongsTo('albums').via('albumId') }),
  })
  const playlists = defineResource('playlists', {
    model: modelOf('playlists'),
    id: id(),
    attributes: (/** @type {any} */ a) => ({ name: a.string() }),
    relations: /** @type {any} */ ({
      tracks: belongsToMany('tracks').through(modelOf('entries'), { owner: 'playlistId', member: 'trackId' }),
    }),
  })
  return [albums, tracks, playlists]
}
