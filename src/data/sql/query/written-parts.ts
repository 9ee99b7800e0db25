import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Operand } from './compared-column.js'
import type { SqlReading, Written } from './sql-reading.js'

export function allOf(members: readonly Written[]): Written {
  return (at) =>
    members.length === 0
      ? sql`1 = 1`
      : sql`(${sql.join(
          members.map((each) => each(at)),
          sql` and `,
        )})`
}

export function anyOf(members: readonly Written[]): Written {
  return (at) =>
    members.length === 0
      ? sql`1 = 0`
      : sql`(${sql.join(
          members.map((each) => each(at)),
          sql` or `,
        )})`
}

/** Binds a value, with the type that PostgreSQL needs to know beforehand. */
export function bind({ value, type, fine }: Operand, { shape, engine }: SqlReading): () => RawBuilder<unknown> {
  const slot = shape.bind(value)
  shape.note(`${type} ${fine}`)
  return () => (engine === 'postgres' && type !== null ? sql`${slot}::${sql.raw(type)}` : sql`${slot}`)
}
