import type { WorkContext } from 'ashlar'
import { sql, type Kysely } from 'kysely'

/**
 * Waits until no other transaction works under the same name, and until this one ends keeps others waiting. Two requests
 * that look for a free slug at once would both find the same one. SQLite runs transactions one after the other anyway.
 */
export async function onlyOneAtATime(name: string, { transaction, db }: WorkContext): Promise<void> {
  if (transaction?.store !== 'postgres') return
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db as Kysely<unknown>)
}
