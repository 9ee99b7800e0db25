import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { type PostgresServer, postgresServer } from '../support/postgres-server.js'

/** A PostgreSQL database for the programs of pages. */
export interface PageDatabase {
  /** Starts it on the first use. Connections find their own schema before all others. */
  url(): Promise<string>
  end(): Promise<void>
}

export function pageDatabase(): PageDatabase {
  const schema = `docs_${randomBytes(8).toString('hex')}`
  let started: Promise<PostgresServer> | null = null

  async function start(): Promise<PostgresServer> {
    const server = await postgresServer()
    await run(server, `create schema ${schema}`)
    return server
  }

  return {
    async url() {
      const { url } = await (started ??= start())
      const database = new URL(url)
      database.searchParams.set('options', `-c search_path=${schema},public`)
      return database.href
    },
    async end() {
      const server = await started
      if (server === null) return
      await run(server, `drop schema ${schema} cascade`)
      await server.end()
    },
  }
}

async function run({ url }: PostgresServer, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
