import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { Pool } from 'pg'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import type { SqlResult } from '../../../../src/stores/sql/driver/sql-statement.js'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import { sqliteDriver } from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-driver.js'
import type { SqlTransaction } from '../../../../src/stores/sql/sql-store.js'
import type { Transaction } from 'ashlar/store'
import { scratchSchema } from '../../../support/scratch-schema.js'

/** A database with an empty table of albums, titles unique and artists known. */
export interface Scratch {
  readonly driver: SqlDriver
  /** The argument of the user: for `sqlData()`. */
  readonly database: DatabaseSyncInstance | Pool
  /** The titles that are committed, in order. */
  readonly titles: () => Promise<readonly unknown[]>
  /** Another driver on the same database. On SQLite it waits for the lock of others for so many milliseconds, 30 by default. */
  readonly another: (busyTimeout?: number) => SqlDriver
  end(): Promise<void>
}

const tables = `
  create table artists (id integer primary key);
  create table albums (
    id integer primary key,
    title text unique,
    artist integer references artists (id) deferrable initially deferred
  )`

async function postgres(): Promise<Scratch> {
  const schema = await scratchSchema()
  const pool = new Pool({ connectionString: schema.url, max: 4 })
  await pool.query(tables)
  const driver = postgresDriver(pool)
  return {
    driver,
    database: pool,
    titles: () => titlesIn(driver),
    another: () => postgresDriver(pool),
    async end() {
      await pool.end()
      await schema.drop()
    },
  }
}

function sqlite(name: 'file' | 'memory'): Promise<Scratch> {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-transactions-'))
  const path = name === 'file' ? join(folder, 'music.db') : ':memory:'
  const opened: { close(): void }[] = []
  const open = (): DatabaseSyncInstance => {
    const database = new DatabaseSync(path)
    opened.push(database)
    return database
  }
  const driverOn = (database: DatabaseSyncInstance, busyTimeout = 30): SqlDriver => {
    const driver = sqliteDriver(database, { busyTimeout })
    opened.push(driver)
    return driver
  }
  const database = open()
  database.exec(tables)
  const driver = driverOn(database)
  return Promise.resolve({
    driver,
    database,
    titles: () => titlesIn(driver),
    another: (busyTimeout) => driverOn(open(), busyTimeout),
    end() {
      for (const each of opened.toReversed()) each.close()
      rmSync(folder, { recursive: true })
      return Promise.resolve()
    },
  })
}

/** By their names. */
export const scratches: readonly (readonly [name: string, open: () => Promise<Scratch>])[] = [
  ['SQLite in a file', () => sqlite('file')],
  ['SQLite in memory', () => sqlite('memory')],
  ['PostgreSQL', postgres],
]

export const postgresScratch = postgres

export const sqliteScratch = (): Promise<Scratch> => sqlite('file')

/** Runs a statement in a transaction. */
export function run(transaction: Transaction, sql: string): Promise<SqlResult> {
  return (transaction as SqlTransaction).connection.run({ sql, values: [], name: null })
}

/** Adds an album in a transaction. */
export function add(transaction: Transaction, title: string): Promise<SqlResult> {
  return run(transaction, `insert into albums (id, title) select coalesce(max(id), 0) + 1, '${title}' from albums`)
}

async function titlesIn(driver: SqlDriver): Promise<readonly unknown[]> {
  const sql = 'select title from albums order by title'
  return (await driver.read({ sql, values: [], name: null }, { context: null })).rows.map(([title]) => title)
}
