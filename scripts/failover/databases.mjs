// @ts-check
/** A primary database with a streaming replica, and PgBouncer in front of the primary. */
import { chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { end, freePort, output, userIds, start, until } from './programs.mjs'

/**
 * @typedef {import('./programs.mjs').Programs} Programs
 * @typedef {import('./programs.mjs').ChildProcess} ChildProcess
 *
 * @typedef {object} Server
 * @property {number} port
 * @property {string} data
 * @property {ChildProcess} process
 */

/** The network delay between the primary and the replica, in milliseconds. */
export const distance = 20

/** @param {string} folder */
export function makeFolder(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (userIds.uid !== undefined && userIds.gid !== undefined) chownSync(folder, userIds.uid, userIds.gid)
}

/** @param {string} file @param {string} text */
function write(file, text) {
  writeFileSync(file, text)
  if (userIds.uid !== undefined && userIds.gid !== undefined) chownSync(file, userIds.uid, userIds.gid)
}

/** @param {number} port @param {string} [database] */
export const urlOf = (port, database = 'music') => `postgres://postgres@127.0.0.1:${port}/${database}`

/**
 * Runs a statement on a new connection.
 * @param {number} port @param {string} statement @param {string} [database]
 * @returns {Promise<Record<string, unknown>[]>}
 */
export async function query(port, statement, database) {
  const client = new Client({ connectionString: urlOf(port, database), connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(statement)
    return rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Starts a server on a folder. @param {Programs} programs @param {string} data @returns {Promise<Server>} */
async function serve({ postgres }, data) {
  const port = await freePort()
  const process = start(join(postgres, 'postgres'), ['-D', data, '-p', String(port)])
  await until('PostgreSQL starts', async () => (await query(port, 'select 1', 'postgres')).length === 1)
  return { port, data, process }
}

/** @param {Programs} programs @param {string} folder @returns {Promise<Server>} */
export async function startPrimary(programs, folder) {
  const data = join(folder, 'primary')
  makeFolder(data)
  const cluster = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C']
  await output(join(programs.postgres, 'initdb'), cluster)
  const settings = [
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    'max_connections = 100',
    'wal_level = replica',
    'hot_standby = on',
    'synchronous_commit = on',
  ]
  write(join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
  const server = await serve(programs, data)
  await query(server.port, 'create database music', 'postgres')
  return server
}

/**
 * Copies the primary, and starts the copy as its replica.
 * @param {Programs} programs @param {string} folder @param {Server} primary
 */
export async function startReplica(programs, folder, primary) {
  const line = await delayedLine(primary.port)
  const data = join(folder, 'replica')
  const source = `host=127.0.0.1 port=${line.port} user=postgres application_name=replica`
  await output(join(programs.postgres, 'pg_basebackup'), ['-D', data, '-d', source, '-R', '-X', 'stream', '-c', 'fast'])
  const server = await serve(programs, data)
  const streams = "select 1 from pg_stat_replication where application_name = 'replica' and state = 'streaming'"
  await until('the replica follows', async () => (await query(primary.port, streams)).length === 1)
  return { ...server, line }
}

/** Lets commits wait for the replica. Only the primary has the setting: after a failover commits do not wait. @param {Server} primary */
export async function waitForReplica({ port }) {
  await query(port, "alter system set synchronous_standby_names = 'replica'")
  await query(port, 'select pg_reload_conf()')
  const waits = "select 1 from pg_stat_replication where sync_state = 'sync'"
  await until('commits wait for the replica', async () => (await query(port, waits)).length === 1)
}

/** Starts a proxy that delays data in both directions. @param {number} target */
async function delayedLine(target) {
  const port = await freePort()
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  let isCut = false
  const server = createServer((socket) => {
    const far = connect(target, '127.0.0.1')
    for (const [from, to] of /** @type {const} */ ([
      [socket, far],
      [far, socket],
    ])) {
      sockets.add(from)
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
      from.on('data', (chunk) => {
        setTimeout(() => isCut || to.write(chunk), distance)
      })
    }
  }).listen(port, '127.0.0.1')
  return {
    port,
    /** Drops all data that has not arrived, as if the sending machine had crashed. */
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
      server.close()
    },
    /** Delays all data for a while, but drops nothing. */
    freeze() {
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      for (const socket of sockets) socket.resume()
    },
  }
}

/** Kills a server and all its processes, like a power failure. @param {Server} server */
export async function killServer({ process }) {
  const processes = [process.pid ?? 0, ...childrenOf(process.pid ?? 0)]
  for (const each of processes) {
    try {
      globalThis.process.kill(each, 'SIGKILL')
    } catch {
      // The process has already ended.
    }
  }
  await end(process, 'SIGKILL')
}

/** @param {number} parent @returns {number[]} */
function childrenOf(parent) {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.map(Number).filter((id) => {
    try {
      // The name of the program is in parentheses, and may contain spaces.
      return (
        Number(
          readFileSync(`/proc/${id}/stat`, 'utf8')
            .replace(/^.*\) \S /s, '')
            .split(' ')[0],
        ) === parent
      )
    } catch {
      return false
    }
  })
}

/** @param {Programs} programs @param {Server} server */
export async function promote({ postgres }, { data, port }) {
  await output(join(postgres, 'pg_ctl'), ['promote', '-D', data])
  await until('the replica is promoted', async () => {
    const [row] = await query(port, 'select pg_is_in_recovery() as waits')
    return row?.['waits'] === false
  })
}

/**
 * @param {Programs} programs @param {string} folder
 * @param {{ target: number, prepares: boolean }} options  the port of the primary; whether statements are prepared
 */
export async function startPgBouncer({ pgbouncer }, folder, { target, prepares }) {
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const template = readFileSync(new URL('../../examples/music/deploy/pgbouncer.ini', import.meta.url), 'utf8')
  /** @param {number} to */
  const configure = (to) => {
    const configuration = template
      .replace(
        'host=primary.db.internal port=5432 dbname=music',
        `host=127.0.0.1 port=${to} dbname=music user=postgres`,
      )
      .replace('listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`)
      .replace(/^auth_type.*\nauth_file.*$/m, 'auth_type = any')
      .replace('; max_prepared_statements', prepares ? 'max_prepared_statements' : '; max_prepared_statements')
    write(file, configuration)
  }
  configure(target)
  const process = start(pgbouncer, ['-q', file])
  await until('PgBouncer starts', async () => (await query(port, 'select 1')).length === 1)
  return {
    port,
    /** Redirects it to another server. @param {number} to */
    async repoint(to) {
      configure(to)
      process.kill('SIGHUP')
    },
  }
}
