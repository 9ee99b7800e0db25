// @ts-check
/**
 * Compares Ashlar with what people would choose instead, on PostgreSQL: the same tables, and the same data in the responses. Each server gets
 * the same number of requests a second. `--json` writes the figures to a file. The exit code is 1 if data differs, but never because of a time. Installs the other servers in `bench/field` the first time (800 MB). Needs a build.
 *
 *   node bench/field.mjs                              about a quarter of an hour
 *   node bench/field.mjs --rounds 1 --seconds 1       a glance
 *   node bench/field.mjs --server ashlar,zenstack --workload W3
 */
import { execFileSync, fork } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { env, execPath, version } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chosen, median } from './choices.mjs'
import { createCatalogue } from './music/tables.mjs'
import { pin, startServer } from './processes.mjs'
import { differenceOfData, receivedResponse } from './responses.mjs'
import { temporarySchema } from './temporary-schema.mjs'
import { workloads } from './workloads.mjs'

/** @typedef {import('./music/tables.mjs').Catalogue} Catalogue */
/** @typedef {import('./workloads.mjs').Workload} Workload */
/** @typedef {import('./open-load.mjs').Outcome} Outcome */
/** @typedef {import('./field/targets.mjs').Peer} Peer */
/** @typedef {{ name: string, server: import('./processes.mjs').ServerProcess, peer: Peer | null }} Contender */
/** Microseconds of CPU time per request, and milliseconds. @typedef {{ cpu: number, database: number, p50: number, p99: number }} FieldFigure */
/** `resident` is the memory at the end, in bytes. @typedef {{ resident: number, workloads: Record<string, FieldFigure> }} FieldServer */
/**
 * @typedef {{
 *   date: string, machine: string, versions: string, commit: string, rounds: number, seconds: number, rates: Record<string, number>,
 *   servers: Record<string, FieldServer>,
 * }} FieldResults
 */

/** Requests a second, which the slowest server can serve with a part of one core. */
const rates = { W1: 120, W2: 25, W3: 8, W4: 50, W5: 80, W8: 80 }

const folder = new URL('field/', import.meta.url)
install()
const { peers } = await import('./field/targets.mjs')
const own = ['ashlar', 'l1']
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    server: { type: 'string' },
    workload: { type: 'string' },
    json: { type: 'string' },
  },
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
const names = chosen('server', options.server, [...own, ...peers.map(({ name }) => name)])
const taken = chosen('workload', options.workload, /** @type {(keyof typeof rates)[]} */ (Object.keys(rates)))

const pinned = pin()
console.log(
  `Node ${version}, ${cpus()[0]?.model}, ${rounds} rounds of ${seconds} s. ${pinned ? 'Servers run on core 0, everything else on core 1.' : 'Not pinned to cores.'}`,
)
/** @type {(() => unknown)[]} */
const cleanups = []
try {
  await compare()
} finally {
  for (const end of cleanups.toReversed()) await end()
}

async function compare() {
  const location = await temporarySchema('field', cleanups)
  const catalogue = await createCatalogue('postgres', location)
  cleanups.push(() => catalogue.close())
  const contenders = await Promise.all(names.map((name) => started(name, location)))
  /** @type {Record<string, FieldServer>} */
  const servers = Object.fromEntries(names.map((name) => [name, { resident: 0, workloads: {} }]))
  for (const workload of workloads.filter(({ name }) => taken.some((one) => one === name))) {
    await measureWorkload(workload, await agreeing(workload, contenders, catalogue), { catalogue, servers })
  }
  for (const { name, server } of contenders) {
    const { resident } = await server.usage()
    servers[name] = { resident, workloads: servers[name]?.workloads ?? {} }
    console.log(`${name.padEnd(18)}${(resident / 2 ** 20).toFixed(0).padStart(6)} MB`)
  }
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify(resultsOf(servers, catalogue), null, 2)}\n`)
}

/** @param {Record<string, FieldServer>} servers @param {Catalogue} catalogue @returns {FieldResults} */
function resultsOf(servers, catalogue) {
  const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim()
  const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores`
  const date = new Date().toISOString().slice(0, 10)
  return {
    date,
    machine,
    versions: `Node ${version.slice(1)}, ${catalogue.version}`,
    commit,
    rounds,
    seconds,
    rates,
    servers,
  }
}

/** @param {string} name @param {string} location @returns {Promise<Contender>} */
async function started(name, location) {
  const peer = peers.find((one) => one.name === name) ?? null
  const script = peer?.script ?? new URL('targets/serve.mjs', import.meta.url)
  const args = peer === null ? [name, 'postgres', location] : [location]
  return { name, peer, server: await startServer(script, args, { pinned, cleanups }) }
}

/**
 * Returns the servers that have the workload. Reports those whose data differs from that of the first.
 * @param {Workload} workload @param {readonly Contender[]} contenders @param {Catalogue} catalogue
 */
async function agreeing(workload, contenders, catalogue) {
  const taking = contenders.filter(({ peer }) => peer === null || peer.workloads.includes(workload.name))
  /** @type {import('./responses.mjs').ReceivedResponse | null} */
  let expected = null
  for (const { name, server, peer } of taking) {
    const response = await receivedResponse(server.port, requestOf(workload, peer, 0))
    const shown = peer?.asDocument?.(response) ?? response
    if (workload.writes === true) await catalogue.restore()
    const difference = expected === null ? null : differenceOfData(shown, expected)
    expected ??= shown
    if (difference === null) continue
    console.error(`${workload.name}: ${name} responds differently from ${taking[0]?.name}. ${difference}`)
    process.exitCode = 1
  }
  return taking
}

/** @param {Workload} workload @param {Peer | null} peer @param {number} index */
function requestOf({ name, request }, peer, index) {
  return (peer?.requests[name] ?? request)(index)
}

/**
 * Measures the servers in rounds of alternating order, after a round to warm up.
 * @param {Workload} workload @param {readonly Contender[]} contenders
 * @param {{ catalogue: Catalogue, servers: Record<string, FieldServer> }} by
 */
async function measureWorkload(workload, contenders, { catalogue, servers }) {
  /** @type {Map<string, FieldFigure[]>} */
  const measured = new Map(contenders.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const one = await measuredRound(workload, contender, catalogue)
      if (workload.writes === true) await catalogue.restore()
      if (round > 0) measured.get(contender.name)?.push(one)
    }
  }
  for (const [name, all] of measured) {
    const of = (/** @type {keyof FieldFigure} */ key) => Math.round(median(all.map((one) => one[key])) * 100) / 100
    const figure = { cpu: Math.round(of('cpu')), database: Math.round(of('database')), p50: of('p50'), p99: of('p99') }
    Object.assign(servers[name]?.workloads ?? {}, { [workload.name]: figure })
    const { cpu, database, p50, p99 } = figure
    console.log(
      `${workload.name}  ${name.padEnd(18)}${String(cpu).padStart(7)} µs, database ${String(database).padStart(6)} µs, p50 ${p50.toFixed(1).padStart(6)} ms, p99 ${p99.toFixed(1).padStart(6)} ms`,
    )
  }
}

/** @param {Workload} workload @param {Contender} contender @param {Catalogue} catalogue @returns {Promise<FieldFigure>} */
async function measuredRound(workload, { name, server, peer }, catalogue) {
  const rate = rates[/** @type {keyof typeof rates} */ (workload.name)]
  const requests = Array.from({ length: workload.different }, (_, index) => requestOf(workload, peer, index))
  const load = fork(fileURLToPath(new URL('open-load.mjs', import.meta.url)))
  const [before, databaseBefore] = [await server.usage(), await catalogue.databaseCpu()]
  load.send({ port: server.port, requests, rate, seconds, connections: 16, timeout: 60_000 })
  const { accepted, failed, lost } = await new Promise((resolve) =>
    load.once('message', (/** @type {Outcome} */ outcome) => resolve(outcome)),
  )
  const [after, databaseAfter] = [await server.usage(), await catalogue.databaseCpu()]
  load.disconnect()
  const problems = Object.keys(failed).length
  if (problems > 0 || lost > 0) throw new Error(`${workload.name}: ${name} failed: ${JSON.stringify({ failed, lost })}`)
  let database = 0
  for (const [process, cpu] of databaseAfter ?? []) database += cpu - (databaseBefore?.get(process) ?? 0)
  const { count, p50, p99 } = accepted
  return { cpu: (after.cpu - before.cpu) / count, database: database / count, p50, p99 }
}

/** Installs the other servers, and generates the client of Prisma, whose own installation would download programs. */
function install() {
  const shell = { cwd: folder, stdio: /** @type {'inherit'} */ ('inherit') }
  if (!existsSync(new URL('node_modules', folder))) execFileSync('npm', ['ci'], shell)
  if (existsSync(new URL('express-prisma/generated', folder))) return
  // Without the variable, the command looks for a program that generating does not need.
  const variables = { ...env, PRISMA_SCHEMA_ENGINE_BINARY: execPath }
  const prisma = fileURLToPath(new URL('node_modules/prisma/build/index.js', folder))
  execFileSync(execPath, [prisma, 'generate', '--schema', 'express-prisma/schema.prisma'], { ...shell, env: variables })
}
