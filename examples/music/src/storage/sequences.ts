import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.js'

/** Tables whose keys the database generates, but whose first rows are inserted with keys. */
export const sequenceTables = ['artists', 'albums', 'tracks', 'users', 'libraries', 'favorites'] as const

/** Sets the sequences of PostgreSQL after rows were inserted with keys. SQLite needs no such step. */
export async function advanceSequences(db: Kysely<Tables>): Promise<void> {
  for (const table of sequenceTables) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)}`.execute(db)
  }
}
