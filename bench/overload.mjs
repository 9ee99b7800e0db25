// @ts-check
/**
 * Measures a server at more load than it can handle: `node bench/overload.mjs [--engine sqlite] [--seconds 300] [--rate 2]`. First it measures the rate
 * at which the server is saturated, with clients that wait for each response, then the latencies at a fifth of this rate, then at twice the rate, with
 * and without the setting `overload`.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createCatalogue } from './music/tables.mjs'
import { temporarySchema } from './temporary-schema.mjs'
import { startLoad, startServer } from './processes.mjs'
import { workloads } from './workloads.mjs'

/** @typedef {import('./open-load.mjs').Outcome} Outcome */
/** @typedef {import('./music/tables.mjs').Engine} Engine */

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    seconds: { type: 'string', default: '300' },
    rate: { type: 'string', default: '2' },
    target: { type: 'string', default: 'guarded,ashlar' },
    clock: { type: 'string', default: 'wall' },
  },
})
const seconds = Number(options.seconds)
const unloadedSeconds = Math.min(20, seconds)

/**
 * No process is pinned to a core, unlike in bench/run.mjs: V8 collects garbage in other threads, which would use the CPU time of the server. V8 also
 * counts the bytes of documents and sockets, and would collect a heap of 20 MB twice a second. So the heap is larger here.
 */
const serverOptions = {
  pinned: false,
  flags: ['--heap-growing-percent=400', '--min-semi-space-size=32', '--max-semi-space-size=32', '--expose-gc'],
}

/** The number of requests of each workload, of twenty requests. */
const mix = { W1: 6, W4: 6, W2: 4, W3: 2, W6: 2 }
const inOrder = Array.from({ length: 50 }, (_, round) =>
  Object.entries(mix).flatMap(([name, count]) => {
    const workload = workloads.find((one) => one.name === name)
    return Array.from({ length: count }, (__, index) => {
      if (workload === undefined) throw new Error(`There is no workload '${name}'.`)
      return workload.request(round * 20 + index)
    })
  }),
).flat()
// Pseudorandom, but the same in each run. In a fixed order, periodic work of the server could always delay the same workload.
const requests = shuffled(inOrder)

for (const engine of /** @type {Engine[]} */ (
  options.engine === undefined ? ['postgres', 'sqlite'] : [options.engine]
)) {
  /** @type {(() => unknown)[]} */
  const cleanups = []
  try {
    await measureOn(engine, cleanups)
  } finally {
    for (const end of cleanups.toReversed()) await end()
  }
}

/** @template Item @param {readonly Item[]} items @returns {Item[]} */
function shuffled(items) {
  let state = 1
  const keyed = items.map((item) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return { item, key: state }
  })
  return keyed.toSorted((one, other) => one.key - other.key).map(({ item }) => item)
}

/** @param {Engine} engine @param {(() => unknown)[]} cleanups */
async function measureOn(engine, cleanups) {
  const location = engine === 'postgres' ? await temporarySchema('overload', cleanups) : temporaryFile(cleanups)
  const catalogue = await createCatalogue(engine, location, 'mixed')
  cleanups.push(() => catalogue.close())
  console.log(`\n${catalogue.version}`)
  const script = new URL('targets/serve.mjs', import.meta.url)
  const saturated = await saturation(
    await startServer(script, ['ashlar', engine, location], { ...serverOptions, cleanups }),
    cleanups,
  )
  console.log(
    `Saturated at ${saturated.rate.toFixed(0)} requests per second, with ${saturated.cpu.toFixed(0)} µs of CPU time each.`,
  )
  for (const target of options.target.split(',')) {
    /** @type {(() => unknown)[]} */
    const serverCleanups = []
    const server = await startServer(script, [target, engine, location], { ...serverOptions, cleanups: serverCleanups })
    try {
      await atRate(server, { rate: saturated.rate / 3, seconds: Math.min(10, seconds) })
      const unloaded = await atRate(server, { rate: saturated.rate / 5, seconds: unloadedSeconds })
      console.log(`\n${target}`)
      report('at a fifth of the rate', unloaded, unloadedSeconds, null)
      const memory = await watchMemory(server)
      const isBusy = options.clock === 'cpu'
      const rate = Number(options.rate) * (isBusy ? 1e6 / saturated.cpu : saturated.rate)
      const overloaded = await atRate(server, { rate, seconds, isBusy })
      report(`at ${options.rate} times the rate`, overloaded, seconds, { saturated, p99: unloaded.accepted.p99 })
      console.log(`  memory: ${await memory()}`)
      await sleep(1000)
      report(
        'at a fifth of the rate, afterwards',
        await atRate(server, { rate: saturated.rate / 5, seconds: 10 }),
        10,
        null,
      )
    } finally {
      for (const end of serverCleanups.toReversed()) await end()
    }
  }
}

/** @param {import('./processes.mjs').ServerProcess} server @param {(() => unknown)[]} cleanups */
async function saturation(server, cleanups) {
  const measure = startLoad(cleanups)
  const order = { requests, count: 4000, connections: 16, status: 200 }
  const count = 100 * Math.min(300, seconds)
  await measure(server, order)
  const { seconds: taken, cpu } = await measure(server, { ...order, count })
  return { rate: count / taken, cpu }
}

/**
 * `cpu` is the CPU time of the server, in microseconds.
 * @param {import('./processes.mjs').ServerProcess} server @param {{ rate: number, seconds: number, isBusy?: boolean }} load `isBusy` counts CPU time of the server
 * @returns {Promise<Outcome & { cpu: number }>}
 */
async function atRate(server, load) {
  const { port, pid } = server
  const child = fork(fileURLToPath(new URL('open-load.mjs', import.meta.url)))
  const gone = once(child, 'exit')
  const before = await server.usage()
  child.send({
    port,
    requests,
    ...load,
    connections: 1000,
    timeout: 30_000,
    ...(load.isBusy === true ? { clock: pid } : {}),
  })
  const [outcome] = await once(child, 'message')
  child.disconnect()
  await gone
  return { ...outcome, cpu: (await server.usage()).cpu - before.cpu }
}

/**
 * Returns a function that describes the memory of the server, and its heap after a garbage collection. A large heap is collected
 * late.
 * @param {import('./processes.mjs').ServerProcess} server
 */
async function watchMemory(server) {
  const before = await server.heap?.()
  /** @type {number[]} */
  const taken = []
  let pending = Promise.resolve()
  const timer = setInterval(() => {
    pending = server.usage().then(({ resident }) => void taken.push(resident))
  }, 1000)
  return async () => {
    clearInterval(timer)
    await pending
    const megabytes = taken.map((bytes) => Math.round(bytes / 2 ** 20))
    const sixths = Array.from({ length: 7 }, (_, sixth) => megabytes[Math.round(((megabytes.length - 1) * sixth) / 6)])
    const [first, last] = [before, await server.heap?.()].map((left) => ((left?.heap ?? 0) / 2 ** 20).toFixed(1))
    return `${sixths.join(', ')} MB, from start to end; the heap had ${first} MB before and ${last} MB after`
  }
}

/**
 * @param {string} title @param {Outcome & { cpu: number }} outcome @param {number} taken seconds
 * @param {{ saturated: { rate: number, cpu: number }, p99: number } | null} usual
 */
function report(title, { accepted, refused, failed, lost, sent, cpu }, taken, usual) {
  const rate = accepted.count / taken
  const share = usual === null ? '' : ` (${((rate / usual.saturated.rate) * 100).toFixed(0)} % of saturation)`
  const factor = usual === null ? '' : ` (${(accepted.p99 / usual.p99).toFixed(1)} times)`
  console.log(`  ${title}: ${sent} sent`)
  console.log(
    `    accepted: ${accepted.count}, ${rate.toFixed(0)} a second${share}, p50 ${accepted.p50.toFixed(1)} ms, p99 ${accepted.p99.toFixed(1)} ms${factor}, longest ${accepted.longest.toFixed(0)} ms`,
  )
  // On a machine with other work, a rate depends on how much of the CPU the server gets. This does not.
  if (usual !== null) {
    const useful = (accepted.count * usual.saturated.cpu) / cpu
    console.log(`    ${(useful * 100).toFixed(0)} % of the CPU time was needed for the accepted requests at saturation`)
  }
  console.log(
    `    refused: ${refused.count}, p50 ${refused.p50.toFixed(1)} ms, p99 ${refused.p99.toFixed(1)} ms; other statuses: ${JSON.stringify(failed)}; no response: ${lost}`,
  )
}

/** @param {(() => unknown)[]} cleanups */
function temporaryFile(cleanups) {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-overload-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'music.sqlite')
}
