import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { RowObject } from '../../../resource/fields/field-spec.js'
import { rowObject } from '../../../rows/row-set.js'
import { memoize } from '../../../util/memoize.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { SqlResult, SqlStatement } from '../driver/sql-statement.js'
import { rowDecoder, namesOf } from '../query/wanted-columns.js'
import { selectedReference } from '../schema/sql-table.js'
import type { SqlColumn, SqlTable, SqlTables } from '../schema/sql-table.js'
import type { SqlRunOptions, SqlStore } from '../sql-store.js'
import type { ParameterSlot } from '../statement/statement-shape.js'
import { StatementShape } from '../statement/statement-shape.js'
import { tableReference } from '../statement/table-reference.js'

/** The context of the statements of one call of a persister. */
export interface SqlWriting {
  readonly store: SqlStore
  readonly tables: SqlTables
  readonly options: SqlRunOptions
}

/** The parts of it that run a statement. */
type StatementRun = Pick<SqlWriting, 'store' | 'options'>

/** Builds a part of a statement. It is called only if the text for this shape is not cached. */
export type WritePart = () => RawBuilder<unknown>

/**
 * Runs a statement that writes.
 *
 * @param build adds to the shape everything that the text depends on, binds the values, and returns the part that
 * writes the text
 */
export function runWrite(
  { store, options }: StatementRun,
  build: (shape: StatementShape) => WritePart,
): Promise<SqlResult> {
  return store.write(statementOf(store, build), options)
}

/** Runs a statement that only reads, for example to find the cause of a conflict. */
export function runRead(
  { store, options }: StatementRun,
  build: (shape: StatementShape) => WritePart,
): Promise<SqlResult> {
  return store.read(statementOf(store, build), options)
}

function statementOf({ statements, builder }: SqlStore, build: (shape: StatementShape) => WritePart): SqlStatement {
  const shape = new StatementShape()
  const text = build(shape)
  return statements.statement(shape, () => ({ compile: () => text().compile(builder) }))
}

/** Adds a table to the cache key of a statement, and returns its name in the text. */
export function addTable(shape: StatementShape, table: SqlTable): RawBuilder<unknown> {
  shape.addKeyPart(table.cacheKey)
  return referenceOf(table)
}

/** Memoized, because it is needed before it is known whether the text of the statement is cached. */
const referenceOf = memoize((table: SqlTable) => tableReference(table))

export function columnNames(columns: readonly SqlColumn[], alias: string | null = null): RawBuilder<unknown> {
  return sql.join(columns.map(({ name }) => (alias === null ? sql.id(name) : sql.id(alias, name))))
}

/** Returns the columns of written rows, as they are read into rows. */
export function returnedColumns(columns: readonly SqlColumn[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => selectedReference(column, null)))
}

/** Returns the clause that returns written rows, with further expressions; empty if the engine returns none. Begins with a space. */
export function returningColumns(
  { dialect }: Pick<SqlStore, 'dialect'>,
  columns: readonly SqlColumn[],
  others: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  return dialect.can.returnRows ? sql` returning ${sql.join([returnedColumns(columns), ...others])}` : sql``
}

/** The alias of the written table in a statement. */
export const writtenAlias = 'written'

/** Returns the first row of a result; `null` if there is none. */
export function rowOf(columns: readonly SqlColumn[], { rows: [row] }: SqlResult): RowObject | null {
  const names = columns.map(({ property }) => property)
  return row === undefined ? null : Object.freeze(rowObject(names, rowDecoder(columns)(row)))
}

/** Encodes a value for a column. */
export function encodedValue({ codec }: SqlColumn, value: unknown): unknown {
  return value === null || value === undefined ? null : codec.encode(value)
}

/** A column, and the parameter with its new value. */
interface BoundColumn {
  readonly column: SqlColumn
  readonly slot: ParameterSlot
}

export function boundColumns(shape: StatementShape, set: ReadonlyMap<SqlColumn, unknown>): readonly BoundColumn[] {
  shape.addKeyPart(namesOf([...set.keys()]))
  return [...set].map(([column, value]) => ({ column, slot: shape.bind(encodedValue(column, value)) }))
}

/** Returns the condition that one of the columns has a value other than its new one. */
export function differencesOf(bound: readonly BoundColumn[], { spell }: SqlDialect): RawBuilder<unknown> {
  return sql.join(
    bound.map(({ column, slot }) => spell.differs(sql.id(writtenAlias, column.name), slot)),
    sql` or `,
  )
}

/** Returns the assignments of an update. */
export function changesOf(bound: readonly BoundColumn[]): RawBuilder<unknown> {
  return sql.join(bound.map(({ column, slot }) => sql`${sql.id(column.name)} = ${slot}`))
}

/** Returns the assignment that raises a column of integers by one, with a leading comma. */
export function raisedByOne({ name }: SqlColumn): RawBuilder<unknown> {
  return sql`, ${sql.id(name)} = coalesce(${sql.id(writtenAlias, name)}, 0) + 1`
}
