// @ts-check
/** Finds the programs of Debian's packages, and runs them. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { promisify } from 'node:util'

/**
 * @typedef {object} Programs
 * @property {string} postgres  the folder of initdb, postgres, pg_basebackup and pg_ctl
 * @property {string} pgbouncer
 * @property {string} nginx
 *
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {{ uid?: number, gid?: number }} UserIds
 */

/** The user that runs the programs: PostgreSQL and PgBouncer refuse to run as root. @type {UserIds} */
export const userIds = getuid?.() === 0 ? idsOf('postgres') : {}

/** @returns {Programs | { missing: readonly string[] }} the names of the Debian packages that are missing */
export function findPrograms() {
  const postgres = newestPostgres()
  const pgbouncer = firstOf('/usr/sbin/pgbouncer', '/usr/bin/pgbouncer')
  const nginx = firstOf('/usr/sbin/nginx', '/usr/bin/nginx')
  if (postgres !== null && pgbouncer !== null && nginx !== null) return { postgres, pgbouncer, nginx }
  return {
    missing: [
      ...(postgres === null ? ['postgresql'] : []),
      ...(pgbouncer === null ? ['pgbouncer'] : []),
      ...(nginx === null ? ['nginx'] : []),
    ],
  }
}

/** @returns {string | null} */
function newestPostgres() {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const [newest] = versions.toSorted((a, b) => Number(b) - Number(a))
  const folder = newest === undefined ? null : `/usr/lib/postgresql/${newest}/bin`
  return folder !== null && existsSync(join(folder, 'pg_basebackup')) ? folder : null
}

/** @param {...string} paths @returns {string | null} */
function firstOf(...paths) {
  return paths.find((path) => existsSync(path)) ?? null
}

/** Returns the versions, for the heading of the report. @param {Programs} programs */
export async function versionsOf({ postgres, pgbouncer, nginx }) {
  const bouncer = /PgBouncer ([\d.]+)/.exec(await output(pgbouncer, ['--version']))?.[1] ?? '0'
  const server = /([\d.]+)/.exec(await output(join(postgres, 'postgres'), ['--version']))?.[1] ?? '?'
  // nginx writes its version to standard error.
  const proxy = /nginx\/([\d.]+)/.exec(await output('/bin/sh', ['-c', `${nginx} -v 2>&1`]))?.[1] ?? '?'
  return { postgres: server, pgbouncer: bouncer, nginx: proxy }
}

/** Runs a program, and returns its output. It is asynchronous because the program may connect to the proxy in this process. */
const run = promisify(execFile)

/** @param {string} program @param {readonly string[]} args */
export async function output(program, args) {
  const { stdout } = await run(program, args, { ...userIds, cwd: '/' })
  return stdout
}

/** Starts a program that ends with this one. @param {string} program @param {readonly string[]} args */
export function start(program, args) {
  return track(spawn(program, args, { ...userIds, cwd: '/', stdio: ['ignore', 'ignore', 'ignore'] }))
}

/** @type {Set<ChildProcess>} */
const running = new Set()

/** @param {ChildProcess} child */
export function track(child) {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Ends a program, and waits for it. @param {ChildProcess} child @param {NodeJS.Signals} signal */
export async function end(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** Ends all programs that still run. */
export async function endAll() {
  await Promise.all([...running].map((child) => end(child, 'SIGKILL')))
}

/** @returns {Promise<number>} */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
  probe.close()
  await once(probe, 'close')
  return port
}

/** Waits until a condition is true. @param {string} what @param {() => Promise<boolean>} isTrue @param {number} [seconds] */
export async function until(what, isTrue, seconds = 60) {
  const limit = performance.now() + seconds * 1000
  for (;;) {
    if (await isTrue().catch(() => false)) return
    if (performance.now() > limit) throw new Error(`Timeout: ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** @param {string} name @returns {UserIds} */
function idsOf(name) {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' })))
  return { uid: uid ?? 0, gid: gid ?? 0 }
}
