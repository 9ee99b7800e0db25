// @ts-check
/**
 * What happens at more load than a server can handle: `node bench/overload.mjs [--engine sqlite] [--seconds 300] [--rate 2]`. First the rate at which it is
 * saturated is measured, by clients that wait for each answer, then the latencies at a fifth of this rate, then those at twice the rate, with and
 * without the setting `overload`.
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
import { ownSchema } from './own-schema.mjs'
import { startLoad, startServer } from './processes.mjs'
import { workloads } from './workloads.mjs'

/** @typedef {import('./open-load.mjs').Outcome} Outcome */
/** @typedef {import('./music/tables.mjs').Engine} Engine */

const { values: given } = parseArgs({
  options: {
    engine: { type: 'string' },
    seconds: { type: 'string', default: '300' },
    rate: { type: 'string', default: '2' },
    target: { type: 'string', default: 'guarded,ashlar' },
  },
})
const seconds = Number(given.seconds)

/**
 * No process is kept on one core, as in bench/run.mjs: V8 collects garbage in threads of its own, which would take the time of the server. V8 counts
 * the bytes of documents and of sockets too, so that it would collect a heap of 20 MB twice a second: the heap gets more room.
 */
const serverOptions = {
  pinned: false,
  flags: ['--heap-growing-percent=400', '--min-semi-space-size=32', '--max-semi-space-size=32', '--expose-gc'],
}

/** How many of twenty requests are of a kind. */
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
// At random, but the same in each run: a server whose turns last as long as a round would always take the same kind.
const requests = shuffled(inOrder)

for (const engine of /** @type {Engine[]} */ (given.engine === undefined ? ['postgres', 'sqlite'] : [given.engine])) {
  /** @type {(() => unknown)[]} */
  const ending = []
  try {
    await measureOn(engine, ending)
  } finally {
    for (const end of ending.toReversed()) await end()
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

/** @param {Engine} engine @param {(() => unknown)[]} ending */
async function measureOn(engine, ending) {
  const place = engine === 'postgres' ? await ownSchema('overload', ending) : ownFile(ending)
  const catalogue = await createCatalogue(engine, place, 'mixed')
  ending.push(() => catalogue.close())
  console.log(`\n${catalogue.version}`)
  const script = new URL('targets/serve.mjs', import.meta.url)
  const saturated = await saturation(
    await startServer(script, ['ashlar', engine, place], { ...serverOptions, ending }),
    ending,
  )
  console.log(`Saturated at ${saturated.toFixed(0)} requests a second.`)
  for (const target of given.target.split(',')) {
    /** @type {(() => unknown)[]} */
    const own = []
    const server = await startServer(script, [target, engine, place], { ...serverOptions, ending: own })
    try {
      await atRate(server, { rate: saturated / 3, seconds: 10 })
      const unloaded = await atRate(server, { rate: saturated / 5, seconds: 20 })
      console.log(`\n${target}`)
      tell('at a fifth of it', unloaded, 20, null)
      const memory = await remember(server)
      const rate = saturated * Number(given.rate)
      const overloaded = await atRate(server, { rate, seconds })
      tell(`at ${given.rate} times of it`, overloaded, seconds, { saturated, p99: unloaded.accepted.p99 })
      console.log(`  memory: ${await memory()}`)
      await sleep(1000)
      tell('at a fifth of it, afterwards', await atRate(server, { rate: saturated / 5, seconds: 10 }), 10, null)
    } finally {
      for (const end of own.toReversed()) await end()
    }
  }
}

/** @param {import('./processes.mjs').ServerProcess} server @param {(() => unknown)[]} ending */
async function saturation(server, ending) {
  const measure = startLoad(ending)
  const order = { requests, count: 4000, connections: 16, status: 200 }
  await measure(server, order)
  const { seconds: taken } = await measure(server, { ...order, count: 30_000 })
  return 30_000 / taken
}

/** @param {import('./processes.mjs').ServerProcess} server @param {{ rate: number, seconds: number }} load @returns {Promise<Outcome>} */
async function atRate({ port }, load) {
  const child = fork(fileURLToPath(new URL('open-load.mjs', import.meta.url)))
  const gone = once(child, 'exit')
  child.send({ port, requests, ...load, connections: 1000, patience: 30_000 })
  const [outcome] = await once(child, 'message')
  child.disconnect()
  await gone
  return outcome
}

/**
 * Returns a function that says how much memory the server took, and how much of its heap a garbage collection left: garbage is
 * collected late in a heap with much room.
 * @param {import('./processes.mjs').ServerProcess} server
 */
async function remember(server) {
  const before = await server.heap?.()
  /** @type {number[]} */
  const taken = []
  let asked = Promise.resolve()
  const timer = setInterval(() => {
    asked = server.usage().then(({ resident }) => void taken.push(resident))
  }, 1000)
  return async () => {
    clearInterval(timer)
    await asked
    const megabytes = taken.map((bytes) => Math.round(bytes / 2 ** 20))
    const sixths = Array.from({ length: 7 }, (_, sixth) => megabytes[Math.round(((megabytes.length - 1) * sixth) / 6)])
    const [first, last] = [before, await server.heap?.()].map((left) => ((left?.heap ?? 0) / 2 ** 20).toFixed(1))
    return `${sixths.join(', ')} MB, from the beginning to the end; of the heap, ${first} MB and ${last} MB were in use`
  }
}

/**
 * @param {string} title @param {Outcome} outcome @param {number} taken seconds
 * @param {{ saturated: number, p99: number } | null} usual
 */
function tell(title, { accepted, refused, failed, lost, sent }, taken, usual) {
  const rate = accepted.count / taken
  const share = usual === null ? '' : ` (${((rate / usual.saturated) * 100).toFixed(0)} % of saturation)`
  const factor = usual === null ? '' : ` (${(accepted.p99 / usual.p99).toFixed(1)} times)`
  console.log(`  ${title}: ${sent} sent`)
  console.log(
    `    accepted: ${accepted.count}, ${rate.toFixed(0)} a second${share}, p50 ${accepted.p50.toFixed(1)} ms, p99 ${accepted.p99.toFixed(1)} ms${factor}, longest ${accepted.longest.toFixed(0)} ms`,
  )
  console.log(
    `    refused: ${refused.count}, p50 ${refused.p50.toFixed(1)} ms, p99 ${refused.p99.toFixed(1)} ms; other statuses: ${JSON.stringify(failed)}; no response: ${lost}`,
  )
}

/** @param {(() => unknown)[]} ending */
function ownFile(ending) {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-overload-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'music.sqlite')
}
