import type { WorkContext } from 'ashlar'
import { sql, type Kysely } from 'kysely'

/**
 * Locks a name until the transaction ends. Other transactions that lock the same name wait. Without it, two concurrent requests
 * could both find the same free slug. SQLite needs no lock: it runs one write transaction at a time.
 */
export async function lockName(name: string, { transaction, db }: WorkContext): Promise<void> {
  if (transaction?.store !== 'postgres') return
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db as Kysely<unknown>)
}
