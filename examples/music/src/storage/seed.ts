import { type Kysely, sql } from 'kysely'
import { seeds } from '../seeds.js'
import type { Tables } from '../tables.js'
import type { Engine } from './migrate.js'

interface Seeded {
  readonly engine: Engine
  readonly db: Kysely<Tables>
}

/** Tables whose keys the database counts. */
const counted = ['artists', 'albums', 'tracks', 'users', 'libraries', 'favorites'] as const

/** Gives an empty database its first rows, all of them or none. */
export async function seed({ engine, db }: Seeded): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const users = await transaction
      .insertInto('users')
      .values([...seeds.users])
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute()
    // Somebody was here before, maybe another process just now.
    if (users.length === 0) return
    const { users: _users, ...others } = seeds
    for (const [table, rows] of Object.entries(others) as [keyof Tables, readonly object[]][]) {
      await transaction.insertInto(table).values(storedRows(engine, rows)).execute()
    }
    if (engine === 'postgres') await countOn(transaction)
  })
}

/** PostgreSQL has arrays, SQLite their JSON. */
export function storedRows(engine: Engine, rows: readonly object[]): never[] {
  const stored = (value: unknown): unknown =>
    engine === 'sqlite' && Array.isArray(value) ? JSON.stringify(value) : value
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, stored(value)])),
  ) as never[]
}

/** Rows brought their keys: the next one comes after them. */
async function countOn(db: Kysely<Tables>): Promise<void> {
  for (const table of counted) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))`.execute(
      db,
    )
  }
}
