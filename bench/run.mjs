// @ts-check
/**
 * Measures the cost of requests: the catalogue declared with Ashlar, compared with the same service written by hand, in alternating rounds.
 * The exit code is 1 if responses differ, but never because of a time. Needs a build.
 *
 *   node bench/run.mjs                                        both engines, all workloads, some minutes
 *   node bench/run.mjs --short                                the same with fewer requests, under a minute
 *   node bench/run.mjs --check                                only compares responses; the figures mean nothing
 *   node bench/run.mjs --engine postgres --workload W1,W3     only some
 *   node bench/run.mjs --target ashlar --profile here         writes CPU profiles of the servers to folders in 'here'
 *   node bench/run.mjs --target ashlar,express,fastify        the cost of the adapter of a framework
 *   node bench/run.mjs --texts plain                          with plain ASCII, which JSON does not escape
 *   node bench/run.mjs --peers                                with other frameworks, if bench/peers is installed
 *   node bench/run.mjs --rounds 15 --json figures.json        more rounds, and the figures as JSON
 *   node bench/run.mjs --record bench/results.json            adds the ratios to the figures of the pages: see scripts/bench-docs.mjs
 *   node bench/run.mjs --before ../earlier                    with another checkout that is installed and built, as 'before'
 *   DATABASE_URL=postgres://… node bench/run.mjs              on your server, in a temporary schema
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env, version } from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { receivedResponse, deepRequest, differenceOf, differenceOfData } from './responses.mjs'
import { chosen, median } from './choices.mjs'
import { recordRun } from './record.mjs'
import { createCatalogue } from './music/tables.mjs'
import { temporarySchema } from './temporary-schema.mjs'
import { pin, startLoad, startServer } from './processes.mjs'
import { tableOf } from './report.mjs'
import { workloads } from './workloads.mjs'

/** @typedef {import('./music/tables.mjs').Engine} Engine */
/** @typedef {import('./music/tables.mjs').Texts} Texts */
/** @typedef {import('./music/tables.mjs').Catalogue} Catalogue */
/** @typedef {import('./workloads.mjs').Workload} Workload */
/** @typedef {import('./workloads.mjs').Request} Request */
/** @typedef {import('./processes.mjs').ServerProcess} ServerProcess */
/** @typedef {import('./processes.mjs').Measured} Measured */
/** @typedef {import('./report.mjs').Figure} Figure */
/**
 * A server with another framework, see bench/peers. `paths` has its requests for a workload, if they differ.
 * @typedef {{
 *   name: string, engine: Engine, script: URL, workloads: readonly string[],
 *   paths?: Readonly<Record<string, ((index: number) => Request) | undefined>>,
 * }} Peer
 */
/** `deep` is the request for the deep page, after it was found. @typedef {{ name: string, server: ServerProcess, peer: Peer | null, deep?: Request }} Contender */

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean' },
    check: { type: 'boolean' },
    engine: { type: 'string' },
    workload: { type: 'string' },
    target: { type: 'string' },
    rounds: { type: 'string' },
    peers: { type: 'boolean' },
    profile: { type: 'string' },
    texts: { type: 'string' },
    'tenant-keys': { type: 'boolean' },
    json: { type: 'string' },
    record: { type: 'string' },
    before: { type: 'string' },
  },
})
if (
  options.record !== undefined &&
  (options.short === true || options.check === true || (options.texts ?? 'mixed') !== 'mixed')
) {
  throw new Error('--record needs a full run with the usual texts.')
}
const connections = 16
const { share, warmUp, rounds: usualRounds } = extentOf()
const rounds = Number(options.rounds ?? usualRounds)
const engines = chosen('engine', options.engine, /** @type {Engine[]} */ (['postgres', 'sqlite']))
const frameworks = ['fetch', 'express', 'fastify', 'hono', 'nest']
const targets = chosen(
  'target',
  options.target,
  ['ashlar', 'ruled', 'versioned', 'hashed', ...frameworks, 'l1', 'l3'],
  ['ashlar', 'l1', 'l3'],
)
const [texts] = chosen('texts', options.texts, /** @type {Texts[]} */ (['mixed', 'latin', 'plain']), ['mixed'])
const names = chosen(
  'workload',
  options.workload,
  workloads.map(({ name }) => name),
)
const leavesExtras = (options.short === true || options.check === true) && options.workload === undefined
const peers = options.peers === true ? await installedPeers() : []

const pinned = pin()
/** @type {string[]} */
const faults = []
const processor = cpus()[0]?.model ?? 'unknown processor'
/** @type {Record<string, unknown>} */
const results = { node: version, cpu: processor, pinned, rounds, connections, texts }
console.log(`Node ${version}, ${processor}, ${rounds} rounds after ${warmUp} to warm up, ${connections} connections.`)
console.log(
  pinned ? 'Servers run on core 0, the load and the PostgreSQL server of the tests on core 1.' : 'Not pinned to cores.',
)
console.log('Medians. Ratios compare with l1, which is written by hand; more is better. l3 is the practical limit.')
/** @type {Partial<Record<Engine, import('./record.mjs').MeasuredEngine>>} */
const measuredEngines = {}
for (const engine of engines) {
  /** @type {(() => unknown)[]} */
  const cleanups = []
  try {
    results[engine] = measuredEngines[engine] = await measureOn(engine, cleanups)
  } finally {
    for (const end of cleanups.toReversed()) await end()
  }
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`)
if (options.record !== undefined && faults.length === 0) recordRun(options.record, measuredEngines, rounds)
for (const fault of faults) console.error(`\n${fault}`)
process.exitCode = faults.length === 0 ? 0 : 1

/** Returns the number of rounds, and the share of the requests of a round that is sent. */
function extentOf() {
  if (options.check === true) return { share: { measured: 0.01, warmUp: 0 }, warmUp: 0, rounds: 1 }
  // V8 optimizes code while it runs, so a short run warms up longer than it measures.
  if (options.short === true) return { share: { measured: 0.02, warmUp: 0.03 }, warmUp: 1, rounds: 2 }
  return { share: { measured: 1, warmUp: 1 }, warmUp: 2, rounds: 7 }
}

/** @param {Engine} engine @param {(() => unknown)[]} cleanups */
async function measureOn(engine, cleanups) {
  const location = engine === 'postgres' ? await temporarySchema('bench', cleanups) : temporaryFile(cleanups)
  const catalogue = await createCatalogue(engine, location, texts, options['tenant-keys'])
  cleanups.push(() => catalogue.close())
  const note = engine === 'postgres' && env['DATABASE_URL'] !== undefined ? ', on a server that is not pinned' : ''
  console.log(`\n${catalogue.version}${note}\n`)
  const contenders = await startAll(engine, location, cleanups)
  const measure = startLoad(cleanups)

  /** @type {Figure[]} */
  const figures = []
  for (const workload of workloads.filter(({ name, extra }) => names.includes(name) && !(extra && leavesExtras))) {
    const equal = await agreeingServers(workload, contenders, catalogue)
    figures.push(...(await figuresOf(workload, equal, { catalogue, measure })))
  }
  console.log(tableOf(figures))
  /** @type {Record<string, number>} */
  const resident = {}
  for (const { name, server } of contenders) resident[name] = (await server.usage()).resident
  const memory = Object.entries(resident).map(([name, bytes]) => `${name} ${(bytes / 2 ** 20).toFixed(0)} MB`)
  console.log(`\nResident at the end: ${memory.join(', ')}`)
  return { version: catalogue.version, figures, resident }
}

/** @param {Engine} engine @param {string} location @param {(() => unknown)[]} cleanups @returns {Promise<Contender[]>} */
async function startAll(engine, location, cleanups) {
  /** @type {Contender[]} */
  const contenders = []
  const script = new URL('targets/serve.mjs', import.meta.url)
  for (const name of targets) {
    const { profile } = options
    const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile, name)}`]
    const server = await startServer(script, [name, engine, location], { pinned, cleanups, flags })
    contenders.push({ name, server, peer: null })
  }
  if (options.before !== undefined) {
    const earlier = pathToFileURL(resolve(options.before, 'bench/targets/serve.mjs'))
    const server = await startServer(earlier, ['ashlar', engine, location], { pinned, cleanups })
    contenders.push({ name: 'before', server, peer: null })
  }
  for (const peer of peers.filter((one) => one.engine === engine)) {
    const server = await startServer(peer.script, [location], { pinned, cleanups })
    contenders.push({ name: peer.name, server, peer })
  }
  return contenders
}

/** @param {Workload} workload @param {Contender} contender @param {number} index @returns {Request} */
function requestOf(workload, { peer }, index) {
  return (peer?.paths?.[workload.name] ?? workload.request)(index)
}

/**
 * Returns the servers whose responses to a workload are the same as those of the first server. Of a peer only the data is compared.
 * @param {Workload} workload @param {readonly Contender[]} contenders @param {Catalogue} catalogue
 */
async function agreeingServers(workload, contenders, catalogue) {
  const taking = contenders.filter(({ peer }) => peer === null || peer.workloads.includes(workload.name))
  const indexes = Array.from({ length: Math.min(workload.different, 10) }, (_, index) => index)
  /** @type {import('./responses.mjs').ReceivedResponse[]} */
  let expected = []
  /** @type {Contender[]} */
  const equal = []
  for (const contender of taking) {
    /** @type {import('./responses.mjs').ReceivedResponse[]} */
    const responses = []
    if (workload.deletes === true) await catalogue.addTracks(indexes.length)
    for (const index of indexes) {
      responses.push(await receivedResponse(contender.server.port, await actualRequest(workload, contender, index)))
    }
    if (workload.writes === true) await catalogue.restore()
    if (contender === taking[0]) expected = responses
    const compare = contender.peer === null ? differenceOf : differenceOfData
    const differences = responses.flatMap((response, index) => {
      const wanted = expected[index]
      const found = wanted === undefined ? null : compare(response, wanted)
      return found === null ? [] : [`${requestOf(workload, contender, index).path}: ${found}`]
    })
    if (differences.length === 0) equal.push(contender)
    else
      faults.push(`${workload.name}: ${contender.name} responds differently from ${taking[0]?.name}. ${differences[0]}`)
  }
  return equal
}

/** Returns the request of a workload, or the request for its deep page. @param {Workload} workload @param {Contender} contender @param {number} index */
async function actualRequest(workload, contender, index) {
  const request = requestOf(workload, contender, index)
  if (workload.deep === undefined) return request
  contender.deep ??= await deepRequest(contender.server.port, request, workload.deep)
  return contender.deep
}

/**
 * Measures all servers in alternating order.
 * @param {Workload} workload @param {readonly Contender[]} contenders
 * @param {{ catalogue: Catalogue, measure: ReturnType<typeof startLoad> }} by
 * @returns {Promise<Figure[]>}
 */
async function figuresOf(workload, contenders, { catalogue, measure }) {
  const measuredCount = Math.ceil(workload.requests * share.measured)
  const { name, title, status } = workload
  const runs = await Promise.all(
    contenders.map(async (contender) => ({
      contender,
      requests: await requestsOf(workload, contender),
      pageOne: workload.deep === undefined ? null : [requestOf(workload, contender, 0)],
      /** @type {(Measured & { database: number | null })[]} */
      measured: [],
      /** @type {Measured[]} */
      measuredFirst: [],
    })),
  )
  for (let round = -warmUp; round < rounds; round += 1) {
    const count = round < 0 ? Math.ceil(workload.requests * share.warmUp) : measuredCount
    for (const { contender, requests, pageOne, measured, measuredFirst } of round % 2 === 0
      ? runs
      : runs.toReversed()) {
      if (workload.deletes === true) await catalogue.addTracks(count)
      const one = await withDatabase(catalogue, count, () =>
        measure(contender.server, { requests, count, connections, status }),
      )
      if (workload.writes === true) await catalogue.restore()
      if (round >= 0) measured.push(one)
      if (pageOne === null) continue
      const first = await measure(contender.server, { requests: pageOne, count, connections, status })
      if (round >= 0) measuredFirst.push(first)
    }
  }
  const before = runs.find(({ contender }) => contender.name === 'before')?.measured
  return runs.map(({ contender, measured, measuredFirst }) => ({
    workload: name,
    title,
    target: contender.name,
    cpu: median(measured.map(({ cpu }) => cpu)),
    ...databaseFigure(measured),
    rate: median(measured.map(({ seconds }) => measuredCount / seconds)),
    p50: median(measured.map(({ p50 }) => p50)),
    p99: median(measured.map(({ p99 }) => p99)),
    ...(measuredFirst.length === 0 ? {} : { pageOne: median(measuredFirst.map(({ cpu }) => cpu)) }),
    ...(before === undefined || before === measured ? {} : { ofBefore: medianRatio(measured, before) }),
  }))
}

/**
 * Compares consecutive rounds, so that a machine that becomes slower during the run does not change the result.
 * @param {readonly Measured[]} measured @param {readonly Measured[]} before
 */
function medianRatio(measured, before) {
  return median(measured.map(({ cpu }, round) => cpu / (before[round]?.cpu ?? cpu)))
}

/**
 * Adds the CPU time of the database. The time of a new process is counted completely.
 * @param {Catalogue} catalogue @param {number} count @param {() => Promise<Measured>} send
 * @returns {Promise<Measured & { database: number | null }>}
 */
async function withDatabase(catalogue, count, send) {
  const before = await catalogue.databaseCpu()
  const measured = await send()
  const after = await catalogue.databaseCpu()
  if (after === null) return { ...measured, database: null }
  let total = 0
  for (const [process, cpu] of after) total += cpu - (before?.get(process) ?? 0)
  return { ...measured, database: total / count }
}

/** @param {readonly { database: number | null }[]} measured @returns {{ database?: number }} */
function databaseFigure(measured) {
  const seen = measured.flatMap(({ database }) => (database === null ? [] : [database]))
  return seen.length === 0 ? {} : { database: median(seen) }
}

/** @param {Workload} workload @param {Contender} contender @returns {Promise<Request[]>} */
function requestsOf(workload, contender) {
  return Promise.all(
    Array.from({ length: workload.different }, (_, index) => actualRequest(workload, contender, index)),
  )
}

/** @returns {Promise<readonly Peer[]>} */
async function installedPeers() {
  const folder = new URL('peers/', import.meta.url)
  if (existsSync(new URL('node_modules', folder)) && existsSync(new URL('targets.mjs', folder))) {
    const module = await import(new URL('targets.mjs', folder).href)
    console.log('Of other frameworks, only the primary data and the included resources are compared, not the links.')
    return module.peers
  }
  console.log('Other frameworks are not installed: npm ci --prefix bench/peers')
  return []
}

/** @param {(() => unknown)[]} cleanups */
function temporaryFile(cleanups) {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-bench-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'music.sqlite')
}
