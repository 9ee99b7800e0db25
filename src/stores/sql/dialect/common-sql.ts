import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { TextSearch } from './spelling.js'

/** Returns the clause of PostgreSQL and SQLite that updates, or else skips, a row with the same values in a unique index. */
export function conflictClause(unique: readonly string[], changed: readonly string[]): RawBuilder<unknown> {
  const columns = sql.join(unique.map((name) => sql.id(name)))
  if (changed.length === 0) return sql`on conflict (${columns}) do nothing`
  const changes = changed.map((name) => sql`${sql.id(name)} = ${sql.id('excluded', name)}`)
  return sql`on conflict (${columns}) do update set ${sql.join(changes)}`
}

/** Returns the pattern of a search with `like`, where a backslash escapes what is no placeholder. */
export function likePattern({ operator, value }: TextSearch): string {
  const escaped = value.replaceAll(/[\\%_]/g, '\\$&')
  return `${operator === 'starts' ? '' : '%'}${escaped}${operator === 'ends' ? '' : '%'}`
}

/** Converts text to a boolean like the codec: SQLite stores a boolean as `1` in a text column. */
export function booleanIn(reference: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case lower(trim(${reference})) when 'true' then 1 when '1' then 1 when 'false' then 0 when '0' then 0 end`
}
