import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Operand } from '../dialect/operand.js'
import { rowValue } from '../statement/row-value.js'
import { rowParts, rowTypes } from './row-operand.js'
import type { Aliases, Binding, SqlPart } from './statement-build.js'

/** A condition that every row meets. */
export const always: SqlPart = () => sql`1 = 1`

export function conjunction(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `)
}

export function disjunction(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` or `)
}

/** Combines conditions with `and`. An empty list holds for every row. */
export function allOf(members: readonly SqlPart[]): SqlPart {
  const conditions = members.filter((each) => each !== always)
  const [only, ...others] = conditions
  if (only === undefined) return always
  if (others.length === 0) return only
  return (at) => sql`(${conjunction(conditions.map((each) => each(at)))})`
}

/** Combines conditions with `or`. An empty list holds for no row. */
export function anyOf(members: readonly SqlPart[]): SqlPart {
  const [only, ...others] = members
  if (only === undefined) return () => sql`1 = 0`
  if (others.length === 0) return only
  return (at) => sql`(${disjunction(members.map((each) => each(at)))})`
}

/** Returns a `where` clause with all conditions; nothing if every row meets them. */
export function where(...members: readonly SqlPart[]): (at: Aliases) => RawBuilder<unknown> {
  const all = allOf(members)
  return (at) => (all === always ? sql`` : sql` where ${all(at)}`)
}

/** Binds a value with its type, or the values of a composite key as a row value. */
export function bind({ value, type, fine }: Operand, { shape, dialect }: Binding): () => RawBuilder<unknown> {
  const slot = shape.bind(value)
  shape.addKeyPart(`${type} ${fine}`)
  const types = rowTypes(type)
  if (types !== null) {
    return () => rowValue(rowParts(dialect.spell.parameter(slot, 'jsonb'), types, dialect))
  }
  return () => dialect.spell.parameter(slot, type)
}
