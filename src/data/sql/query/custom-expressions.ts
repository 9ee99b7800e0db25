import type { Expression, RawBuilder, SqlBool } from 'kysely'
import { isExpression, sql } from 'kysely'
import { ignoreRejection } from '../../../errors/ignore-rejection.js'
import type { RowCondition } from '../../../resource/querying/row-condition.js'
import type { RowOrder } from '../../../resource/querying/row-order.js'
import type { RequestContext } from '../../../resource/request-context.js'
import type { EngineName } from '../driver/sql-driver.js'
import { columnReference } from '../schema/column-reference.js'
import { columnOf } from '../schema/sql-table.js'
import type { Aliases, RowsRead, SqlReading, SqlPart } from './sql-reading.js'

/** What an expression of the author's is made with. */
export interface SqlRow<Row> {
  /** A column of the row that is looked at: what the table is called in the statement, only this knows. */
  readonly column: <Name extends keyof Row & string>(name: Name) => RawBuilder<Row[Name]>
  readonly engine: EngineName
  readonly context: RequestContext
}

export interface SqlAskedRow<Row> extends SqlRow<Row> {
  /** What the client asks, after `deserializeUsing()`; `null` in a scope. */
  readonly value: unknown
}

/** Marks functions that were made for these stores. */
const written: unique symbol = Symbol.for('ashlar.sql-expression')

/** An expression for `apply` of a custom filter, a scope or a custom sort. */
export interface SqlExpression {
  readonly [written]: true
  readonly write: (row: SqlAskedRow<Readonly<Record<string, unknown>>>) => Expression<unknown>
}

/**
 * A condition of the author's own on rows of a SQL store, as a Kysely expression: `apply` of a custom filter.
 *
 * @example
 * ```ts
 * import type { FilterKit } from 'ashlar'
 * import { sqlFilter } from 'ashlar/sql'
 * import { sql } from 'kysely'
 *
 * const longTitle = sqlFilter<{ title: string }>(({ column, value }) => sql`length(${column('title')}) > ${Number(value)}`)
 * const filters = (f: FilterKit<string>) => ({ longerTitle: f.custom({ apply: longTitle }) })
 * ```
 */
export function sqlFilter<Row>(write: (row: SqlAskedRow<Row>) => Expression<SqlBool>): SqlExpression {
  return Object.freeze<SqlExpression>({ [written]: true, write: write as SqlExpression['write'] })
}

/**
 * An order of the author's own on rows of a SQL store: what they are ordered by, `apply` of a custom sort. Null is the
 * largest value, as everywhere.
 *
 * @example
 * ```ts
 * import { sqlSort } from 'ashlar/sql'
 * import { sql } from 'kysely'
 *
 * const byTitleLength = sqlSort<{ title: string }>(({ column }) => sql`length(${column('title')})`)
 * ```
 */
export function sqlSort<Row>(write: (row: SqlRow<Row>) => Expression<unknown>): SqlExpression {
  return Object.freeze<SqlExpression>({ [written]: true, write: write as SqlExpression['write'] })
}

export function isSqlExpression(value: unknown): value is SqlExpression {
  return typeof value === 'object' && value !== null && written in value
}

/** Written anew for every request: only the author knows what its text depends on. */
export function readCustomFilter(
  { custom, value }: Extract<RowCondition, { kind: 'custom' }>,
  rows: RowsRead,
  reading: SqlReading,
): SqlPart {
  const { apply } = custom
  if (!isSqlExpression(apply)) throw new Error('A custom filter has no apply: sqlFilter(), which SQL stores ask for.')
  reading.shape.neverCache()
  return (at) => sql<boolean>`(${expressionOf(apply, 'filter', askedRow(rows, at, { ...reading, value }))})`
}

export function readCustomSort(
  { custom }: Extract<RowOrder, { kind: 'custom' }>,
  rows: RowsRead,
  reading: SqlReading,
): SqlPart<unknown> {
  const { apply } = custom
  if (!isSqlExpression(apply)) throw new Error('A custom sort has no apply: sqlSort(), which SQL stores ask for.')
  reading.shape.neverCache()
  return (at) => sql`(${expressionOf(apply, 'sort', askedRow(rows, at, { ...reading, value: null }))})`
}

/** Anything else would be bound as a value: a promise as a truth that holds for every row. */
function expressionOf(
  { write }: SqlExpression,
  of: 'filter' | 'sort',
  row: SqlAskedRow<Readonly<Record<string, unknown>>>,
): Expression<unknown> {
  const answer: unknown = write(row)
  ignoreRejection(answer)
  if (!isExpression(answer)) throw new TypeError(`The apply of a custom ${of} answered no expression of Kysely.`)
  return answer
}

function askedRow(
  { table }: RowsRead,
  { row }: Aliases,
  { engine, context, value }: Pick<SqlReading, 'engine' | 'context'> & { readonly value: unknown },
): SqlAskedRow<Readonly<Record<string, unknown>>> {
  return { engine, context, value, column: (name) => columnReference(columnOf(table, name), row) }
}
