import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { DataSource } from 'ashlar/store'
import { sqlData, type SqlDatabase } from 'ashlar/sql'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.js'
import { libraryItems } from '../types/libraries.js'
import { playlistTracks } from '../types/playlists.js'
import type { Engine } from './column-types.js'
import { migrate } from './migrate.js'
import { camelCase } from './tables-of.js'

/** An open database of the catalogue. */
export interface Storage {
  readonly engine: Engine
  /** For the server. */
  readonly data: DataSource
  /** For custom statements. */
  readonly db: Kysely<Tables>
  /** The URL of PostgreSQL; `null` on SQLite. */
  readonly url: string | null
  close(): Promise<void>
}

/** The location of the database. */
interface StorageOptions {
  readonly url?: string
  readonly folder: string
  /** Milliseconds that the statements of a request may run; PostgreSQL only. */
  readonly statementTimeout?: number
}

/** Opens the database. Runs pending migrations unless `migrates` is `false`. A new database gets the first rows. */
export async function openStorage(
  { url, folder, statementTimeout }: StorageOptions,
  { migrates = true }: { readonly migrates?: boolean } = {},
): Promise<Storage> {
  const storage = url === undefined ? sqlite(folder) : await postgres(url, statementTimeout)
  try {
    if (migrates) await prepare(storage)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function prepare(storage: Storage): Promise<void> {
  if (storage.url !== null) {
    const { prepareQueue } = await import('../jobs/queue.js')
    await prepareQueue(storage.url)
  }
  await migrate(storage)
}

function sqlite(folder: string): Storage {
  mkdirSync(folder, { recursive: true })
  const database = new DatabaseSync(join(folder, 'music.db'))
  const stored = dataIn(database)
  return {
    engine: 'sqlite',
    ...stored,
    url: null,
    async close() {
      stored.data.close()
      database.close()
    },
  }
}

async function postgres(url: string, statementTimeout?: number): Promise<Storage> {
  // Loaded only for PostgreSQL.
  const { Pool } = await import('pg')
  const pool = new Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5000 })
  // PostgreSQL may close an idle connection. The pool then opens a new one.
  pool.on('error', () => undefined)
  try {
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    throw error
  }
  return { engine: 'postgres', ...dataIn(pool, statementTimeout), url, close: () => pool.end() }
}

/** Returns the tables of a database, for the server and for custom statements. */
export function dataIn(database: SqlDatabase, statementTimeout = 5000) {
  const data = sqlData<Tables>(database, {
    naming: 'snake_case',
    tables: [playlistTracks, libraryItems],
    // PostgreSQL only. Without a limit, requests that wait for a locked table would hold every connection of the pool.
    statementTimeout,
  })
  return { data, db: camelCase(data.db) }
}
