import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { RowPosition } from '../../../resource/querying/row-window.js'
import { invariant } from '../../../util/invariant.js'
import type { ComparedColumn } from './compared-column.js'
import type { Operand } from './operands.js'
import { allOf, anyOf, bind } from './written-parts.js'
import type { OrderLevel } from './sql-orders.js'
import type { SqlReading, SqlPart } from './sql-reading.js'

/** Rows beyond a place: before it, or after it. */
export interface Beyond {
  readonly place: RowPosition
  readonly side: 'after' | 'before'
}

/**
 * The rows beyond a place, in parts that do not overlap: those that differ from it at the last level only, those that
 * differ at the level before, and so on. An index on the levels leads straight to the first row of each part, which one
 * predicate with `or` in it does not.
 */
export function partsBeyond(levels: readonly OrderLevel[], beyond: Beyond, reading: SqlReading): readonly SqlPart[] {
  const { shape } = reading
  const { place, side } = beyond
  shape.addKeyPart(`beyond ${side}`)
  const places = levels.map((level, position) => placed(level, place[position], reading))
  // SQLite looks only at the first column of a range when the key is its row's number, and reads all that is equal there.
  const whole = reading.engine === 'sqlite' && levels.length > 1 ? null : wholeRows(levels, places, beyond)
  if (whole !== null) return [whole]
  const parts: SqlPart[] = []
  for (let last = levels.length - 1; last >= 0; last--) {
    const level = levels[last]
    const equal = places.slice(0, last).map((each) => each.equal)
    invariant(level !== undefined, 'an order has a level that it does not have')
    if (equal.includes(null)) continue
    const isGreater = (side === 'after') !== level.descending
    for (const past of isGreater ? (places[last]?.greater ?? []) : (places[last]?.less ?? [])) {
      parts.push(allOf([...equal.filter((each) => each !== null), past]))
    }
  }
  shape.addKeyPart(`parts ${parts.length}`)
  return parts
}

/** The same as one predicate. */
export function readBeyond(levels: readonly OrderLevel[], beyond: Beyond, reading: SqlReading): SqlPart {
  return anyOf(partsBeyond(levels, beyond, reading))
}

/** Where the value of a place lies at one level. */
interface PlacedValue {
  /** `null` where no row has it. */
  readonly equal: SqlPart | null
  /** Rows with a greater value, null among them; each part one range of an index. */
  readonly greater: readonly SqlPart[]
  readonly less: readonly SqlPart[]
  /** Both sides of a comparison of whole rows; `null` where it may meet null. */
  readonly pair: { readonly column: SqlPart<unknown>; readonly value: () => RawBuilder<unknown> } | null
}

function placed({ place, nullable, expression }: OrderLevel, value: unknown, reading: SqlReading): PlacedValue {
  invariant(place !== null, 'a place was sought in an order with a custom sort')
  const { shape } = reading
  const isNull: SqlPart = (at) => sql`${expression(at)} is null`
  const isNotNull: SqlPart = (at) => sql`${expression(at)} is not null`
  const nulls = nullable ? [isNull] : []
  if (value === null || value === undefined) {
    shape.addKeyPart('null')
    return { equal: isNull, greater: [], less: [isNotNull], pair: null }
  }
  const operand = place.compared.operand(value)
  if (operand === null) {
    shape.addKeyPart('incomparable')
    const lies = liesAbove(place.compared)
    return { equal: null, greater: lies ? nulls : [isNotNull, ...nulls], less: lies ? [isNotNull] : [], pair: null }
  }
  return { ...compared(expression, operand, reading, nulls), ...(nullable ? { pair: null } : {}) }
}

function compared(
  column: SqlPart<unknown>,
  operand: Operand,
  reading: SqlReading,
  nulls: readonly SqlPart[],
): PlacedValue {
  const value = bind(operand, reading)
  return {
    equal: (at) => sql`${column(at)} = ${value()}`,
    greater: [(at) => sql`${column(at)} > ${value()}`, ...nulls],
    less: [(at) => sql`${column(at)} < ${value()}`],
    pair: { column, value },
  }
}

/** Numbers come before texts, and moments after them: where text stands in place of another value, that tells its side. */
function liesAbove({ as }: ComparedColumn): boolean {
  return as !== 'moment'
}

/** One comparison for all levels, which an index on them serves as one range, where they go in one direction. */
function wholeRows(levels: readonly OrderLevel[], places: readonly PlacedValue[], { side }: Beyond): SqlPart | null {
  const pairs = places.flatMap(({ pair }) => pair ?? [])
  const [first] = levels
  const isOneWay = levels.every(({ descending }) => descending === first?.descending)
  if (first === undefined || !isOneWay || pairs.length !== levels.length) return null
  const operator = (side === 'after') !== first.descending ? sql`>` : sql`<`
  return (at) => {
    const columns = sql.join(pairs.map(({ column }) => column(at)))
    const values = sql.join(pairs.map(({ value }) => value()))
    return sql`(${columns}) ${operator} (${values})`
  }
}
