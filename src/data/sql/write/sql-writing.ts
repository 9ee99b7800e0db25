import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { RowObject } from '../../../resource/fields/field-spec.js'
import { rowObject } from '../../../rows/row-set.js'
import type { SqlResult, SqlStatement } from '../driver/sql-driver.js'
import { rowDecoder } from '../query/row-decoder.js'
import { namesOf } from '../query/wanted-columns.js'
import type { SqlColumn, SqlTable, SqlTables } from '../schema/sql-table.js'
import type { SqlRunOptions, SqlStore } from '../sql-store.js'
import type { ParameterSlot } from '../statement/statement-shape.js'
import { StatementShape } from '../statement/statement-shape.js'
import { tableReference } from '../statement/table-reference.js'

/** What the statements of one call of a persister are written and run with. */
export interface SqlWriting {
  readonly store: SqlStore
  readonly tables: SqlTables
  readonly occasion: SqlRunOptions
}

/** A part of a statement, written only when no call before had the same shape. */
export type WritePart = () => RawBuilder<unknown>

/**
 * Runs a statement that writes.
 *
 * @param read notes what the text depends on, binds the values, and answers how the text is written
 */
export function runWrite(
  { store, occasion }: SqlWriting,
  read: (shape: StatementShape) => WritePart,
): Promise<SqlResult> {
  return store.write(statementOf(store, read), occasion)
}

/** The same for one that only looks, such as for what stood against a write. */
export function runRead(
  { store, occasion }: SqlWriting,
  read: (shape: StatementShape) => WritePart,
): Promise<SqlResult> {
  return store.read(statementOf(store, read), occasion)
}

function statementOf({ statements, builder }: SqlStore, read: (shape: StatementShape) => WritePart): SqlStatement {
  const shape = new StatementShape()
  const text = read(shape)
  return statements.statement(shape, () => ({ compile: () => text().compile(builder) }))
}

/** Notes a table, and answers how it is named in the text. */
export function notedTable(shape: StatementShape, table: SqlTable): RawBuilder<unknown> {
  shape.addKeyPart(table.cacheKey)
  return tableReference(table)
}

/** The name of a table as a value, for what PostgreSQL tells of it. */
export function quotedName({ schema, name }: SqlTable): string {
  const parts = schema === null ? [name] : [schema, name]
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.')
}

export function columnNames(columns: readonly SqlColumn[], alias: string | null = null): RawBuilder<unknown> {
  return sql.join(columns.map(({ name }) => (alias === null ? sql.id(name) : sql.id(alias, name))))
}

/** What the table that is written is called in a statement. */
export const writtenAlias = 'written'

/** The first row of a result that has some columns; `null` where there is none. */
export function rowOf(columns: readonly SqlColumn[], { rows: [row] }: SqlResult): RowObject | null {
  const names = columns.map(({ property }) => property)
  return row === undefined ? null : Object.freeze(rowObject(names, rowDecoder(columns)(row)))
}

/** A value as it is stored in a column. */
export function encoded({ codec }: SqlColumn, value: unknown): unknown {
  return value === null || value === undefined ? null : codec.encode(value)
}

/** A column, and what stands for the value that it gets. */
interface BoundColumn {
  readonly column: SqlColumn
  readonly slot: ParameterSlot
}

export function boundColumns(shape: StatementShape, set: ReadonlyMap<SqlColumn, unknown>): readonly BoundColumn[] {
  shape.addKeyPart(namesOf([...set.keys()]))
  return [...set].map(([column, value]) => ({ column, slot: shape.bind(encoded(column, value)) }))
}

/** What an update sets. */
export function changesOf(bound: readonly BoundColumn[]): RawBuilder<unknown> {
  return sql.join(bound.map(({ column, slot }) => sql`${sql.id(column.name)} = ${slot}`))
}
