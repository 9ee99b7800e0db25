import type { TestProject } from 'vitest/node'
import { postgresServer } from './postgres-server.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The store under test. */
    store: 'memory' | 'sqlite' | 'postgres'
    /** Where the PostgreSQL server of this run is; given to the project `postgres` only. */
    databaseUrl: string
  }
}

/** Starts the database before the first file that needs it; what it returns ends it after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await postgresServer()
  project.provide('databaseUrl', server.url)
  return () => server.end()
}
