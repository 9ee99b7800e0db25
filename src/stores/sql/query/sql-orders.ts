import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { QueryColumn, SearchCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RowOrder } from '../../../declare/resource/querying/row-order.js'
import type { RowPosition } from '../../../declare/resource/querying/row-window.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import { cursorValue } from '../../row-query/stored-value.js'
import { invariant } from '../../../core/util/invariant.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { columnReference } from '../schema/sql-table.js'
import type { ComparedColumn } from './compared-column.js'
import { comparedColumn } from './compared-column.js'
import { readCustom } from './custom-expressions.js'
import { farDay } from './operands.js'
import { relatedRow, sqlConditions } from './sql-conditions.js'
import { searchRules, sqlSearch } from './sql-search.js'
import type { RowsRead, Selected, SqlPart, StatementBuild } from './statement-build.js'
import { aliasOf, allOf, bind, queriedColumn } from './statement-build.js'

/** One level of an order, as a statement sorts by it. */
export interface OrderLevel {
  readonly descending: boolean
  /** Whether the value may be null. */
  readonly nullable: boolean
  /** The expression to sort by. */
  readonly expression: SqlPart<unknown>
  /** Whether the expression is the stored column without a conversion. */
  readonly isPlain: boolean
  /** How the value of a position is read; `null` for a custom sort, which has no positions. */
  readonly position: PositionSource | null
}

interface PositionSource extends Pick<ComparedColumn, 'operand' | 'as'> {
  /** The stored value, with all its digits. */
  readonly stored: Selected
  /** Converts the value that the driver returns for `stored`. */
  readonly decode: (stored: unknown) => unknown
}

/** Converts orders. Orders by type are left out, since a statement reads rows of one type. */
export function sqlOrders(orders: readonly RowOrder[], rows: RowsRead, build: StatementBuild): readonly OrderLevel[] {
  return orders.flatMap((order) => {
    if (order.kind === 'type') return []
    if (order.kind === 'key') return keyOrders(order, rows).map((each) => readOrder(each, rows, build))
    return [readOrder(order, rows, build)]
  })
}

/** Returns the orders by the columns of the key: several for a composite key. */
function keyOrders({ descending }: Extract<RowOrder, { kind: 'key' }>, { type }: RowsRead): readonly ColumnOrder[] {
  return keyColumns(referenceColumn(type)).map((name) => {
    return { kind: 'column', path: [], column: { of: 'row', name, kind: null, isKey: true }, descending }
  })
}

type ColumnOrder = Extract<RowOrder, { kind: 'column' }>
type AnyColumnOrder = Extract<RowOrder, { kind: 'column' | 'visibleColumn' }>

function readOrder(
  order: Exclude<RowOrder, { kind: 'key' | 'type' }>,
  rows: RowsRead,
  build: StatementBuild,
): OrderLevel {
  const { descending } = order
  build.shape.addKeyPart(descending ? 'desc' : 'asc')
  switch (order.kind) {
    case 'column':
    case 'visibleColumn':
      return { descending, ...columnLevel(order, rows, build) }
    case 'relevance':
      return { descending, ...relevanceLevel(order.search, rows, build) }
    case 'custom':
      return {
        descending,
        nullable: true,
        isPlain: false,
        expression: readCustom({ kind: 'sort', apply: order.custom.apply, value: null }, rows, build),
        position: null,
      }
  }
}

type Level = Omit<OrderLevel, 'descending'>

function columnLevel(order: AnyColumnOrder, rows: RowsRead, build: StatementBuild): Level {
  const [first, ...rest] = order.path
  if (first === undefined) {
    const level = rowLevel(order.column, rows, build)
    return order.kind === 'column' ? level : levelIf(sqlConditions([order.condition], rows, build), level)
  }
  build.shape.addKeyPart(`through ${first.relation.name}`)
  const { source, value } = relatedRow(first, rows, build)
  const end = columnLevel({ ...order, path: rest, descending: false }, source, build)
  return derivedLevel(end, value)
}

/** Returns a level by the rank of a search, which is a whole number of each row. */
function relevanceLevel(search: SearchCondition, rows: RowsRead, build: StatementBuild): Level {
  const rank = searchRules(build.dialect).relevance(sqlSearch(search, rows), build.shape)
  const expression: SqlPart<unknown> = (at) => rank(at.row)
  const operand = (value: unknown) => build.dialect.values.operands.number(value, 'bigint')
  const position = { operand, as: 'number', stored: { name: null, expression }, decode: Number } as const
  return { nullable: false, isPlain: false, expression, position }
}

/** Returns a level whose value is null in rows that do not meet a condition. */
function levelIf(condition: SqlPart, level: Level): Level {
  return derivedLevel(level, (value) => (at) => sql`case when ${condition(at)} then ${value(at)} end`)
}

/** Returns a level by the value that is made from that of another level, and may be null. */
function derivedLevel({ expression, position }: Level, derived: (value: SqlPart<unknown>) => SqlPart<unknown>): Level {
  return {
    nullable: true,
    isPlain: false,
    expression: derived(expression),
    position:
      position === null
        ? null
        : { ...position, stored: { name: null, expression: derived(position.stored.expression) } },
  }
}

function rowLevel(queried: QueryColumn, rows: RowsRead, build: StatementBuild): Level {
  const column = queriedColumn(queried, rows)
  const compared = comparedColumn(column, queried, build.dialect)
  build.shape.addKeyPart(`${queried.of} ${compared.name} ${column.nullable}`)
  const expression: SqlPart<unknown> = (at) => compared.inOrder(columnReference(column, aliasOf(queried, at)), false)
  const nullable = column.nullable || !compared.isDirect
  const isPlain = compared.inOrder(anyReference, false) === anyReference
  return { nullable, isPlain, expression, position: positionSource(queried, column, { compared, build }) }
}

const anyReference = sql.id('any')

/** An instant is read with all its digits, of which a `Date` has only the milliseconds. */
function positionSource(
  queried: QueryColumn,
  column: SqlColumn,
  { compared, build }: { readonly compared: ComparedColumn; readonly build: StatementBuild },
): PositionSource {
  const { operand, as } = compared
  const name = `${queried.of} ${column.name}`
  const reference: SqlPart<unknown> = (at) => columnReference(column, aliasOf(queried, at))
  const { instantPosition, irregular: irregularOf } = build.dialect.values
  if (
    instantPosition !== null &&
    compared.as !== 'text' &&
    !compared.shownDay &&
    (column.type === 'instant' || column.type === 'timestamp')
  ) {
    const stored: Selected = { name: `epoch of ${name}`, expression: (at) => instantPosition.read(reference(at)) }
    return { operand, as, stored, decode: instantPosition.decode }
  }
  // A mapping without `fromRow` may lose digits, and the stored value is compared: it is read without the mapping.
  const decode = column.mapping === null || column.mapping.fromRow !== undefined ? column.codec.decode : null
  const { type, notation } = column
  const irregular = (stored: unknown): unknown => irregularOf(stored, { as: compared.as, type, notation })
  const readPosition = (stored: unknown): unknown =>
    (compared.as === 'number' ? specialNumbers.get(stored) : undefined) ??
    cursorValue(stored === null || decode === null ? stored : decode(stored))
  if (compared.isConverted && column.mapping === null) {
    const expression: SqlPart<unknown> = (at) => compared.read(reference(at), false)
    const readText = (stored: unknown): unknown => irregular(stored) ?? cursorValue(stored)
    return { operand, as, stored: { name: null, expression }, decode: compared.shownDay ? dayPosition : readText }
  }
  if (compared.isDirect) {
    const readRegular = column.type === 'date' && compared.as !== 'text' ? dayPosition : readPosition
    return {
      operand,
      as,
      stored: { name, expression: reference },
      decode: (stored) => irregular(stored) ?? readRegular(stored),
    }
  }
  // A value that cannot be converted is sorted like null.
  const convertible: SqlPart<unknown> = (at) =>
    sql`case when ${compared.read(reference(at), false)} is not null then ${reference(at)} end`
  return { operand, as, stored: { name: null, expression: convertible }, decode: readPosition }
}

/** Numbers of PostgreSQL that JSON does not have, as the driver returns them. NaN is greater than all others there. */
const specialNumbers: ReadonlyMap<unknown, number> = new Map<unknown, number>(
  [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].flatMap((value): [unknown, number][] => [
    [value, value],
    [String(value), value],
  ]),
)

function dayPosition(stored: unknown): unknown {
  return farDay(stored) ?? cursorValue(stored)
}

/** An order of the rows of a statement. */
interface SortedRows {
  readonly levels: readonly OrderLevel[]
  readonly reversed: boolean
  readonly build: Pick<StatementBuild, 'dialect'>
}

/**
 * Returns the `order by` clause, with the levels in their directions or reversed; empty without levels. Begins with a space. Null is the
 * largest value.
 */
export function orderBy(
  { levels, reversed, build }: SortedRows,
  expressionOf: (level: OrderLevel, index: number) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (levels.length === 0) return sql``
  const { orderNulls } = build.dialect.can
  const sorts = levels.flatMap((level, index) => {
    const expression = expressionOf(level, index)
    const isDescending = level.descending !== reversed
    const direction = isDescending ? sql`desc` : sql`asc`
    const sorted = sql`${expression} ${direction}`
    // An index can be used for values that are never null, and if the order of nulls need not be written.
    if (!level.nullable || orderNulls === 'asLargest') return [sorted]
    if (orderNulls === 'byKey') return [sql`${expression} is null ${direction}`, sorted]
    return [isDescending ? sql`${sorted} nulls first` : sql`${sorted} nulls last`]
  })
  return sql` order by ${sql.join(sorts)}`
}

/** The rows before or after a position. */
interface KeysetBound {
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
  const operand = position.operand(value)
  if (operand === null) {
    shape.addKeyPart('incomparable')
    // Numbers are less than texts, and texts are less than moments.
    const isAbove = position.as !== 'moment'
    return {
      equal: null,
      greater: isAbove ? nulls : [isNotNull, ...nulls],
      less: isAbove ? [isNotNull] : [],
      pair: null,
    }
  }
  const bound = bind(operand, build)
  return {
    equal: (at) => sql`${expression(at)} = ${bound()}`,
    greater: [(at) => sql`${expression(at)} > ${bound()}`, ...nulls],
    less: [(at) => sql`${expression(at)} < ${bound()}`],
    pair: nullable ? null : { column: expression, value: bound },
  }
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
