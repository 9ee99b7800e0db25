// @ts-check
/** Two processes of the service, and nginx in front of them. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { idempotencyTable } from 'ashlar/sql'
import { query, makeFolder, urlOf } from './databases.mjs'
import { end, freePort, start, track, until } from './programs.mjs'

/**
 * @typedef {import('./programs.mjs').Programs} Programs
 * @typedef {import('./programs.mjs').ChildProcess} ChildProcess
 *
 * @typedef {object} Addresses
 * @property {number} primary  the port of PgBouncer
 * @property {number} replica
 * @property {boolean} prepares  whether PgBouncer supports prepared statements
 */

/** @param {number} port of the primary */
export async function createTables(port) {
  await query(port, 'create table albums (id int generated always as identity primary key, title text not null)')
  for (const statement of idempotencyTable('postgres')) await query(port, statement)
}

/** How long the statements of a request may run, in milliseconds. */
export const statementTimeout = 2000

/** @param {Addresses} addresses @param {number} port @returns {Promise<ChildProcess>} */
async function startProcess({ primary, replica, prepares }, port) {
  const child = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), {
    env: {
      PATH: env['PATH'],
      PRIMARY_URL: urlOf(primary),
      REPLICA_URL: urlOf(replica),
      PREPARE: prepares ? 'yes' : 'no',
      STATEMENT_TIMEOUT: String(statementTimeout),
      PORT: String(port),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (typeof message !== 'string') throw new Error('A process of the service has not started.')
  return track(child)
}

/** @param {Programs} programs @param {string} folder @param {Addresses} addresses */
export async function startService({ nginx }, folder, addresses) {
  const ports = [await freePort(), await freePort()]
  const processes = await Promise.all(ports.map((port) => startProcess(addresses, port)))
  const port = await freePort()
  const scratch = join(folder, 'nginx')
  makeFolder(scratch)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, nginxConfiguration(scratch, port, ports))
  const child = start(nginx, ['-p', scratch, '-c', file, '-e', 'stderr'])
  const url = `http://127.0.0.1:${port}`
  await until('nginx starts', async () => (await fetch(`${url}/albums`)).status === 200)
  return {
    url,
    /** Stops one process after its requests, and starts another on the same port. */
    async restartOne() {
      const [first] = processes
      if (first === undefined || ports[0] === undefined) throw new Error('There is no process.')
      await end(first)
      processes[0] = await startProcess(addresses, ports[0])
    },
    async end() {
      await end(child, 'SIGQUIT')
      await Promise.all(processes.map((each) => end(each)))
    },
  }
}

/** The configuration files of the guide. */
const deployed = new URL('../../examples/music/deploy/', import.meta.url)

/** @param {string} scratch @param {number} port @param {readonly number[]} upstreams */
function nginxConfiguration(scratch, port, upstreams) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const [first, second] = upstreams
  const site = readFileSync(new URL('nginx.conf', deployed), 'utf8')
    .replace('127.0.0.1:3001', `127.0.0.1:${first}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${second}`)
    .replace('listen 80', `listen 127.0.0.1:${port}`)
  return `
daemon off;
worker_processes 1;
pid ${scratch}/nginx.pid;
error_log /dev/null;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${scratch}/${name};`).join('\n  ')}
  ${site}
}
`
}
