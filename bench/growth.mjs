// @ts-check
/**
 * Measures the cost of growth: larger pages, more included resources, deeper pages, many requests, many types. Prints tables. The exit
 * code is 1 if a document is wrong, but never because of a time or memory. Needs a build, also of the example.
 *
 *   node bench/growth.mjs                                       both engines, everything, some minutes
 *   node bench/growth.mjs --short                               fewer requests, about a minute, not accurate
 *   node bench/growth.mjs --engine sqlite --part pages,depth    some of it
 *   node bench/growth.mjs --part memory --requests 20000        the default is 100,000
 *   DATABASE_URL=postgres://… node bench/growth.mjs             on your server, in temporary schemas
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
import { temporarySchema } from './temporary-schema.mjs'
import { pin, startLoad, startServer } from './processes.mjs'

/** @typedef {import('./music/tables.mjs').Engine} Engine */

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean' },
    engine: { type: 'string' },
    part: { type: 'string' },
    requests: { type: 'string' },
  },
})
const isShort = options.short === true
const engines = chosen('engine', options.engine, /** @type {Engine[]} */ (['postgres', 'sqlite']))
const parts = chosen('part', options.part, ['pages', 'fan-out', 'depth', 'memory', 'start-up', 'example'])
const requests = Number(options.requests ?? (isShort ? 10_000 : 100_000))
const exampleRequests = isShort ? 2000 : 10_000
const turns = isShort ? { rounds: 3, share: 0.2 } : { rounds: 7, share: 1 }

const pinned = pin()
/** @type {string[]} */
const faults = []
console.log(`Node ${version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${turns.rounds} rounds after one to warm up.`)
console.log(
  pinned ? 'Servers run on core 0, the load and the PostgreSQL server of the tests on core 1.' : 'Not pinned to cores.',
)
for (const engine of engines) await withCleanups((cleanups) => measureOn(engine, cleanups))
if (isChosen('example')) {
  console.log('\nThe example, on SQLite: the goals are under 0.8 seconds, and under 120 MB')
  await withCleanups(async (cleanups) => {
    const measure = startLoad(cleanups)
    print(await exampleCost({ measure, faults, requests: exampleRequests, starts: isShort ? 3 : 7, cleanups }))
  })
}
for (const fault of faults) console.error(`\n${fault}`)
process.exitCode = faults.length === 0 ? 0 : 1

/** @param {Engine} engine @param {(() => unknown)[]} cleanups */
async function measureOn(engine, cleanups) {
  if (['pages', 'fan-out', 'depth', 'memory'].some(isChosen)) {
    const location = await temporaryDatabase(engine, cleanups)
    const catalogue = await createCatalogue(engine, location)
    cleanups.push(() => catalogue.close())
    await addFans(engine, location)
    console.log(`\n${catalogue.version}`)
    const script = new URL('growth/server.mjs', import.meta.url)
    const measure = startLoad(cleanups)
    const server = await startServer(script, [engine, location], { pinned, cleanups })
    const bench = { server, measure, faults, ...turns }
    if (isChosen('pages')) titled('Pages: CPU per resource, without the cost of a page of one', await pageCost(bench))
    if (isChosen('fan-out'))
      titled('include=tracks: CPU per resource, without the cost of one track per album', await fanOutCost(bench))
    if (isChosen('depth')) titled('Pages of 50 by cursor', await depthCost(bench))
    if (isChosen('memory')) {
      const watched = await startServer(script, [engine, location], { pinned, cleanups, flags: ['--expose-gc'] })
      const over = await memoryOver({ server: watched, measure, faults, requests })
      titled('Memory after requests of W1 to W4, after a garbage collection', over)
    }
  }
  if (isChosen('start-up')) {
    const location = await temporaryDatabase(engine, cleanups)
    await createManyTables(engine, location)
    titled(
      `Start-up with ${typeCount} types on ${engine}: the goals are under one second for createServer and ready(), and 1.2 in total`,
      await startUp(engine, location),
    )
  }
}

/** @param {string} part */
function isChosen(part) {
  return parts.some((one) => one === part)
}

/** Returns the medians of new processes. @param {Engine} engine @param {string} location @returns {Promise<string[][]>} */
async function startUp(engine, location) {
  const script = fileURLToPath(new URL('growth/many-types.mjs', import.meta.url))
  /** @type {import('./growth/many-types.mjs').StartUp[]} */
  const starts = []
  for (let time = 0; time < (isShort ? 3 : 7); time += 1) {
    const { stdout } = await promisify(execFile)(execPath, [script, engine, location])
    const start = JSON.parse(stdout)
    starts.push(start)
    if (start.status !== 200 || start.types !== typeCount)
      faults.push(`Of ${typeCount} types, the last responds with ${start.status}.`)
  }
  return [
    ['', 'time', 'CPU'],
    spent('loading Node and modules', ({ loaded }) => [loaded]),
    spent('createServer, with the declarations', ({ created }) => [created]),
    spent('ready()', ({ ready }) => [ready]),
    spent('createServer and ready()', ({ created, ready }) => [created, ready]),
    spent('first response', ({ firstResponse }) => [firstResponse]),
    spent('total', ({ loaded, created, ready, firstResponse }) => [loaded, created, ready, firstResponse]),
    ['resident', `${(median(starts.map(({ resident }) => resident)) / 2 ** 20).toFixed(0)} MB`, ''],
  ]

  /** @param {string} name @param {(start: (typeof starts)[number]) => import('./growth/many-types.mjs').Spent[]} of */
  function spent(name, of) {
    const sum = (/** @type {'time' | 'cpu'} */ what) =>
      median(starts.map((start) => of(start).reduce((all, each) => all + each[what], 0)))
    return [name, `${sum('time').toFixed(0)} ms`, `${sum('cpu').toFixed(0)} ms`]
  }
}

/** @param {(cleanups: (() => unknown)[]) => Promise<void>} work */
async function withCleanups(work) {
  /** @type {(() => unknown)[]} */
  const cleanups = []
  try {
    await work(cleanups)
  } finally {
    for (const end of cleanups.toReversed()) await end()
  }
}

/** @param {Engine} engine @param {(() => unknown)[]} cleanups */
async function temporaryDatabase(engine, cleanups) {
  if (engine === 'postgres') return temporarySchema('growth', cleanups)
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-growth-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'growth.sqlite')
}

/** @param {string} title @param {readonly string[][]} lines */
function titled(title, lines) {
  console.log(`\n${title}`)
  print(lines)
}

/** Prints a table: names are aligned left, numbers right. @param {readonly string[][]} lines */
function print(lines) {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  for (const line of lines) {
    const cells = line.map((cell, column) => cell[column === 0 ? 'padEnd' : 'padStart'](widths[column] ?? 0))
    console.log(`  ${cells.join('  ').trimEnd()}`)
  }
}
