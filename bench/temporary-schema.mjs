// @ts-check
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { env, execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'

/**
 * Creates a temporary schema on the server that `DATABASE_URL` names, or on the server of the tests, which it starts.
 *
 * @param {string} name the prefix of the name of the schema
 * @param {(() => unknown)[]} cleanups gets the cleanup functions; call them in reverse order
 * @returns {Promise<string>} a database URL with this schema as the search path
 */
export async function temporarySchema(name, cleanups) {
  const base = env['DATABASE_URL'] ?? (await startTestServer(cleanups))
  const schema = `${name}_${randomBytes(6).toString('hex')}`
  const url = new URL(base)
  url.searchParams.set('options', `-c search_path=${schema}`)
  const client = new Client({ connectionString: base })
  await client.connect()
  cleanups.push(() => client.end())
  await client.query(`create schema ${schema}`)
  cleanups.push(() => client.query(`drop schema ${schema} cascade`))
  return url.href
}

/** Starts the PostgreSQL server of the tests. Returns its URL. @param {(() => unknown)[]} cleanups @returns {Promise<string>} */
export async function startTestServer(cleanups) {
  const script = fileURLToPath(new URL('../test/support/postgres-keeper.mjs', import.meta.url))
  const keeper = spawn(execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(keeper, 'exit')
  cleanups.push(() => {
    keeper.stdin.end()
    return gone
  })
  const [line] = await once(createInterface(keeper.stdout), 'line')
  return JSON.parse(line).url
}
