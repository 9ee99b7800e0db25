// @ts-check
/**
 * Counts the instructions that a server executes for a request, with callgrind of Valgrind. Unlike times, they are almost the same in each
 * run, on any machine, however busy it is. They do not include the kernel, and say nothing about waiting for memory. Needs a build.
 *
 *   node bench/instructions.mjs --workload W1 --before ../earlier     this checkout and another one, on SQLite
 *   node bench/instructions.mjs --workload W4 --warm-up 6000 --requests 500 --engine postgres
 */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { chosen } from './choices.mjs'
import { createCatalogue } from './music/tables.mjs'
import { startLoad } from './processes.mjs'
import { temporarySchema } from './temporary-schema.mjs'
import { workloads } from './workloads.mjs'

const { values: options } = parseArgs({
  options: {
    workload: { type: 'string', default: 'W1' },
    engine: { type: 'string', default: 'sqlite' },
    before: { type: 'string' },
    'warm-up': { type: 'string', default: '30000' },
    requests: { type: 'string', default: '3000' },
    windows: { type: 'string', default: '8' },
  },
})
const countable = workloads.filter(({ deep }) => deep === undefined)
const names = chosen(
  'workload',
  options.workload,
  countable.map(({ name }) => name),
)
const [engine = 'sqlite'] = chosen(
  'engine',
  options.engine,
  /** @type {import('./music/tables.mjs').Engine[]} */ (['postgres', 'sqlite']),
)
/** The number of requests that a server gets for a workload. */
const requestsOfServer = Number(options['warm-up']) + Number(options.windows) * Number(options.requests)
const folders = { ashlar: fileURLToPath(new URL('..', import.meta.url)), ...beforeFolder() }

/** @type {(() => unknown)[]} */
const cleanups = []
try {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-bench-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  const location = engine === 'postgres' ? await temporarySchema('bench', cleanups) : join(folder, 'music.sqlite')
  const catalogue = await createCatalogue(engine, location, 'mixed')
  const deleting = countable.filter(({ name, deletes }) => deletes === true && names.includes(name))
  await catalogue.addTracks(deleting.length * requestsOfServer * Object.keys(folders).length)
  await catalogue.close()
  for (const workload of countable.filter(({ name }) => names.includes(name))) {
    await Promise.all(
      Object.entries(folders).map(async ([name, checkout], position) => {
        const file = join(folder, `${workload.name}-${name}`)
        if (engine === 'sqlite') copyFileSync(location, file)
        const database = engine === 'sqlite' ? file : location
        const counts = await countsOf(workload, { checkout, position, database }, `${file}.counts`)
        console.log(`${workload.name} ${name}: ${Math.min(...counts)} instructions; by window ${counts.join(', ')}`)
      }),
    )
  }
} finally {
  for (const end of cleanups.toReversed()) await end()
}

/** @returns {{ before?: string }} */
function beforeFolder() {
  return options.before === undefined ? {} : { before: resolve(options.before) }
}

/**
 * Returns the instructions for a request, in each window. Windows in which V8 compiles, or collects all garbage, have more.
 * @param {import('./workloads.mjs').Workload} workload
 * @param {{ checkout: string, position: number, database: string }} server `position` among the servers of the workload
 * @param {string} output
 * @returns {Promise<number[]>}
 */
async function countsOf({ different, request, status, deletes = false }, { checkout, position, database }, output) {
  const script = pathToFileURL(join(checkout, 'bench/targets/serve.mjs'))
  const callgrind = ['--tool=callgrind', '--instr-atstart=no', '--smc-check=all-non-file', '--quiet']
  const child = fork(fileURLToPath(script), ['ashlar', engine, database], {
    execPath: 'valgrind',
    // With one thread, the work of the compiler and of the garbage collector is counted when it is done.
    execArgv: [...callgrind, `--callgrind-out-file=${output}`, execPath, '--single-threaded'],
  })
  /** @type {(() => unknown)[]} */
  const ends = [() => stopped(child)]
  try {
    const [{ port }] = await once(child, 'message')
    const measure = startLoad(ends)
    // A row can be deleted once, by one of the servers.
    let next = deletes ? position * requestsOfServer : 0
    const send = (/** @type {number} */ count) => {
      // Each window goes on where the one before ended: an update that is sent twice changes nothing the second time.
      const requests = Array.from({ length: deletes ? count : Math.min(count, different) }, (_, index) =>
        request(deletes ? next + index : (next + index) % different),
      )
      next += count
      return measure(
        { port, usage: () => Promise.resolve({ cpu: 0, resident: 0 }) },
        { requests, count, connections: 4, status },
      )
    }
    await send(Number(options['warm-up']))
    control(child, '--instr=on')
    /** @type {number[]} */
    const counts = []
    for (let window = 1; window <= Number(options.windows); window += 1) {
      await send(Number(options.requests))
      control(child, '--dump')
      counts.push(Math.round(totalIn(`${output}.${window}`) / Number(options.requests)))
    }
    return counts
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {string} command */
function control(child, command) {
  execFileSync('callgrind_control', [command, String(child.pid)], { stdio: 'ignore' })
}

/** @param {string} dump @returns {number} */
function totalIn(dump) {
  const [, total] = /^(?:totals|summary): (\d+)/m.exec(readFileSync(dump, 'utf8')) ?? []
  return Number(total)
}

/** @param {import('node:child_process').ChildProcess} child */
async function stopped(child) {
  const gone = once(child, 'exit')
  child.disconnect()
  await gone
}
