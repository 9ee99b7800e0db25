import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Operand } from './operands.js'
import type { Aliases, Binding, SqlPart } from './sql-reading.js'

/** Holds for every row. */
export const always: SqlPart = () => sql`1 = 1`

export function allOf(members: readonly SqlPart[]): SqlPart {
  const asking = members.filter((each) => each !== always)
  const [only, ...others] = asking
  if (only === undefined) return always
  if (others.length === 0) return only
  return (at) =>
    sql`(${sql.join(
      asking.map((each) => each(at)),
      sql` and `,
    )})`
}

/** Of no conditions, none holds. */
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

/** `where` with all of these, or nothing where they ask for nothing. */
export function where(...members: readonly SqlPart[]): (at: Aliases) => RawBuilder<unknown> {
  const all = allOf(members)
  return (at) => (all === always ? sql`` : sql` where ${all(at)}`)
}

/** Binds a value, with the type that PostgreSQL needs to know beforehand. */
export function bind({ value, type, fine }: Operand, { shape, engine }: Binding): () => RawBuilder<unknown> {
  const slot = shape.bind(value)
  shape.addKeyPart(`${type} ${fine}`)
  return () => (engine === 'postgres' && type !== null ? sql`${slot}::${sql.raw(type)}` : sql`${slot}`)
}

/**
 * Whether a query finds a row. SQLite turns it into a join where nothing is said of a limit, and then counts a row that is
 * found twice twice when it skips the first rows of a list (seen in 3.53).
 */
export function existing(query: RawBuilder<unknown>, { engine }: Pick<Binding, 'engine'>): RawBuilder<boolean> {
  return engine === 'sqlite' ? sql<boolean>`exists (${query} limit 1)` : sql<boolean>`exists (${query})`
}
