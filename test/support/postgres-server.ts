import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { env, execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A PostgreSQL server for the tests, and how to end it. */
export interface PostgresServer {
  /** `postgres://user:password@host:port/database` */
  readonly url: string
  end(): Promise<void>
}

/** The server that `DATABASE_URL` names, which is not changed afterwards, or one that is started for this run. */
export async function postgresServer(): Promise<PostgresServer> {
  const given = env['DATABASE_URL']
  if (given !== undefined && given !== '') return { url: given, end: () => Promise.resolve() }
  const keeper = spawn(execPath, [fileURLToPath(new URL('postgres-keeper.mjs', import.meta.url))], {
    // Out of the terminal's reach: an interrupt must not end the server under the tests, the closing pipe does.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let complaint = ''
  keeper.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint += chunk
  })
  const exited = once(keeper, 'exit')
  const firstLine = once(createInterface(keeper.stdout), 'line')
  const line = await Promise.race([firstLine.then(([first]) => String(first)), exited.then(() => undefined)])
  if (line === undefined) throw new Error(`No PostgreSQL server for the tests: ${complaint}`)
  const { url } = JSON.parse(line) as { url: string }
  return {
    url,
    async end() {
      keeper.stdin.end()
      await exited
    },
  }
}
