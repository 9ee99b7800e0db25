// @ts-check
/**
 * Ends a server under load, and counts the requests that get no response: `node bench/shutdown.mjs [--clients 200] [--rounds 5]`. Each client waits for its
 * response before the next request. Needs a build.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { arch, platform, version } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startClients } from './closing-clients.mjs'
import { createCatalogue } from './music/tables.mjs'

/** @typedef {import('./closing-clients.mjs').Kind} Kind */
/** @typedef {import('./closing-clients.mjs').Counts} Counts */

const { values: options } = parseArgs({
  options: { clients: { type: 'string', default: '200' }, rounds: { type: 'string', default: '5' } },
})
const count = Number(options.clients)

const folder = mkdtempSync(join(tmpdir(), 'ashlar-shutdown-'))
const location = join(folder, 'music.sqlite')
/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
try {
  const database = await createCatalogue('sqlite', location, 'mixed')
  await database.close()
  console.log(
    `Node ${version}, ${platform} ${arch}, ${availableParallelism()} cores (${cpus()[0]?.model}), ${database.version}`,
  )
  console.log(`${count} clients, ${options.rounds} rounds\n`)
  for (const kind of /** @type {Kind[]} */ (['new', 'arriving', 'busy', 'resting'])) {
    await measure(`${kind} clients, one process`, () => endOne(kind, '1'))
    await measure(`${kind} clients, two workers`, () => endOne(kind, '2'))
    await measure(`${kind} clients, a load balancer and two processes`, () => endOneOfTwo(kind))
  }
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

/** @typedef {{ counts: Counts, seconds: number }} Round `seconds` from SIGTERM to the end of the process */

/** @param {string} title @param {() => Promise<Round>} round */
async function measure(title, round) {
  /** @type {Round[]} */
  const rounds = []
  for (let index = 0; index < Number(options.rounds); index += 1) rounds.push(await round())
  const sum = (/** @type {keyof Counts} */ of) => rounds.reduce((total, { counts }) => total + counts[of], 0)
  const longest = Math.max(...rounds.map(({ seconds }) => seconds))
  console.log(
    `${title}: ${sum('served')} served, ${sum('lost')} lost, ${sum('raced')} raced, ${sum('failed')} failed, ${sum('refused')} refused; ended in at most ${longest.toFixed(1)} s`,
  )
}

/** Nobody else listens: each client is refused at the end. @param {Kind} kind @param {string} workers @returns {Promise<Round>} */
async function endOne(kind, workers) {
  const { child, port } = await start('targets/closing.mjs', location, '0', workers)
  const stop = new AbortController()
  const { counts, ended } = startClients(port, { kind, count, stop: stop.signal })
  await sleep(1000)
  const seconds = await end(child)
  await ended
  return { counts, seconds }
}

/** @param {Kind} kind @returns {Promise<Round>} */
async function endOneOfTwo(kind) {
  const server = () => start('targets/closing.mjs', location, '2000', '1')
  const servers = [await server(), await server()]
  const balancer = await start('balancer.mjs', ...servers.map(({ port }) => String(port)))
  const stop = new AbortController()
  const { counts, ended } = startClients(balancer.port, { kind, count, stop: stop.signal })
  await sleep(1000)
  const [first, second] = servers
  const seconds = first === undefined ? 0 : await end(first.child)
  await sleep(500)
  stop.abort()
  await ended
  balancer.child.disconnect()
  if (second !== undefined) await end(second.child)
  return { counts, seconds }
}

/** @param {string} script @param {readonly string[]} args */
async function start(script, ...args) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args)
  children.add(child)
  void once(child, 'exit').then(() => children.delete(child))
  const [{ port }] = await once(child, 'message')
  return { child, port }
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} seconds */
async function end(child) {
  const begin = performance.now()
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
  return (performance.now() - begin) / 1000
}
