import type { RawBuilder, SqlBool } from 'kysely'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { QueryColumn, ScopeCondition } from '../../../resource/querying/row-condition.js'
import type { RequestContext } from '../../../resource/request-context.js'
import { invariant } from '../../../util/invariant.js'
import type { EngineName } from '../driver/sql-driver.js'
import type { SqlColumn, SqlTable, SqlTables } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'
import type { SqlBuilder } from '../statement/engine.js'
import type { SqlStore } from '../sql-store.js'
import { StatementShape } from '../statement/statement-shape.js'

/** What the criteria of one statement are read with. */
export interface SqlReading {
  readonly engine: EngineName
  readonly tables: SqlTables
  readonly builder: SqlBuilder
  /** Of the statement: what its text depends on is noted here while the criteria are read. */
  readonly shape: StatementShape
  readonly context: RequestContext
  /** The scopes that were met while the criteria were read. */
  readonly scopes: ScopeSlot[]
}

/** A scope in a statement, and which of the values of the statement are its own. */
export interface ScopeSlot {
  readonly scope: ScopeCondition
  readonly rows: RowsRead
  readonly start: number
  readonly end: number
}

/** What values are bound with. */
export type Binding = Pick<SqlReading, 'shape' | 'engine'>

/** The rows that criteria are about, and the join rows that lead to them, where some do. */
export interface RowsRead {
  readonly type: CompiledType
  readonly table: SqlTable
  readonly pivot: SqlTable | null
}

/** What the tables are called in the part of the statement that is being written. */
export interface Aliases {
  readonly row: string
  readonly pivot: string | null
  /** A name that nothing else in the statement has. */
  readonly fresh: () => string
}

/**
 * A part of a statement, ready to be written. Criteria are read for every request, and written only when no request
 * before had the same shape.
 */
export type SqlPart<Value = SqlBool> = (at: Aliases) => RawBuilder<Value>

/** Something that is read of a row. What has one name is the same, and is read once. */
export interface Selected {
  readonly name: string | null
  readonly written: SqlPart<unknown>
}

export function sqlReading(store: SqlStore, tables: SqlTables, context: RequestContext): SqlReading {
  const { engine, builder } = store
  return { engine, builder, tables, shape: new StatementShape(), context, scopes: [] }
}

export function freshAliases(): () => string {
  let count = 0
  return () => `t${count++}`
}

/** The column that a query looks at, of the row or of the join row. */
export function queriedColumn({ of, name }: QueryColumn, { table, pivot }: RowsRead): SqlColumn {
  if (of === 'row') return columnOf(table, name)
  invariant(pivot !== null, `the join row's '${name}' was asked for, and no join row leads here`)
  return columnOf(pivot, name)
}

export function aliasOf({ of }: QueryColumn, { row, pivot }: Aliases): string {
  return of === 'row' ? row : (pivot ?? row)
}
