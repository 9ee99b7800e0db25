// @ts-check
/**
 * Counts what a request leaves to the garbage collector: the bytes that it allocates, and the hidden classes that V8 creates for its objects. V8
 * runs without its compilers, in one thread, and collects nothing meanwhile, so the counts are the same in each run, however busy the machine
 * is. Compares with the committed figures: the exit code is 1 if a request allocates 2 % more bytes, or creates more hidden classes. Needs a
 * build.
 *
 *   node bench/allocations.mjs                          all workloads, on SQLite
 *   node bench/allocations.mjs --workload W1,W8
 *   node bench/allocations.mjs --workload W11 --show    also the objects that get new hidden classes: the member, and where it is added
 *   node bench/allocations.mjs --record                 writes the figures to bench/allocations.json
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chosen } from './choices.mjs'
import { createCatalogue } from './music/tables.mjs'
import { startLoad } from './processes.mjs'
import { workloads } from './workloads.mjs'

/** What one request allocates, and how many hidden classes it creates. @typedef {{ bytes: number, classes: number }} Allocated */

const { values: options } = parseArgs({
  options: { workload: { type: 'string' }, record: { type: 'boolean' }, show: { type: 'boolean' } },
})
/** How much more than the committed figure is accepted. */
const BUDGET = 0.02
const [WARM_UP, REQUESTS] = [30, 10]
/** Fewer for workloads with large documents: their objects must fit into the heap for new ones. */
const windowsOf = (/** @type {import('./workloads.mjs').Workload} */ { requests }) => (requests < 500 ? 3 : 8)
const recordFile = fileURLToPath(new URL('allocations.json', import.meta.url))
const [major = ''] = version.slice(1).split('.')

const countable = workloads.filter(({ deep }) => deep === undefined)
const names = chosen(
  'workload',
  options.workload,
  countable.map(({ name }) => name),
)
/** By the major version of Node and the workload. @type {Record<string, Record<string, Allocated>>} */
const recorded = existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : {}
const committed = recorded[major] ?? {}
if (recorded[major] === undefined && options.record !== true) {
  console.log(`Nothing is checked: bench/allocations.json has no figures for Node ${major}.`)
}

/** @type {string[]} */
const faults = []
const figures = { ...committed }
const folder = mkdtempSync(join(tmpdir(), 'ashlar-bench-'))
try {
  const location = join(folder, 'music.sqlite')
  const catalogue = await createCatalogue('sqlite', location, 'mixed')
  await catalogue.addTracks(2 * WARM_UP + 8 * REQUESTS)
  await catalogue.close()
  for (const workload of countable.filter(({ name }) => names.includes(name))) {
    const file = join(folder, workload.name)
    copyFileSync(location, file)
    const found = await allocatedBy(workload, file)
    const before = committed[workload.name]
    console.log(`${workload.name}: ${textOf(found)}${before === undefined ? '' : `; committed ${textOf(before)}`}`)
    if (before !== undefined && (found.classes > before.classes || found.bytes > before.bytes * (1 + BUDGET))) {
      faults.push(`${workload.name} has ${textOf(found)} for a request instead of ${textOf(before)}.`)
    }
    figures[workload.name] = found
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (options.record === true) {
  writeFileSync(recordFile, `${JSON.stringify({ ...recorded, [major]: figures }, null, 2)}\n`)
} else if (faults.length > 0) {
  for (const fault of faults) console.error(fault)
  console.error('If the request does more than before: `node bench/allocations.mjs --record`. See bench/README.md.')
  process.exitCode = 1
}

/** @param {Allocated} allocated */
function textOf({ bytes, classes }) {
  return `${bytes} bytes and ${classes} hidden classes`
}

/**
 * The lowest count of bytes of all windows is returned: in others, Node renews a date or a timer.
 * @param {import('./workloads.mjs').Workload} workload @param {string} file @returns {Promise<Allocated>}
 */
async function allocatedBy(workload, file) {
  const { request, different, status, deletes = false } = workload
  const windows = windowsOf(workload)
  const log = `${file}.log`
  const child = fork(fileURLToPath(new URL('targets/counted.mjs', import.meta.url)), [file], {
    execArgv: [
      '--single-threaded',
      '--predictable',
      '--no-opt',
      '--no-sparkplug',
      '--no-flush-bytecode',
      '--expose-gc',
      '--min-semi-space-size=256',
      '--max-semi-space-size=256',
      '--log-maps',
      `--logfile=${log}`,
      '--no-logfile-per-isolate',
    ],
  })
  /** @type {(() => unknown)[]} */
  const ends = [() => ended(child)]
  /** @type {number[]} */
  const counts = []
  try {
    const [{ port }] = await once(child, 'message')
    const measure = startLoad(ends)
    let next = 0
    const send = async (/** @type {number} */ count) => {
      const requests = Array.from({ length: count }, (_, index) =>
        request(deletes ? next + index : (next + index) % different),
      )
      next += count
      const server = { port, usage: () => Promise.resolve({ cpu: 0, resident: 0 }) }
      await measure(server, { requests, count, connections: 1, status })
    }
    const heapAfter = async (/** @type {string} */ message) => {
      child.send(message)
      const [{ heap }] = await once(child, 'message')
      return heap
    }
    await send(WARM_UP)
    // A collection also removes hidden classes without objects, so that the requests after it create them again.
    await heapAfter('collect')
    await send(WARM_UP)
    for (let window = 1; window <= windows; window += 1) {
      const before = await heapAfter(`window${window}begins`)
      await send(REQUESTS)
      const after = await heapAfter(`window${window}ends`)
      counts.push(Math.round((after - before) / REQUESTS))
    }
  } finally {
    for (const end of ends.toReversed()) await end()
  }
  const classes = classesIn(readFileSync(log, 'utf8'))
  if (options.show === true) show(classes)
  // Less than one for each request is from a connection, or from a timer.
  return { bytes: Math.min(...counts), classes: Math.floor(classes.length / (windows * REQUESTS)) }
}

/** Returns the hidden classes that the log names between the marks of the windows. @param {string} log */
function classesIn(log) {
  /** @type {string[]} */
  const found = []
  let isInside = false
  for (const line of log.split('\n')) {
    if (!line.startsWith('map,')) continue
    if (/window\d+begins$/.test(line)) isInside = true
    else if (/window\d+ends$/.test(line)) isInside = false
    else if (isInside) found.push(line)
  }
  return found
}

/**
 * Prints the names of the added members, with line and column in a file of dist.
 * @param {readonly string[]} classes lines of the log: `map,Transition,time,from,to,code,line,column,reason,member`
 */
function show(classes) {
  /** @type {Map<string, number>} */
  const places = new Map()
  for (const each of classes) {
    const [, kind, , , , , line, column, , ...member] = each.split(',')
    const place = `${kind} ${member.join()}, line ${line}, column ${column}`
    places.set(place, (places.get(place) ?? 0) + 1)
  }
  for (const [place, count] of [...places].toSorted(([, a], [, b]) => b - a)) console.log(`  ${count} times: ${place}`)
}

/** @param {import('node:child_process').ChildProcess} child */
async function ended(child) {
  const gone = once(child, 'exit')
  child.disconnect()
  await gone
}
