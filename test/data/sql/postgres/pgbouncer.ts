import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { Client } from 'pg'
import { freePort } from '../../../support/free-port.js'
import { until } from './driver-helpers.js'

/** The program, if it is installed. */
const program = find()

export const hasPgBouncer: boolean = program !== null

/** Whether it separates the prepared statements of its clients: from 1.21 on. */
export const preparesStatements: boolean = program !== null && program.version >= 1.21

/** A PgBouncer that pools by transaction, with a single connection to the server. */
export interface RunningPgBouncer {
  readonly url: string
  end(): Promise<void>
}

export async function startPgBouncer(databaseUrl: string): Promise<RunningPgBouncer> {
  if (program === null) throw new Error('PgBouncer is not installed.')
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-pgbouncer-'))
  const port = await freePort()
  const user = decodeURIComponent(username)
  const secret = decodeURIComponent(password)
  const server = `host=${hostname} port=${serverPort || '5432'} dbname=${pathname.slice(1)} user=${user} password=${secret}`
  const lines = [
    '[databases]',
    `pooled = ${server}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 1',
    // As root it refuses to run.
    ...(getuid?.() === 0 ? ['user = nobody'] : []),
  ]
  const file = join(folder, 'pgbouncer.ini')
  chmodSync(folder, 0o755)
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child = spawn(program.name, ['-q', file], { stdio: 'ignore' })
  const url = `postgres://anybody@127.0.0.1:${port}/pooled`
  await until(() => child.exitCode !== null || isReachable(url))
  return {
    url,
    async end() {
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true })
    },
  }
}

async function isReachable(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

function find(): { readonly name: string; readonly version: number } | null {
  for (const name of ['pgbouncer', '/usr/sbin/pgbouncer']) {
    try {
      const text = execFileSync(name, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      return { name, version: Number(/PgBouncer (\d+\.\d+)/.exec(text)?.[1] ?? 0) }
    } catch {
      // Not there: the next.
    }
  }
  return null
}
