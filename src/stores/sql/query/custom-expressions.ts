import type { Expression, RawBuilder, SqlBool } from 'kysely'
import { isExpression, sql } from 'kysely'
import { ignoreRejection } from '../../../core/errors/ignore-rejection.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { EngineName } from '../../../core/util/engine-name.js'
import { columnOf, columnReference } from '../schema/sql-table.js'
import type { RowsRead, SqlPart, StatementBuild } from './statement-build.js'

/** The arguments of a user-defined SQL expression. */
export interface SqlRow<Row> {
  /** Returns a reference to a column of the row, with the alias that the table has in the statement. */
  readonly column: <Name extends keyof Row & string>(name: Name) => RawBuilder<Row[Name]>
  readonly engine: EngineName
  readonly context: RequestContext
}

/** The arguments of a user-defined SQL condition. */
export interface SqlFilterRow<Row> extends SqlRow<Row> {
  /** The value that the client sent, after `deserializeUsing()`; `null` in a scope. */
  readonly value: unknown
}

/** Marks expressions for SQL stores. */
const mark: unique symbol = Symbol.for('ashlar.sql-expression')

/** An expression for `apply` of a custom filter, a scope or a custom sort. */
export interface SqlExpression {
  readonly [mark]: true
  readonly write: (row: SqlFilterRow<Readonly<Record<string, unknown>>>) => Expression<unknown>
}

/**
 * Creates a user-defined condition on rows of a SQL store, as a Kysely expression. Use it as the `apply` of a custom
 * filter.
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
export function sqlFilter<Row>(write: (row: SqlFilterRow<Row>) => Expression<SqlBool>): SqlExpression {
  return Object.freeze<SqlExpression>({ [mark]: true, write: write as SqlExpression['write'] })
}

/**
 * Creates a user-defined order of rows of a SQL store: the Kysely expression to sort by. Use it as the `apply` of a
 * custom sort. Null is the largest value, as in all orders.
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
  return Object.freeze<SqlExpression>({ [mark]: true, write: write as SqlExpression['write'] })
}

export function isSqlExpression(value: unknown): value is SqlExpression {
  return typeof value === 'object' && value !== null && mark in value
}

/**
 * Returns the expression of a custom filter or sort. It is created for every request and not cached, since its text may depend on anything.
 * It throws if the result is not an expression: that would be bound as a value, and a promise would be a condition that is always true.
 */
export function readCustom<Value>(
  { kind, apply, value }: CustomUse,
  { table }: RowsRead,
  { dialect, context, shape }: StatementBuild,
): SqlPart<Value> {
  if (!isSqlExpression(apply)) {
    const call = kind === 'filter' ? 'sqlFilter' : 'sqlSort'
    throw new Error(`A custom ${kind} of a SQL store must be declared with apply: ${call}(...).`)
  }
  shape.neverCache()
  return ({ row }) => {
    const column = (name: string): RawBuilder<unknown> => columnReference(columnOf(table, name), row)
    const result: unknown = apply.write({ engine: dialect.name, context, value, column })
    ignoreRejection(result)
    if (isExpression(result)) return sql<Value>`(${result})`
    throw new TypeError(`The apply of a custom ${kind} did not return a Kysely expression.`)
  }
}

interface CustomUse {
  readonly kind: 'filter' | 'sort'
  readonly apply: unknown
  readonly value: unknown
}
