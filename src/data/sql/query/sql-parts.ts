import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Operand } from './operands.js'
import { rowTypes, rowValues } from './row-operand.js'
import type { Aliases, Binding, SqlPart } from './statement-build.js'

/** A condition that every row meets. */
export const always: SqlPart = () => sql`1 = 1`

/** Combines conditions with `and`. An empty list holds for every row. */
export function allOf(members: readonly SqlPart[]): SqlPart {
  const conditions = members.filter((each) => each !== always)
  const [only, ...others] = conditions
  if (only === undefined) return always
  if (others.length === 0) return only
  return (at) =>
    sql`(${sql.join(
      conditions.map((each) => each(at)),
      sql` and `,
    )})`
}

/** Combines conditions with `or`. An empty list holds for no row. */
export function anyOf(members: readonly SqlPart[]): SqlPart {
  const [only, ...others] = members
  if (only === undefined) return () => sql`1 = 0`
  if (others.length === 0) return only
  return (at) =>
    sql`(${sql.join(
      members.map((each) => each(at)),
      sql` or `,
    )})`
}

/** Returns a `where` clause with all conditions; nothing if every row meets them. */
export function where(...members: readonly SqlPart[]): (at: Aliases) => RawBuilder<unknown> {
  const all = allOf(members)
  return (at) => (all === always ? sql`` : sql` where ${all(at)}`)
}

/** Binds a value, with its type for PostgreSQL. */
export function bind({ value, type, fine }: Operand, { shape, engine }: Binding): () => RawBuilder<unknown> {
  const slot = shape.bind(value)
  shape.addKeyPart(`${type} ${fine}`)
  const types = rowTypes(type)
  if (types !== null) {
    const list = engine === 'postgres' ? sql`${slot}::jsonb` : sql`${slot}`
    return () => sql`(${rowValues(list, types, engine)})`
  }
  return () => (engine === 'postgres' && type !== null ? sql`${slot}::${sql.raw(type)}` : sql`${slot}`)
}

/**
 * Returns a condition that a query finds a row. Without a limit, SQLite converts it to a join, and then an offset
 * counts a row twice that is found twice (seen in 3.53).
 */
export function exists(query: RawBuilder<unknown>, { engine }: Pick<Binding, 'engine'>): RawBuilder<boolean> {
  return engine === 'sqlite' ? sql<boolean>`exists (${query} limit 1)` : sql<boolean>`exists (${query})`
}
