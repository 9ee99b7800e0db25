import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { AliasedRows, FoundRows, Spelling, TextSearch, UpdateFrom } from './spelling.js'

/** Returns the clause of PostgreSQL and SQLite that updates, or else skips, a row with the same values in a unique index. */
function conflictClause(unique: readonly string[], changed: readonly string[]): RawBuilder<unknown> {
  const columns = sql.join(unique.map((name) => sql.id(name)))
  if (changed.length === 0) return sql`on conflict (${columns}) do nothing`
  const changes = changed.map((name) => sql`${sql.id(name)} = ${sql.id('excluded', name)}`)
  return sql`on conflict (${columns}) do update set ${sql.join(changes)}`
}

/** Writes that PostgreSQL and SQLite spell alike. */
export const commonWrites: Pick<Spelling, 'onConflict' | 'valueRows' | 'updateFrom' | 'deleteFrom' | 'deleteFound'> =
  Object.freeze({
    onConflict: conflictClause,
    valueRows(columns: readonly string[], rows: readonly (readonly unknown[])[]) {
      const values = rows.map((row) => sql`(${sql.join(row.map((slot) => sql`${slot}`))})`)
      const names = sql.join(columns.map((name) => sql.id(name)))
      return { before: sql`with given (${names}) as (values ${sql.join(values)}) `, from: sql`given` }
    },
    updateFrom({ target, alias, changes, from, condition }: UpdateFrom) {
      const set = changes.map(([name, value]) => sql`${sql.id(name)} = ${value}`)
      return sql`update ${target} as ${sql.id(alias)} set ${sql.join(set)} from ${from} where ${condition}`
    },
    deleteFrom: ({ target, alias, condition }: AliasedRows) =>
      sql`delete from ${target} as ${sql.id(alias)} where ${condition}`,
    deleteFound: ({ target, keys, found }: FoundRows) =>
      sql`delete from ${target} where (${sql.join(keys.map((name) => sql.id(name)))}) in (${found})`,
  })

/** Returns the pattern of a search with `like`, where a backslash escapes what is no placeholder. */
export function likePattern({ operator, value }: TextSearch): string {
  const escaped = value.replaceAll(/[\\%_]/g, '\\$&')
  return `${operator === 'starts' ? '' : '%'}${escaped}${operator === 'ends' ? '' : '%'}`
}

/** Converts text to a boolean like the codec: SQLite stores a boolean as `1` in a text column. */
export function booleanIn(reference: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case lower(trim(${reference})) when 'true' then 1 when '1' then 1 when 'false' then 0 when '0' then 0 end`
}
