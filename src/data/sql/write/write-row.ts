import { sql } from 'kysely'
import { describeKey, keyIn } from '../../../resource/key-columns.js'
import type { RowObject } from '../../../resource/fields/field-spec.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { selectedReference } from '../schema/sql-table.js'
import { hasKey, keyOperand } from './key-condition.js'
import type { SetColumns } from './new-row.js'
import type { StatementShape } from '../statement/statement-shape.js'
import type { SqlWriting, WritePart } from './sql-writing.js'
import {
  boundColumns,
  changesOf,
  columnNames,
  addTable,
  returnedColumns,
  rowOf,
  runRead,
  runWrite,
  writtenAlias,
} from './sql-writing.js'

/**
 * Inserts a row, and returns it as stored.
 *
 * @param key the column to read the row again by
 */
export async function insertRow(
  writing: SqlWriting,
  { table, column: key }: Omit<KeyedRow, 'key'>,
  set: SetColumns,
): Promise<RowObject> {
  const result = await runWrite(writing, (shape) =>
    insertText(shape, { table, set, condition: null }, writing.store.engine),
  )
  const inserted = rowOf(table.stored, result)
  const row = inserted === null ? null : await asStored(writing, { table, column: key }, inserted)
  if (row === null) throw missingRowError(table)
  return row
}

/** A row to insert. */
interface InsertedRow {
  readonly table: SqlTable
  readonly set: SetColumns
  /** The condition for the insert: if it is false, nothing is inserted. */
  readonly condition: ((shape: StatementShape) => WritePart) | null
}

/** Writes the text of an insert. The statement returns the stored columns of the table. */
export function insertText(
  shape: StatementShape,
  { table, set, condition }: InsertedRow,
  engine: SqlDialect,
): WritePart {
  shape.describe('insert', table)
  shape.addKeyPart('insert')
  const into = addTable(shape, table)
  const bound = boundColumns(shape, set)
  const holds = condition === null ? null : condition(shape)
  return () => {
    const returning = sql`returning ${returnedColumns(table.stored)}`
    if (bound.length === 0) return sql`insert into ${into} default values ${returning}`
    const names = columnNames(bound.map(({ column }) => column))
    const values = sql.join(bound.map(({ slot }) => sql`${slot}`))
    // A column that is GENERATED ALWAYS AS IDENTITY accepts a given key only with this clause. It has no effect on
    // others.
    const overriding = engine.name === 'postgres' ? sql`overriding system value ` : sql``
    const row = holds === null ? sql`values (${values})` : sql`select ${values} where ${holds()}`
    return sql`insert into ${into} (${names}) ${overriding}${row} ${returning}`
  }
}

/** Returns the error for an insert that returned no row. */
function missingRowError({ name }: SqlTable): Error {
  return new Error(`The insert into '${name}' returned no row: a trigger or a rule of the database has skipped it.`)
}

/** A row of a table, by one of its keys. */
export interface KeyedRow {
  readonly table: SqlTable
  readonly column: SqlColumn
  readonly key: unknown
}

/** Sets columns of a row, and returns it as stored; `null` if it does not exist. */
export async function updateRow(
  writing: SqlWriting,
  { table, column, key }: KeyedRow,
  set: SetColumns,
): Promise<RowObject | null> {
  if (set.size === 0) return readRow(writing, { table, column, key })
  const { engine } = writing.store
  const operand = keyOperand(column, key, engine)
  if (operand === null) return null
  const result = await runWrite(writing, (shape) => {
    shape.describe('update', table)
    shape.addKeyPart('update')
    const target = addTable(shape, table)
    const bound = boundColumns(shape, set)
    const matches = hasKey(column, operand, { shape, engine })
    return () =>
      sql`update ${target} as ${sql.id(writtenAlias)} set ${changesOf(bound)} where ${matches(writtenAlias)} returning ${returnedColumns(table.stored)}`
  })
  expectOneRow(result.rows.length, { table, column })
  const row = rowOf(table.stored, result)
  return row === null ? null : asStored(writing, { table, column }, row)
}

/** Throws if a write has changed several rows: their key is not unique. The transaction is then rolled back. */
function expectOneRow(changes: number, { table, column }: Omit<KeyedRow, 'key'>): void {
  if (changes <= 1) return
  throw new Error(
    `A write to one row of '${table.name}' would have changed ${changes} rows: ${describeKey(column.property)} does not identify a row. Nothing was written.`,
  )
}

async function readRow(writing: SqlWriting, { table, column, key }: KeyedRow): Promise<RowObject | null> {
  const { engine } = writing.store
  const operand = keyOperand(column, key, engine)
  if (operand === null) return null
  const result = await runRead(writing, (shape) => {
    shape.describe('read written', table)
    shape.addKeyPart('select')
    const from = addTable(shape, table)
    const matches = hasKey(column, operand, { shape, engine })
    return () => {
      const columns = sql.join(table.columns.map((each) => selectedReference(each, writtenAlias)))
      return sql`select ${columns} from ${from} as ${sql.id(writtenAlias)} where ${matches(writtenAlias)}`
    }
  })
  return rowOf(table.columns, result)
}

/**
 * Reads a written row again if it has computed columns, whose expressions do not see the changes of the same statement,
 * or if triggers may have changed it since.
 */
async function asStored(
  writing: SqlWriting,
  { table, column }: Omit<KeyedRow, 'key'>,
  row: RowObject,
): Promise<RowObject | null> {
  return table.needsSecondRead ? readRow(writing, { table, column, key: keyIn(row, column.property) }) : row
}

/** Deletes a row. Returns whether it existed. */
export async function deleteRow(writing: SqlWriting, { table, column, key }: KeyedRow): Promise<boolean> {
  const { engine } = writing.store
  const operand = keyOperand(column, key, engine)
  if (operand === null) return false
  const { changes } = await runWrite(writing, (shape) => {
    shape.describe('delete', table)
    shape.addKeyPart('delete')
    const target = addTable(shape, table)
    const matches = hasKey(column, operand, { shape, engine })
    return () => sql`delete from ${target} as ${sql.id(writtenAlias)} where ${matches(writtenAlias)}`
  })
  expectOneRow(changes, { table, column })
  return changes > 0
}
