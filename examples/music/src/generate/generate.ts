import { setImmediate as nextTick } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { sequenceTables, advanceSequences } from '../storage/sequences.js'
import { storedRows } from '../storage/seed.js'
import type { Storage } from '../storage/storage.js'
import type { Tables } from '../tables.js'
import { randomFrom } from './random.js'
import { catalogueRows, type Keys } from './rows.js'

export interface GenerateOptions {
  readonly tracks: number
  readonly seed: number
  /** Called with the number of tracks that are written. */
  readonly onProgress?: (tracks: number) => void
  /** Cancels the run: then nothing is added. */
  readonly signal?: AbortSignal
}

/** The tables in the order of inserts: a referenced table comes before the tables that refer to it. */
const tables = [
  'users',
  'artists',
  'albums',
  'tracks',
  'playlists',
  'playlistTracks',
  'libraries',
  'libraryItems',
  'favorites',
  'plays',
] as const

type GeneratedTable = (typeof tables)[number]

/** The number of rows that were added to each table. */
export type AddedRows = Readonly<Record<GeneratedTable, number>>

/** The number of rows of one statement. SQLite accepts 32,766 values in a statement, and an album has twelve. */
const batchSize = 1000

/**
 * Adds a catalogue with so many tracks to the database, in one transaction. The same options give the same rows if the database had
 * the same rows before.
 */
export function generate({ engine, db }: Pick<Storage, 'engine' | 'db'>, options: GenerateOptions): Promise<AddedRows> {
  return db.transaction().execute(async (transaction) => {
    // Without the lock, another transaction could insert rows with the same keys. SQLite has only one writer.
    if (engine === 'postgres') await sql`lock table ${all(tables)} in share row exclusive mode`.execute(transaction)
    const first = await nextKeys(transaction)
    const random = randomFrom(options.seed, ...Object.values(first), await playlistCount(transaction))
    const writer = batchWriter({ engine, db: transaction }, options)
    for (const [table, row] of catalogueRows(options.tracks, first, random)) {
      if (writer.take(table as GeneratedTable, row) === batchSize) await writer.write(table as GeneratedTable)
    }
    await writer.write('plays')
    if (engine === 'postgres') await advanceSequences(transaction)
    for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(transaction)
    return writer.added
  })
}

/** Collects rows until there are enough for one statement. */
function batchWriter({ engine, db }: Pick<Storage, 'engine' | 'db'>, { onProgress, signal }: GenerateOptions) {
  const waiting = new Map<GeneratedTable, object[]>(tables.map((table) => [table, []]))
  const added = Object.fromEntries(tables.map((table) => [table, 0])) as Record<GeneratedTable, number>
  return {
    added,
    take: (table: GeneratedTable, row: object): number => waiting.get(table)?.push(row) ?? 0,
    /** Inserts the rows of a table, after the rows to which they may refer. */
    async write(last: GeneratedTable): Promise<void> {
      for (const table of tables.slice(0, tables.indexOf(last) + 1)) {
        const rows = waiting.get(table)?.splice(0) ?? []
        if (rows.length === 0) continue
        await db.insertInto(table).values(storedRows(engine, rows)).execute()
        added[table] += rows.length
      }
      onProgress?.(added.tracks)
      // SQLite runs in this thread: without a pause, signals are not handled.
      await nextTick()
      signal?.throwIfAborted()
    },
  }
}

/** Returns the first free key of each table. */
async function nextKeys(db: Kysely<Tables>): Promise<Keys> {
  const keys: Partial<Keys> = {}
  for (const table of sequenceTables) {
    const { last } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.max<number | null>('id').as('last'))
      .executeTakeFirstOrThrow()
    keys[table] = (last ?? 0) + 1
  }
  return keys as Keys
}

/** Playlists have random keys. Their number is part of the seed, so that a second run creates other keys. */
async function playlistCount(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('playlists')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function all(names: readonly string[]) {
  return sql.join(names.map((name) => sql.table(name)))
}
