// @ts-check
/**
 * What a batch of 1,000 additions costs, over HTTP, against one insert of the same rows that is written by hand. Ends with 1
 * where the batch takes more than three times as long on PostgreSQL; SQLite is measured beside it. Needs a build.
 *
 *   node bench/atomic/adds.mjs                                   25 rounds on each database, some minutes
 *   node bench/atomic/adds.mjs --quick --untimed                 without what takes longest; on a machine that is busy
 *   node bench/atomic/adds.mjs --engine postgres --profile here  leaves a CPU profile of the server in the folder 'here'
 *   DATABASE_URL=postgres://… node bench/atomic/adds.mjs         on a server of yours; in a schema of its own, which is dropped
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { cpuUsage } from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ownSchema } from '../own-schema.mjs'
import { openDatabase } from './databases.mjs'
import { atomicType, batchOf, tracksToAdd } from './tracks.mjs'

/** @typedef {import('./databases.mjs').Engine} Engine */
/** @typedef {import('./databases.mjs').Database} Database */
/**
 * `add` adds all tracks, to the end that is measured; `cpu` tells the CPU time that its process has taken.
 * @typedef {{ add: () => Promise<unknown>, cpu: () => number | Promise<number> }} Contender
 */
/** @typedef {{ time: number, cpu: number }} Cost in milliseconds */

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string' },
    adds: { type: 'string' },
    engine: { type: 'string' },
    profile: { type: 'string' },
    quick: { type: 'boolean' },
    untimed: { type: 'boolean' },
  },
})
const rounds = Number(given.rounds ?? 25)
const warmUp = 10
const tracks = tracksToAdd(Number(given.adds ?? 1000))
const batch = batchOf(tracks)
/** The time of a batch over HTTP to that of one insert by hand, without HTTP and JSON. */
const limit = 3

/** @type {string[]} */
const faults = []
/** @type {(() => unknown)[]} */
const ending = []
try {
  if (given.engine !== 'sqlite') await measure('postgres', await ownSchema('adds', ending))
  if (given.engine !== 'postgres') await measure('sqlite', ownFile())
} finally {
  for (const end of ending.toReversed()) await end()
}
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

/** @param {Engine} engine @param {string} place */
async function measure(engine, place) {
  const database = await openDatabase(engine, place)
  ending.push(() => database.close())
  await database.createTables()
  const bare = { add: database.insertion(tracks), cpu: ownCpu }
  const [together, byHand] = [await start('together', engine, place), await start('by hand', engine, place)]
  const oneByOne = given.quick === true ? null : await start('one by one', engine, place)
  const others = oneByOne === null ? {} : { 'one by one': oneByOne }
  await checkSame({ together, 'by hand': byHand, 'bare insert': bare, ...others }, database)

  const [a, b, c, d] = await medians([together, byHand, bare, ...Object.values(others)])
  assert(a !== undefined && b !== undefined && c !== undefined)
  console.log(`${engine}: ${tracks.length.toLocaleString('en')} additions, medians of ${rounds} rounds:`)
  console.log(`  a  one batch                           ${told(a)}`)
  console.log(`  b  the same, written by hand           ${told(b)}   a/b ${ratio(a, b)}`)
  console.log(`  c  the insert alone, written by hand   ${told(c)}   a/c ${ratio(a, c)}`)
  if (d !== undefined) console.log(`  d  one batch, each addition by itself  ${told(d)}   d/c ${ratio(d, c)}`)
  if (engine === 'postgres' && a.time / c.time > limit && given.untimed !== true) {
    faults.push(`A batch takes ${ratio(a, c)} times as long as one insert; ${limit} times are allowed.`)
  }
}

/** In turns, none of them always first. @param {readonly Contender[]} contenders @returns {Promise<readonly Cost[]>} */
async function medians(contenders) {
  /** @type {Map<Contender, Cost[]>} */
  const costs = new Map(contenders.map((contender) => [contender, []]))
  for (let round = -warmUp; round < rounds; round += 1) {
    const first = (round + warmUp) % contenders.length
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const before = await contender.cpu()
      const started = performance.now()
      await contender.add()
      const time = performance.now() - started
      const cpu = (await contender.cpu()) - before
      if (round >= 0) costs.get(contender)?.push({ time, cpu })
    }
  }
  return contenders.map((contender) => {
    const all = costs.get(contender) ?? []
    return { time: median(all.map(({ time }) => time)), cpu: median(all.map(({ cpu }) => cpu)) }
  })
}

/** All store the rows that they were given, and answer the same. @param {Readonly<Record<string, Contender>>} contenders @param {Database} database */
async function checkSame(contenders, database) {
  /** @type {unknown} */
  let document
  for (const [name, contender] of Object.entries(contenders)) {
    const answer = /** @type {any} */ (await contender.add())
    const stored = await database.lastTracks(tracks.length)
    assert.deepEqual(
      stored.map(({ id: _id, ...track }) => track),
      tracks,
      `${name}: the rows are not those that were sent`,
    )
    if (Array.isArray(answer)) continue
    /** @type {string[]} */
    const ids = answer['atomic:results'].map((/** @type {any} */ { data }) => data.id)
    const storedIds = stored.map(({ id }) => String(id))
    assert.deepEqual(ids, storedIds, `${name}: the results are not in the order of the rows`)
    const same = withoutIds(answer)
    document ??= same
    assert.deepEqual(same, document, `${name}: the document is another`)
  }
}

/** Without what differs by row and by port. @param {any} document */
function withoutIds(document) {
  const results = document['atomic:results'].map((/** @type {any} */ result) => {
    const links = new RegExp(String.raw`127\.0\.0\.1:\d+/tracks/${result.data.id}\b`, 'g')
    const { data, ...rest } = JSON.parse(JSON.stringify(result).replaceAll(links, '…'))
    return { ...rest, data: { ...data, id: '…' } }
  })
  return { ...document, 'atomic:results': results }
}

/** A server that is sent the batch. @param {string} name @param {Engine} engine @param {string} place @returns {Promise<Contender>} */
async function start(name, engine, place) {
  const profiled = given.profile !== undefined && name === 'together'
  const execArgv = profiled ? ['--cpu-prof', `--cpu-prof-dir=${resolve(given.profile ?? '')}`] : []
  const child = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), [name, engine, place], { execArgv })
  const gone = once(child, 'exit')
  ending.push(async () => {
    if (child.connected) child.disconnect()
    await gone
  })
  const [{ port }] = await once(child, 'message')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  ending.push(() => agent.destroy())
  const cpu = async () => {
    child.send('cpu')
    const [used] = await once(child, 'message')
    return used
  }
  return { add: () => sendBatch(port, agent), cpu }
}

/** @param {number} port @param {Agent} agent @returns {Promise<unknown>} the parsed document */
async function sendBatch(port, agent) {
  const headers = { 'Content-Type': atomicType, Accept: atomicType, 'Content-Length': Buffer.byteLength(batch) }
  const asked = request({ host: '127.0.0.1', port, path: '/operations', method: 'POST', agent, headers })
  asked.end(batch)
  const [response] = await once(asked, 'response')
  const answered = await text(response)
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${answered.slice(0, 2000)}`)
  return JSON.parse(answered)
}

function ownFile() {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-adds-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'tracks.sqlite')
}

/** @param {readonly number[]} values @returns {number} */
function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

function ownCpu() {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

/** @param {Cost} cost */
function told({ time, cpu }) {
  return `${time.toFixed(1).padStart(7)} ms   CPU ${cpu.toFixed(1).padStart(6)} ms`
}

/** @param {Cost} one @param {Cost} other */
function ratio(one, other) {
  return (one.time / other.time).toFixed(2)
}
