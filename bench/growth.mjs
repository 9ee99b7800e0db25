// @ts-check
/**
 * What growth costs: larger pages, more included resources, deeper pages, many requests, many types. Prints tables, and
 * ends with 1 where documents are not what they must be, and never because of a time or of memory. Needs a build, of the example too.
 *
 *   node bench/growth.mjs                                       both engines, everything, some minutes
 *   node bench/growth.mjs --short                               fewer requests, about a minute: for a glance
 *   node bench/growth.mjs --engine sqlite --part pages,depth    some of it
 *   node bench/growth.mjs --part memory --requests 20000        100,000 unless told
 *   DATABASE_URL=postgres://… node bench/growth.mjs             on a server of yours; in schemas of its own, which are dropped
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath, version } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { chosen, median } from './choices.mjs'
import { depthCost, fanOutCost, pageCost } from './growth/cost.mjs'
import { exampleCost } from './growth/example.mjs'
import { addFans } from './growth/fan-out.mjs'
import { createManyTables, typeCount } from './growth/many-tables.mjs'
import { memoryOver } from './growth/memory.mjs'
import { createCatalogue } from './music/tables.mjs'
import { ownSchema } from './own-schema.mjs'
import { pin, startLoad, startServer } from './processes.mjs'

/** @typedef {import('./music/tables.mjs').Engine} Engine */

const { values: given } = parseArgs({
  options: {
    short: { type: 'boolean' },
    engine: { type: 'string' },
    part: { type: 'string' },
    requests: { type: 'string' },
  },
})
const isShort = given.short === true
const engines = chosen('engine', given.engine, /** @type {Engine[]} */ (['postgres', 'sqlite']))
const parts = chosen('part', given.part, ['pages', 'fan-out', 'depth', 'memory', 'start-up', 'example'])
const requests = Number(given.requests ?? (isShort ? 10_000 : 100_000))
const exampleRequests = isShort ? 2000 : 10_000
const turns = isShort ? { rounds: 3, share: 0.2 } : { rounds: 7, share: 1 }

const pinned = pin()
/** @type {string[]} */
const faults = []
console.log(`Node ${version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${turns.rounds} rounds after one to warm up.`)
console.log(
  pinned ? 'Servers have core 0, the load and a PostgreSQL server of its own have core 1.' : 'Not pinned to cores.',
)
for (const engine of engines) await ended((ending) => measureOn(engine, ending))
if (isAsked('example')) {
  console.log('\nThe example, on SQLite: the goals are under 0.8 seconds, and under 120 MB')
  await ended(async (ending) => {
    const measure = startLoad(ending)
    print(await exampleCost({ measure, faults, requests: exampleRequests, starts: isShort ? 3 : 7, ending }))
  })
}
for (const fault of faults) console.error(`\n${fault}`)
process.exitCode = faults.length === 0 ? 0 : 1

/** @param {Engine} engine @param {(() => unknown)[]} ending */
async function measureOn(engine, ending) {
  if (['pages', 'fan-out', 'depth', 'memory'].some(isAsked)) {
    const place = await ownPlace(engine, ending)
    const catalogue = await createCatalogue(engine, place)
    ending.push(() => catalogue.close())
    await addFans(engine, place)
    console.log(`\n${catalogue.version}`)
    const script = new URL('growth/server.mjs', import.meta.url)
    const measure = startLoad(ending)
    const server = await startServer(script, [engine, place], { pinned, ending })
    const bench = { server, measure, faults, ...turns }
    if (isAsked('pages')) titled('Pages: CPU a resource, without what a page of one costs', await pageCost(bench))
    if (isAsked('fan-out'))
      titled('include=tracks: CPU a resource, without what one track an album costs', await fanOutCost(bench))
    if (isAsked('depth')) titled('Pages of 50 by cursor', await depthCost(bench))
    if (isAsked('memory')) {
      const watched = await startServer(script, [engine, place], { pinned, ending, flags: ['--expose-gc'] })
      const over = await memoryOver({ server: watched, measure, faults, requests })
      titled('Memory after requests of W1 to W4, once garbage is collected', over)
    }
  }
  if (isAsked('start-up')) {
    const place = await ownPlace(engine, ending)
    await createManyTables(engine, place)
    titled(
      `Start-up with ${typeCount} types on ${engine}: the goals are under one second for createServer and ready(), and 1.2 for all of it`,
      await startUp(engine, place),
    )
  }
}

/** @param {string} part */
function isAsked(part) {
  return parts.some((one) => one === part)
}

/** Medians of fresh processes. @param {Engine} engine @param {string} place @returns {Promise<string[][]>} */
async function startUp(engine, place) {
  const script = fileURLToPath(new URL('growth/many-types.mjs', import.meta.url))
  /** @type {import('./growth/many-types.mjs').StartUp[]} */
  const starts = []
  for (let time = 0; time < (isShort ? 3 : 7); time += 1) {
    const { stdout } = await promisify(execFile)(execPath, [script, engine, place])
    const start = JSON.parse(stdout)
    starts.push(start)
    if (start.status !== 200 || start.types !== typeCount)
      faults.push(`Of ${typeCount} types, the last answers ${start.status}.`)
  }
  return [
    ['', 'time', 'CPU'],
    spent('Node and modules are loaded', ({ loaded }) => [loaded]),
    spent('createServer, with the declarations', ({ created }) => [created]),
    spent('ready()', ({ ready }) => [ready]),
    spent('createServer and ready()', ({ created, ready }) => [created, ready]),
    spent('first response', ({ answered }) => [answered]),
    spent('all of it', ({ loaded, created, ready, answered }) => [loaded, created, ready, answered]),
    ['resident', `${(median(starts.map(({ resident }) => resident)) / 2 ** 20).toFixed(0)} MB`, ''],
  ]

  /** @param {string} name @param {(start: (typeof starts)[number]) => import('./growth/many-types.mjs').Spent[]} of */
  function spent(name, of) {
    const sum = (/** @type {'time' | 'cpu'} */ what) =>
      median(starts.map((start) => of(start).reduce((all, each) => all + each[what], 0)))
    return [name, `${sum('time').toFixed(0)} ms`, `${sum('cpu').toFixed(0)} ms`]
  }
}

/** @param {(ending: (() => unknown)[]) => Promise<void>} work */
async function ended(work) {
  /** @type {(() => unknown)[]} */
  const ending = []
  try {
    await work(ending)
  } finally {
    for (const end of ending.toReversed()) await end()
  }
}

/** @param {Engine} engine @param {(() => unknown)[]} ending */
async function ownPlace(engine, ending) {
  if (engine === 'postgres') return ownSchema('growth', ending)
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-growth-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'growth.sqlite')
}

/** @param {string} title @param {readonly string[][]} lines */
function titled(title, lines) {
  console.log(`\n${title}`)
  print(lines)
}

/** Names to the left, numbers to the right. @param {readonly string[][]} lines */
function print(lines) {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  for (const line of lines) {
    const cells = line.map((cell, column) => cell[column === 0 ? 'padEnd' : 'padStart'](widths[column] ?? 0))
    console.log(`  ${cells.join('  ').trimEnd()}`)
  }
}
