// @ts-check
/**
 * What requests cost: the catalogue declared with Ashlar against the same service written by hand, in turns, in one run. Ends with 1
 * where answers differ, and never because of a time. Needs a build.
 *
 *   node bench/run.mjs                                        both engines, all workloads, some minutes
 *   node bench/run.mjs --short                                the same with fewer requests, under a minute
 *   node bench/run.mjs --check                                compares answers, and sends so few requests that no figure means anything
 *   node bench/run.mjs --engine postgres --workload W1,W3     some of it
 *   node bench/run.mjs --target ashlar --profile here         leaves CPU profiles of the servers in folders in 'here'
 *   node bench/run.mjs --target ashlar,express,fastify        what the adapter of a framework costs
 *   node bench/run.mjs --texts plain                          with rows of ASCII alone, and nothing for JSON to escape
 *   node bench/run.mjs --peers                                with other frameworks, where bench/peers is installed
 *   node bench/run.mjs --rounds 15 --json figures.json        more rounds, and the figures as JSON
 *   node bench/run.mjs --before ../earlier                    with another checkout that is installed and built, as 'before'
 *   DATABASE_URL=postgres://… node bench/run.mjs              on a server of yours; in a schema of its own, which is dropped
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env, version } from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { receivedResponse, deepRequest, differenceOf, differenceOfData } from './responses.mjs'
import { chosen, median } from './choices.mjs'
import { createCatalogue } from './music/tables.mjs'
import { ownSchema } from './own-schema.mjs'
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
 * A server of somebody else's, see bench/peers. It may write the addresses of a workload in its own way.
 * @typedef {{
 *   name: string, engine: Engine, script: URL, workloads: readonly string[],
 *   paths?: Readonly<Record<string, ((index: number) => Request) | undefined>>,
 * }} Peer
 */
/** `deep` is the way to the deep page, once it was walked. @typedef {{ name: string, server: ServerProcess, peer: Peer | null, deep?: Request }} Contender */

const { values: given } = parseArgs({
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
    json: { type: 'string' },
    before: { type: 'string' },
  },
})
const connections = 16
const { share, warmUp, rounds: usualRounds } = extentOf()
const rounds = Number(given.rounds ?? usualRounds)
const engines = chosen('engine', given.engine, /** @type {Engine[]} */ (['postgres', 'sqlite']))
const frameworks = ['fetch', 'express', 'fastify', 'hono', 'nest']
const targets = chosen(
  'target',
  given.target,
  ['ashlar', 'ruled', 'versioned', 'hashed', ...frameworks, 'l1', 'l3'],
  ['ashlar', 'l1', 'l3'],
)
const [texts] = chosen('texts', given.texts, /** @type {Texts[]} */ (['mixed', 'plain']), ['mixed'])
const names = chosen(
  'workload',
  given.workload,
  workloads.map(({ name }) => name),
)
const leavesExtras = (given.short === true || given.check === true) && given.workload === undefined
const peers = given.peers === true ? await installedPeers() : []

const pinned = pin()
/** @type {string[]} */
const faults = []
const processor = cpus()[0]?.model ?? 'unknown processor'
/** @type {Record<string, unknown>} */
const told = { node: version, cpu: processor, pinned, rounds, connections, texts }
console.log(`Node ${version}, ${processor}, ${rounds} rounds after ${warmUp} to warm up, ${connections} connections.`)
console.log(
  pinned ? 'Servers have core 0, the load and a PostgreSQL server of its own have core 1.' : 'Not pinned to cores.',
)
console.log('Medians. Ratios are to l1, written by hand; more is better. l3 is the practical limit.')
for (const engine of engines) {
  /** @type {(() => unknown)[]} */
  const ending = []
  try {
    told[engine] = await measureOn(engine, ending)
  } finally {
    for (const end of ending.toReversed()) await end()
  }
}
if (given.json !== undefined) writeFileSync(given.json, `${JSON.stringify(told, null, 2)}\n`)
for (const fault of faults) console.error(`\n${fault}`)
process.exitCode = faults.length === 0 ? 0 : 1

/** How many rounds there are, and which share of the requests of a round is sent. */
function extentOf() {
  if (given.check === true) return { share: { measured: 0.01, warmUp: 0 }, warmUp: 0, rounds: 1 }
  // Code is slow before the engine knows it, so a short run warms up longer than it measures.
  if (given.short === true) return { share: { measured: 0.02, warmUp: 0.03 }, warmUp: 1, rounds: 2 }
  return { share: { measured: 1, warmUp: 1 }, warmUp: 2, rounds: 7 }
}

/** @param {Engine} engine @param {(() => unknown)[]} ending */
async function measureOn(engine, ending) {
  const place = engine === 'postgres' ? await ownSchema('bench', ending) : ownFile(ending)
  const catalogue = await createCatalogue(engine, place, texts)
  ending.push(() => catalogue.close())
  const own = engine === 'postgres' && env['DATABASE_URL'] !== undefined ? ', on a server that is not pinned' : ''
  console.log(`\n${catalogue.version}${own}\n`)
  const contenders = await startAll(engine, place, ending)
  const measure = startLoad(ending)

  /** @type {Figure[]} */
  const figures = []
  for (const workload of workloads.filter(({ name, extra }) => names.includes(name) && !(extra && leavesExtras))) {
    const equal = await thoseThatAgree(workload, contenders, catalogue)
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

/** @param {Engine} engine @param {string} place @param {(() => unknown)[]} ending @returns {Promise<Contender[]>} */
async function startAll(engine, place, ending) {
  /** @type {Contender[]} */
  const contenders = []
  const script = new URL('targets/serve.mjs', import.meta.url)
  for (const name of targets) {
    const { profile } = given
    const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile, name)}`]
    const server = await startServer(script, [name, engine, place], { pinned, ending, flags })
    contenders.push({ name, server, peer: null })
  }
  if (given.before !== undefined) {
    const earlier = pathToFileURL(resolve(given.before, 'bench/targets/serve.mjs'))
    const server = await startServer(earlier, ['ashlar', engine, place], { pinned, ending })
    contenders.push({ name: 'before', server, peer: null })
  }
  for (const peer of peers.filter((one) => one.engine === engine)) {
    const server = await startServer(peer.script, [place], { pinned, ending })
    contenders.push({ name: peer.name, server, peer })
  }
  return contenders
}

/** @param {Workload} workload @param {Contender} contender @param {number} index @returns {Request} */
function requestOf(workload, { peer }, index) {
  return (peer?.paths?.[workload.name] ?? workload.request)(index)
}

/**
 * Those that take part and answer what the first one does. Of a peer only the data is compared.
 * @param {Workload} workload @param {readonly Contender[]} contenders @param {Catalogue} catalogue
 */
async function thoseThatAgree(workload, contenders, catalogue) {
  const taking = contenders.filter(({ peer }) => peer === null || peer.workloads.includes(workload.name))
  const indexes = Array.from({ length: Math.min(workload.different, 10) }, (_, index) => index)
  /** @type {import('./responses.mjs').ReceivedResponse[]} */
  let expected = []
  /** @type {Contender[]} */
  const equal = []
  for (const contender of taking) {
    /** @type {import('./responses.mjs').ReceivedResponse[]} */
    const answers = []
    if (workload.deletes === true) await catalogue.addTracks(indexes.length)
    for (const index of indexes) {
      answers.push(await receivedResponse(contender.server.port, await placed(workload, contender, index)))
    }
    if (workload.writes === true) await catalogue.restore()
    if (contender === taking[0]) expected = answers
    const compare = contender.peer === null ? differenceOf : differenceOfData
    const differences = answers.flatMap((response, index) => {
      const wanted = expected[index]
      const found = wanted === undefined ? null : compare(response, wanted)
      return found === null ? [] : [`${requestOf(workload, contender, index).path}: ${found}`]
    })
    if (differences.length === 0) equal.push(contender)
    else faults.push(`${workload.name}: ${contender.name} does not response as ${taking[0]?.name}. ${differences[0]}`)
  }
  return equal
}

/** The request itself, or the one for the page far behind it. @param {Workload} workload @param {Contender} contender @param {number} index */
async function placed(workload, contender, index) {
  const request = requestOf(workload, contender, index)
  if (workload.deep === undefined) return request
  contender.deep ??= await deepRequest(contender.server.port, request, workload.deep)
  return contender.deep
}

/**
 * In turns, none of them always first.
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
 * Compares rounds that were measured one after the other, so that a machine that gets slower in the meantime does not count.
 * @param {readonly Measured[]} measured @param {readonly Measured[]} before
 */
function medianRatio(measured, before) {
  return median(measured.map(({ cpu }, round) => cpu / (before[round]?.cpu ?? cpu)))
}

/**
 * Adds what the database itself took. A process of it that was not there before counts as a whole.
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
  return Promise.all(Array.from({ length: workload.different }, (_, index) => placed(workload, contender, index)))
}

/** @returns {Promise<readonly Peer[]>} */
async function installedPeers() {
  const folder = new URL('peers/', import.meta.url)
  if (existsSync(new URL('node_modules', folder)) && existsSync(new URL('targets.mjs', folder))) {
    const module = await import(new URL('targets.mjs', folder).href)
    console.log('Of other frameworks, the primary data and what is included are compared, and not the links.')
    return module.peers
  }
  console.log('Other frameworks are not installed: npm ci --prefix bench/peers')
  return []
}

/** @param {(() => unknown)[]} ending */
function ownFile(ending) {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-bench-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'music.sqlite')
}
