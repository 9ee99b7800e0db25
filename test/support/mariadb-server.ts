import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { env, execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A MariaDB or MySQL server for the tests, and how to end it. */
export interface MariadbServer {
  /** `mysql://user:password@host:port/database` */
  readonly url: string
  end(): Promise<void>
}

/** The variable that names another server, which is used instead of one that is started. */
const variable = 'ASHLAR_TEST_MYSQL_URL'

/** Why there is no server; null if there is one, or if it can be started. */
export function withoutServer(): string | null {
  if ((env[variable] ?? '') !== '') return null
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/local/bin']
  const missing = ['mariadbd', 'mariadb-install-db'].find(
    (name) => !folders.some((each) => existsSync(join(each, name))),
  )
  return missing === undefined
    ? null
    : `the program '${missing}' of MariaDB is not installed, and ${variable} names no server`
}

/** The server that {@link variable} names, or one that is started for this run. */
export async function mariadbServer(): Promise<MariadbServer> {
  const given = env[variable]
  if (given !== undefined && given !== '') return { url: given, end: () => Promise.resolve() }
  const keeper = spawn(execPath, [fileURLToPath(new URL('mariadb-keeper.mjs', import.meta.url))], {
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
  if (line === undefined) throw new Error(`No MariaDB server for the tests: ${complaint}`)
  const { url } = JSON.parse(line) as { url: string }
  return {
    url,
    async end() {
      keeper.stdin.end()
      await exited
    },
  }
}
