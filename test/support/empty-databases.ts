import { DatabaseSync } from '@photostructure/sqlite'
import { Pool } from 'pg'
import type { SqlDatabase } from 'ashlar/sql'
import { scratchDatabase } from './scratch-database.js'
import { type ScratchSchema, scratchSchema } from './scratch-schema.js'

/** An empty database, as a user has one. */
export interface EmptyDatabase {
  readonly database: SqlDatabase
  run(sql: string): Promise<unknown>
  rows(sql: string): Promise<readonly unknown[]>
  end(): Promise<void>
}

/** A separate schema in the database of this run. */
const postgres = async (): Promise<EmptyDatabase> => onPostgres(await scratchSchema())

/** A separate database: tools that read all schemas do not see those of concurrent tests. */
export const wholePostgres = async (): Promise<EmptyDatabase> => onPostgres(await scratchDatabase())

function onPostgres(scratch: Pick<ScratchSchema, 'url' | 'drop'>): EmptyDatabase {
  const pool = new Pool({ connectionString: scratch.url })
  return {
    database: pool,
    run: (sql) => pool.query(sql),
    rows: async (sql) => (await pool.query<Readonly<Record<string, unknown>>>(sql)).rows,
    async end() {
      await pool.end()
      await scratch.drop()
    },
  }
}

async function sqlite(): Promise<EmptyDatabase> {
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

export const emptyDatabases = [
  ['PostgreSQL', postgres],
  ['SQLite', sqlite],
] as const
