import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Capabilities } from '../dialect/capabilities.js'

/** A row value, `(a, b)`, with the expressions in it. */
interface RowValue extends RawBuilder<unknown> {
  readonly parts: readonly RawBuilder<unknown>[]
}

export function rowValue(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return Object.assign(sql`(${sql.join(parts)})`, { parts })
}

function isRowValue(value: RawBuilder<unknown>): value is RowValue {
  return 'parts' in value
}

/** Returns the condition that two values are equal. Row values are compared by their parts if the engine cannot compare them. */
export function areEqual(
  one: RawBuilder<unknown>,
  other: RawBuilder<unknown>,
  { compareRows }: Pick<Capabilities, 'compareRows'>,
): RawBuilder<boolean> {
  if (compareRows !== 'never' || !isRowValue(one) || !isRowValue(other)) return sql<boolean>`${one} = ${other}`
  const same = one.parts.map((part, index) => sql`${part} = ${other.parts[index]}`)
  return sql<boolean>`(${sql.join(same, sql` and `)})`
}

/** Returns the condition that a row value is before another one. */
export function isBefore(
  one: readonly RawBuilder<unknown>[],
  other: readonly RawBuilder<unknown>[],
  { compareRows }: Pick<Capabilities, 'compareRows'>,
): RawBuilder<boolean> {
  if (compareRows !== 'never' || one.length === 1) return sql<boolean>`(${sql.join(one)}) < (${sql.join(other)})`
  const levels = one.map((part, level) => {
    const same = one.slice(0, level).map((each, index) => sql`${each} = ${other[index]} and `)
    return sql`(${sql.join(same, sql``)}${part} < ${other[level]})`
  })
  return sql<boolean>`(${sql.join(levels, sql` or `)})`
}
