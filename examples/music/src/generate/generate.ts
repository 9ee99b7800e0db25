import { setImmediate as turn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { countedTables, countOn } from '../storage/counted-keys.js'
import { storedRows } from '../storage/seed.js'
import type { Storage } from '../storage/storage.js'
import type { Tables } from '../tables.js'
import { randomFrom } from './random.js'
import { catalogueRows, type Keys } from './rows.js'

export interface Generated {
  readonly tracks: number
  readonly seed: number
  /** Told of how many tracks are written. */
  readonly onProgress?: (tracks: number) => void
  /** Ends it in the middle: nothing is added then. */
  readonly signal?: AbortSignal
}

/** Those that are pointed at come first. */
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

type Filled = (typeof tables)[number]

/** How many rows of each table were added. */
export type Added = Readonly<Record<Filled, number>>

/** One statement takes so many rows: SQLite has place for 32,766 values in one, and an album has twelve. */
const rowsAtOnce = 1000

/**
 * Adds a catalogue with so many tracks to what is there, all of it or nothing. The same numbers give the same rows,
 * wherever the same rows were before.
 */
export function generate({ engine, db }: Pick<Storage, 'engine' | 'db'>, asked: Generated): Promise<Added> {
  return db.transaction().execute(async (transaction) => {
    // Whoever adds rows meanwhile would be given the same keys. SQLite has one writer anyway.
    if (engine === 'postgres') await sql`lock table ${all(tables)} in share row exclusive mode`.execute(transaction)
    const first = await nextKeys(transaction)
    const random = randomFrom(asked.seed, ...Object.values(first), await playlistCount(transaction))
    const writer = partWriter({ engine, db: transaction }, asked)
    for (const [table, row] of catalogueRows(asked.tracks, first, random)) {
      if (writer.take(table as Filled, row) === rowsAtOnce) await writer.write(table as Filled)
    }
    await writer.write('plays')
    if (engine === 'postgres') await countOn(transaction)
    for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(transaction)
    return writer.added
  })
}

/** Holds rows back until there are enough for one statement. */
function partWriter({ engine, db }: Pick<Storage, 'engine' | 'db'>, { onProgress, signal }: Generated) {
  const waiting = new Map<Filled, object[]>(tables.map((table) => [table, []]))
  const added = Object.fromEntries(tables.map((table) => [table, 0])) as Record<Filled, number>
  return {
    added,
    take: (table: Filled, row: object): number => waiting.get(table)?.push(row) ?? 0,
    /** The rows of a table, after those that they may point at. */
    async write(last: Filled): Promise<void> {
      for (const table of tables.slice(0, tables.indexOf(last) + 1)) {
        const rows = waiting.get(table)?.splice(0) ?? []
        if (rows.length === 0) continue
        await db.insertInto(table).values(storedRows(engine, rows)).execute()
        added[table] += rows.length
      }
      onProgress?.(added.tracks)
      // SQLite works in this thread: without a pause nobody hears that it shall end.
      await turn()
      signal?.throwIfAborted()
    },
  }
}

/** Keys continue after those that are there. */
async function nextKeys(db: Kysely<Tables>): Promise<Keys> {
  const keys: Partial<Keys> = {}
  for (const table of countedTables) {
    const { last } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.max<number | null>('id').as('last'))
      .executeTakeFirstOrThrow()
    keys[table] = (last ?? 0) + 1
  }
  return keys as Keys
}

/** Their keys are not counted: a second run must begin elsewhere to give them others. */
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
