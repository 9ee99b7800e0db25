import process, { env } from 'node:process'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { postgresServer } from './postgres-server.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The store under test. */
    store: 'memory' | 'sqlite' | 'postgres'
    /** How much slower the machine is than usual: see machine-speed.ts. */
    slowness: number
    /** Where property tests start from. */
    seed: number
    /** Where the PostgreSQL server of this run is; given to the project `postgres` only. */
    databaseUrl: string
  }
}

/**
 * Starts the database before the first file that needs it; what it returns ends it after the last. A server that somebody
 * lends us must be left as it was, which is seen at our own.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await postgresServer()
  project.provide('databaseUrl', server.url)
  return async () => {
    const left = env['DATABASE_URL'] ? [] : await schemasIn(server.url)
    await server.end()
    if (left.length === 0) return
    // What is thrown here is only printed.
    process.exitCode = 1
    throw new Error(`Tests have left schemas behind: ${left.join(', ')}`)
  }
}

async function schemasIn(connectionString: string): Promise<readonly string[]> {
  const client = new Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname !~ '^(pg_|information_schema$|public$)' order by nspname`,
  )
  await client.end()
  return rows.map(({ name }) => name)
}
