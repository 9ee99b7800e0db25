import { randomBytes } from 'node:crypto'
import process, { env } from 'node:process'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { postgresServer } from './postgres-server.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The store under test. */
    store: 'memory' | 'sqlite' | 'postgres' | 'mariadb'
    /** How much slower the machine is than usual: see machine-speed.ts. */
    slowness: number
    /** Where property tests start from. */
    seed: number
    /** Where the PostgreSQL server of this run is; given to the project `postgres` only. */
    databaseUrl: string
    /** Where the server of this run is; given to the project `mariadb` only. */
    mysqlUrl: string
    /** Why there is none; empty if there is one. */
    withoutMariadb: string
    /** What it is. */
    mysqlEngine: 'mysql' | 'mariadb'
    /** How the names of schemas begin that test files share. */
    sharedSchemas: string
  }
}

/** Starts the database before the first file that needs it; the returned function ends it after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await postgresServer()
  const sharedSchemas = `shared_${randomBytes(4).toString('hex')}_`
  project.provide('databaseUrl', server.url)
  project.provide('sharedSchemas', sharedSchemas)
  return async () => {
    const left = await leftSchemas(server.url, sharedSchemas)
    await server.end()
    if (left.length === 0) return
    // An error that is thrown here is only printed.
    process.exitCode = 1
    throw new Error(`Tests have left schemas behind: ${left.join(', ')}`)
  }
}

/**
 * The schemas that tests had to drop and did not. A lent server (`DATABASE_URL`) must be left as it was: there the shared
 * schemas are dropped, and other schemas may belong to other users.
 */
async function leftSchemas(connectionString: string, sharedSchemas: string): Promise<readonly string[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select nspname as name from pg_namespace where nspname !~ '^(pg_|information_schema$|public$)' order by nspname`,
    )
    const names = rows.map(({ name }) => name)
    if (!env['DATABASE_URL']) return names.filter((name) => !name.startsWith(sharedSchemas))
    for (const name of names) {
      if (name.startsWith(sharedSchemas)) await client.query(`drop schema ${name} cascade`)
    }
    return []
  } finally {
    await client.end()
  }
}
