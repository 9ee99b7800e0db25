import { DatabaseSync } from '@photostructure/sqlite'
import { Pool } from 'pg'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import { sqliteDriver } from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-driver.js'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import { scratchSchema } from '../../../support/scratch-schema.js'

/** An empty database, and how to end it. */
export interface ScratchDatabase {
  readonly driver: SqlDriver
  /** The schema that tables are in which are named without one. */
  readonly schema: string
  run(sql: string): Promise<unknown>
  end(): Promise<void>
}

export async function scratchPostgres(): Promise<ScratchDatabase> {
  const schema = await scratchSchema()
  const pool = new Pool({ connectionString: schema.url })
  return {
    driver: postgresDriver(pool),
    schema: schema.name,
    run: (sql) => pool.query(sql),
    async end() {
      await pool.end()
      await schema.drop()
    },
  }
}

export function scratchSqlite(): Promise<ScratchDatabase> {
  const database = new DatabaseSync(':memory:')
  const driver = sqliteDriver(database)
  return Promise.resolve({
    driver,
    schema: 'main',
    run(sql: string) {
      database.exec(sql)
      return Promise.resolve()
    },
    end() {
      driver.close()
      database.close()
      return Promise.resolve()
    },
  })
}

/** Both engines, by their names. */
export const scratchDatabases: readonly (readonly [name: string, open: () => Promise<ScratchDatabase>])[] = [
  ['PostgreSQL', scratchPostgres],
  ['SQLite', scratchSqlite],
]
