import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { RowPosition } from '../../../resource/querying/row-window.js'
import { invariant } from '../../../util/invariant.js'
import type { Operand } from '../dialect/operand.js'
import type { ComparedColumn } from './compared-column.js'
import type { OrderLevel } from './sql-orders.js'
import { allOf, anyOf, bind } from './sql-parts.js'
import type { SqlPart, StatementBuild } from './statement-build.js'

/** The rows before or after a position. */
export interface KeysetBound {
  readonly position: RowPosition
  readonly side: 'after' | 'before'
}

/**
 * Returns conditions for the rows before or after a position, in parts that do not overlap: rows that differ only at
 * the last level, rows that differ at the level before, and so on. With an index on the levels, the database finds the
 * first row of each part directly; with one predicate that contains `or` it does not.
 */
export function partsBeyond(
  levels: readonly OrderLevel[],
  bound: KeysetBound,
  build: StatementBuild,
): readonly SqlPart[] {
  const { shape } = build
  const { position, side } = bound
  shape.addKeyPart(`beyond ${side}`)
  const conditions = levels.map((level, index) => levelConditions(level, position[index], build))
  const whole =
    build.dialect.can.compareRows !== 'ranges' && levels.length > 1
      ? null
      : rowValueComparison(levels, conditions, bound)
  if (whole !== null) return [whole]
  const parts: SqlPart[] = []
  for (let last = levels.length - 1; last >= 0; last--) {
    const level = levels[last]
    const equal = conditions.slice(0, last).map((each) => each.equal)
    invariant(level !== undefined, 'an order has no level at an index below its length')
    if (equal.includes(null)) continue
    const isGreater = (side === 'after') !== level.descending
    for (const past of isGreater ? (conditions[last]?.greater ?? []) : (conditions[last]?.less ?? [])) {
      parts.push(allOf([...equal.filter((each) => each !== null), past]))
    }
  }
  shape.addKeyPart(`parts ${parts.length}`)
  return parts
}

/** Returns the conditions of `partsBeyond()` as one predicate. */
export function readBeyond(levels: readonly OrderLevel[], bound: KeysetBound, build: StatementBuild): SqlPart {
  return anyOf(partsBeyond(levels, bound, build))
}

/** Conditions that compare one level with the value of a position. */
interface LevelConditions {
  /** `null` if no row has the value. */
  readonly equal: SqlPart | null
  /** Rows with a greater value or null, in parts that are each one range of an index. */
  readonly greater: readonly SqlPart[]
  readonly less: readonly SqlPart[]
  /** The two sides for a row value comparison; `null` if one of them may be null. */
  readonly pair: { readonly column: SqlPart<unknown>; readonly value: () => RawBuilder<unknown> } | null
}

function levelConditions(
  { position, nullable, expression }: OrderLevel,
  value: unknown,
  build: StatementBuild,
): LevelConditions {
  invariant(position !== null, 'an order with a custom sort has no positions')
  const { shape } = build
  const isNull: SqlPart = (at) => sql`${expression(at)} is null`
  const isNotNull: SqlPart = (at) => sql`${expression(at)} is not null`
  const nulls = nullable ? [isNull] : []
  if (value === null || value === undefined) {
    shape.addKeyPart('null')
    return { equal: isNull, greater: [], less: [isNotNull], pair: null }
  }
  const operand = position.compared.operand(value)
  if (operand === null) {
    shape.addKeyPart('incomparable')
    const isAbove = liesAbove(position.compared)
    return {
      equal: null,
      greater: isAbove ? nulls : [isNotNull, ...nulls],
      less: isAbove ? [isNotNull] : [],
      pair: null,
    }
  }
  return { ...compared(expression, operand, build, nulls), ...(nullable ? { pair: null } : {}) }
}

function compared(
  column: SqlPart<unknown>,
  operand: Operand,
  build: StatementBuild,
  nulls: readonly SqlPart[],
): LevelConditions {
  const value = bind(operand, build)
  return {
    equal: (at) => sql`${column(at)} = ${value()}`,
    greater: [(at) => sql`${column(at)} > ${value()}`, ...nulls],
    less: [(at) => sql`${column(at)} < ${value()}`],
    pair: { column, value },
  }
}

/**
 * Returns whether a value that cannot be compared with the column counts as greater than all of its values. Numbers are less
 * than texts, and texts are less than moments.
 */
function liesAbove({ as }: ComparedColumn): boolean {
  return as !== 'moment'
}

/**
 * Returns one row value comparison of all levels, which is one range of an index on them; `null` if the levels have
 * different directions, or may be null.
 */
function rowValueComparison(
  levels: readonly OrderLevel[],
  conditions: readonly LevelConditions[],
  { side }: KeysetBound,
): SqlPart | null {
  const pairs = conditions.flatMap(({ pair }) => pair ?? [])
  const [first] = levels
  const hasOneDirection = levels.every(({ descending }) => descending === first?.descending)
  if (first === undefined || !hasOneDirection || pairs.length !== levels.length) return null
  const operator = (side === 'after') !== first.descending ? sql`>` : sql`<`
  return (at) => {
    const columns = sql.join(pairs.map(({ column }) => column(at)))
    const values = sql.join(pairs.map(({ value }) => value()))
    return sql`(${columns}) ${operator} (${values})`
  }
}
