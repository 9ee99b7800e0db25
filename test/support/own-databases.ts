import { DatabaseSync } from '@photostructure/sqlite'
import { Pool } from 'pg'
import type { SqlDatabase } from 'ashlar/sql'
import { scratchSchema } from './scratch-schema.js'

/** An empty database, as a user has one. */
export interface OwnDatabase {
  readonly database: SqlDatabase
  run(sql: string): Promise<unknown>
  rows(sql: string): Promise<readonly unknown[]>
  end(): Promise<void>
}

async function postgres(): Promise<OwnDatabase> {
  const schema = await scratchSchema()
  const pool = new Pool({ connectionString: schema.url })
  return {
    database: pool,
    run: (sql) => pool.query(sql),
    rows: async (sql) => (await pool.query<Readonly<Record<string, unknown>>>(sql)).rows,
    async end() {
      await pool.end()
      await schema.drop()
    },
  }
}

async function sqlite(): Promise<OwnDatabase> {
  const database = new DatabaseSync(':memory:')
  return {
    database,
    run: async (sql) => database.exec(sql),
    rows: async (sql) =>
      database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row })),
    end: async () => database.close(),
  }
}

export const ownDatabases = [
  ['PostgreSQL', postgres],
  ['SQLite', sqlite],
] as const
