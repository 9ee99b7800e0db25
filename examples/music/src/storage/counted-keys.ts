import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.js'

/** Tables whose keys the database counts, and whose first rows bring their own. */
export const countedTables = ['artists', 'albums', 'tracks', 'users', 'libraries', 'favorites'] as const

/** Lets PostgreSQL count on after rows that brought their keys; SQLite does so by itself. */
export async function countOn(db: Kysely<Tables>): Promise<void> {
  for (const table of countedTables) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)}`.execute(db)
  }
}
