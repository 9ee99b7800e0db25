// @ts-check
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { env, execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'

/**
 * A schema of its own on the server that `DATABASE_URL` names, or on the one of the tests, which is started for it.
 *
 * @param {string} name what its name begins with
 * @param {(() => unknown)[]} ending takes what is to be done at the end, from the last to the first
 * @returns {Promise<string>} the address of a database where it is the only one that is looked into
 */
export async function ownSchema(name, ending) {
  const base = env['DATABASE_URL'] ?? (await ownServer(ending))
  const schema = `${name}_${randomBytes(6).toString('hex')}`
  const url = new URL(base)
  url.searchParams.set('options', `-c search_path=${schema}`)
  const client = new Client({ connectionString: base })
  await client.connect()
  ending.push(() => client.end())
  await client.query(`create schema ${schema}`)
  ending.push(() => client.query(`drop schema ${schema} cascade`))
  return url.href
}

/** The server of the tests. @param {(() => unknown)[]} ending @returns {Promise<string>} */
export async function ownServer(ending) {
  const script = fileURLToPath(new URL('../test/support/postgres-keeper.mjs', import.meta.url))
  const keeper = spawn(execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(keeper, 'exit')
  ending.push(() => {
    keeper.stdin.end()
    return gone
  })
  const [line] = await once(createInterface(keeper.stdout), 'line')
  return JSON.parse(line).url
}
