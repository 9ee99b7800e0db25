import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'

/** Returns the clause of PostgreSQL and SQLite that updates, or else skips, a row with the same values in a unique index. */
export function conflictClause(unique: readonly string[], changed: readonly string[]): RawBuilder<unknown> {
  const columns = sql.join(unique.map((name) => sql.id(name)))
  if (changed.length === 0) return sql`on conflict (${columns}) do nothing`
  const changes = changed.map((name) => sql`${sql.id(name)} = ${sql.id('excluded', name)}`)
  return sql`on conflict (${columns}) do update set ${sql.join(changes)}`
}
