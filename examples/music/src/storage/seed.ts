import type { Kysely } from 'kysely'
import { seeds } from '../seeds.js'
import type { Tables } from '../tables.js'
import type { Engine } from './column-types.js'
import { advanceSequences } from './sequences.js'

/** Inserts the first rows. */
export async function seed({ engine, db }: { readonly engine: Engine; readonly db: Kysely<Tables> }): Promise<void> {
  for (const [table, rows] of Object.entries(seeds) as [keyof Tables, readonly object[]][]) {
    await db.insertInto(table).values(storedRows(engine, rows)).execute()
  }
  if (engine === 'postgres') await advanceSequences(db)
}

/** Converts rows for an engine: SQLite stores arrays as JSON. */
export function storedRows(engine: Engine, rows: readonly object[]): never[] {
  if (engine === 'postgres') return [...rows] as never[]
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asJson(value)])),
  ) as never[]
}

function asJson(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : value
}
