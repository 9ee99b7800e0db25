import type { RawBuilder, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { QueryColumn, ScopeCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { invariant } from '../../../core/util/invariant.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { Operand } from '../dialect/operand.js'
import type { SqlColumn, SqlTable, SqlTables } from '../schema/sql-table.js'
import { columnOf, tableFor } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { areEqual, rowValue } from '../statement/row-value.js'
import { StatementShape } from '../statement/statement-shape.js'

/** The state while the criteria of one statement are converted to SQL. */
export interface StatementBuild {
  readonly dialect: SqlDialect
  readonly tables: SqlTables
  /** The cache key and the values of the statement, collected while the criteria are converted. */
  readonly shape: StatementShape
  readonly context: RequestContext
  /** The scopes in the criteria, in the order in which they were converted. */
  readonly scopes: ScopeSlot[]
  /** Whether the criteria are selected, instead of deciding which rows are read. */
  readonly isSelected: boolean
}

/** A scope in a statement, and the range of the parameter values that belong to it. */
export interface ScopeSlot {
  readonly scope: ScopeCondition
  readonly rows: RowsRead
  readonly start: number
  readonly end: number
}

/** The part of a `StatementBuild` that is needed to bind values. */
export type Binding = Pick<StatementBuild, 'shape' | 'dialect'>

/** The rows that criteria apply to, with the join table that refers to them, if there is one. */
export interface RowsRead {
  readonly type: CompiledType
  readonly table: SqlTable
  readonly pivot: SqlTable | null
}

/** The aliases of the tables in one part of a statement. */
export interface Aliases {
  readonly row: string
  readonly pivot: string | null
  /** Returns an alias that the statement does not use yet. */
  readonly fresh: () => string
}

/**
 * Builds a part of a statement. Criteria are converted to such functions in every request; they are called only if no
 * statement with the same cache key is cached.
 */
export type SqlPart<Value = SqlBool> = (at: Aliases) => RawBuilder<Value>

/** An expression to select. Expressions with the same name are the same, and are selected once. */
export interface Selected {
  readonly name: string | null
  readonly expression: SqlPart<unknown>
}

export function statementBuild(store: SqlStore, tables: SqlTables, context: RequestContext): StatementBuild {
  return { dialect: store.dialect, tables, shape: new StatementShape(), context, scopes: [], isSelected: false }
}

export function freshAliases(): () => string {
  let count = 0
  return () => `t${count++}`
}

/** Returns the aliases of a statement that reads the rows of one table. */
export function firstAliases(): Aliases {
  const fresh = freshAliases()
  return { row: fresh(), pivot: null, fresh }
}

/** Returns the rows of a type, which no relation leads to. */
export function rowsOf(type: CompiledType, tables: SqlTables): RowsRead {
  return { type, table: tableFor(tables, type), pivot: null }
}

/** Returns the table column of a queried column, of the row or of the join row. */
export function queriedColumn({ of, name }: QueryColumn, { table, pivot }: RowsRead): SqlColumn {
  if (of === 'row') return columnOf(table, name)
  invariant(pivot !== null, `a query uses '${name}' of the join row, but the rows have no join table`)
  return columnOf(pivot, name)
}

export function aliasOf({ of }: QueryColumn, { row, pivot }: Aliases): string {
  return of === 'row' ? row : (pivot ?? row)
}

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

/**
 * Returns the operand of a composite key: a JSON list of the operands of its columns. So a key is one parameter, like a
 * key of one column, and several keys are one parameter too.
 */
export function rowOperand(parts: readonly Operand[]): Operand {
  return {
    value: jsonList(parts.map(({ value }) => value)),
    type: `${prefix}${parts.map(({ type }) => type).join(',')}`,
    fine: false,
  }
}

const prefix = 'row '

/** Returns the types of the columns of a composite operand; `null` for another operand. */
function rowTypes(type: string | null): readonly string[] | null {
  return type?.startsWith(prefix) === true ? type.slice(prefix.length).split(',') : null
}

/** Returns the values of a composite key, for a JSON list in a statement. */
function rowParts(
  list: RawBuilder<unknown>,
  types: readonly string[],
  { lists }: Pick<SqlDialect, 'lists'>,
): readonly RawBuilder<unknown>[] {
  return types.map((type, index) => lists.item(list, index, type))
}

/** Serializes values to JSON, including bigints, which `JSON.stringify` does not support. */
export function jsonList(values: readonly unknown[]): string {
  return `[${values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))).join(',')}]`
}

/** A list of values of one type, bound as one parameter. */
export interface BoundList {
  contains(column: RawBuilder<unknown>): RawBuilder<boolean>
  /** Returns the condition that one of the values meets a condition. Only for columns with digits that are not shown. */
  containsEqual(isEqual: (value: RawBuilder<unknown>) => RawBuilder<boolean>): RawBuilder<boolean>
}

/** Binds a list of values: as an array, or as JSON if the engine has no arrays. */
export function boundList(
  operands: readonly Pick<Operand, 'value' | 'type'>[],
  { shape, dialect }: Binding,
): BoundList {
  const type = operands[0]?.type ?? 'text'
  shape.addKeyPart(`list ${type}`)
  const slot = shape.bind(listValue(operands, dialect))
  const types = rowTypes(type)
  const contains: BoundList['contains'] =
    types === null ? (column) => dialect.lists.contains(slot, type, column) : rowTest(slot, types, dialect)
  return {
    contains,
    containsEqual(isEqual) {
      if (dialect.spell.finer === null || types !== null)
        throw new Error('The values have no digits that are not shown.')
      return dialect.spell.finer.hasValue(slot, type, isEqual)
    },
  }
}

/** Returns the test whether a list of composite keys, which is one JSON text on every engine, has a key. */
function rowTest(slot: unknown, types: readonly string[], { lists, can }: SqlDialect): BoundList['contains'] {
  const { from, item } = lists.rows(slot)
  const parts = rowParts(item, types, { lists })
  if (can.compareRows !== 'never') return (key) => sql<boolean>`${key} in (select ${sql.join(parts)} from ${from})`
  // Null for a key with a null, like `in`.
  return (key) => {
    const isListed = areEqual(key, rowValue(parts), can)
    return sql<boolean>`case when ${areEqual(key, key, can)} then exists (select 1 from ${from} where ${isListed}) end`
  }
}

/** Returns the parameter value of a list. */
export function listValue(operands: readonly Pick<Operand, 'value' | 'type'>[], { lists }: SqlDialect): unknown {
  if (rowTypes(operands[0]?.type ?? null) !== null) return `[${operands.map(({ value }) => String(value)).join(',')}]`
  return lists.value(operands.map(({ value }) => value))
}

export function isNumberText(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(value)
}
