import { sql } from 'kysely'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { describeKey, keyIn } from '../../../declare/resource/parts/key-columns.js'
import type { SqlResult } from '../driver/sql-statement.js'
import type { Binding } from '../query/statement-build.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { partsOf } from '../schema/sql-table.js'
import type { SetColumns } from './statement-target.js'
import type { SqlWriting, WritePart } from './sql-writing.js'
import {
  boundColumns,
  changesOf,
  columnNames,
  hasKey,
  keyOperand,
  readRows,
  returningColumns,
  rowOf,
  runWrite,
  startStatement,
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
  const { dialect } = writing.store
  const result = await runWrite(writing, (_, binding) => insertText(binding, { table, set }))
  const inserted = rowOf(table.stored, result)
  const row = dialect.can.returnInserted
    ? inserted && (await asStored(writing, { table, column: key }, inserted))
    : await readRow(writing, insertedKey({ table, column: key }, set, result))
  if (row !== null) return row
  throw new Error(
    `The insert into '${table.name}' returned no row: a trigger or a rule of the database has skipped it.`,
  )
}

/** Returns the key of a row whose insert returned no row: a given one, or the one that the database has generated. */
function insertedKey({ table, column }: Omit<KeyedRow, 'key'>, set: SetColumns, { insertId }: SqlResult): KeyedRow {
  if (partsOf(column).every((part) => set.has(part))) {
    return { table, column, key: keyOfParts(column, (part) => set.get(part)) }
  }
  const generated = table.key === null ? undefined : table.columnOf.get(table.key)
  if (generated !== undefined && insertId !== undefined) {
    return { table, column: generated, key: set.get(generated) ?? insertId }
  }
  throw new Error(
    `The database does not report the key that it has generated for a new row of '${table.name}': let the server or the client choose the id.`,
  )
}

/** A row to insert. */
interface InsertedRow {
  readonly table: SqlTable
  readonly set: SetColumns
  /** The condition for the insert: if it is false, nothing is inserted. */
  readonly condition?: (() => WritePart) | null
  /** An expression that fails if the stored row must not be stored; see `rowCheck()`. */
  readonly check?: (() => WritePart | null) | null
}

/** Writes the text of an insert. The statement returns the stored columns of the table. */
export function insertText(
  { shape, dialect }: Binding,
  { table, set, condition = null, check = null }: InsertedRow,
): WritePart {
  const into = startStatement(shape, table, 'insert')
  const bound = boundColumns(shape, set)
  const holds = condition === null ? null : condition()
  const checked = check === null ? null : check()
  return () => {
    const returning = returningColumns(dialect.can.returnInserted, table.stored, checked === null ? [] : [checked()])
    if (bound.length === 0) return sql`insert into ${into} ${dialect.spell.defaultRow}${returning}`
    const names = columnNames(bound.map(({ column }) => column))
    const values = sql.join(bound.map(({ slot }) => sql`${slot}`))
    const row = holds === null ? sql`values (${values})` : sql`select ${values} where ${holds()}`
    return sql`insert into ${into} (${names}) ${dialect.spell.givenKeys}${row}${returning}`
  }
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
  const { dialect } = writing.store
  const operand = keyOperand(column, key, dialect)
  if (operand === null) return null
  const result = await runWrite(writing, (shape, binding) => {
    const target = startStatement(shape, table, 'update')
    const bound = boundColumns(shape, set)
    const matches = hasKey(column, operand, binding)
    return () =>
      sql`update ${target} as ${sql.id(writtenAlias)} set ${changesOf(bound)} where ${matches(writtenAlias)}${returningColumns(dialect.can.returnRows, table.stored)}`
  })
  if (!dialect.can.returnRows) return readUpdated(writing, { table, column, key }, set, result.changes)
  expectOneRow(result.rows.length, { table, column })
  const row = rowOf(table.stored, result)
  return row === null ? null : asStored(writing, { table, column }, row)
}

/** Reads a row whose update returned no row. The update may have changed its key. */
async function readUpdated(
  writing: SqlWriting,
  { table, column, key }: KeyedRow,
  set: SetColumns,
  changes: number,
): Promise<RowObject | null> {
  const isCounted = writing.store.dialect.can.countViewWrites || !table.live.isView
  if (isCounted && changes === 0) return null
  expectOneRow(changes, { table, column })
  const keys: readonly unknown[] = Array.isArray(key) ? key : [key]
  const changed = keyOfParts(column, (part, index) => (set.has(part) ? set.get(part) : keys[index]))
  return readRow(writing, { table, column, key: changed })
}

function keyOfParts(column: SqlColumn, valueOf: (part: SqlColumn, index: number) => unknown): unknown {
  return column.parts === undefined ? valueOf(column, 0) : column.parts.map(valueOf)
}

/** Throws if a write has changed several rows: their key is not unique. The transaction is then rolled back. */
function expectOneRow(changes: number, { table, column }: Omit<KeyedRow, 'key'>): void {
  if (changes <= 1) return
  throw new Error(
    `A write to one row of '${table.name}' would have changed ${changes} rows: ${describeKey(column.property)} does not identify a row. Nothing was written.`,
  )
}

async function readRow(writing: SqlWriting, { table, column, key }: KeyedRow): Promise<RowObject | null> {
  const operand = keyOperand(column, key, writing.store.dialect)
  if (operand === null) return null
  const { columns } = table
  const result = await readRows(writing, { table, columns, purpose: ['read written', 'select'] }, (binding) =>
    hasKey(column, operand, binding),
  )
  return rowOf(columns, result)
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
  const operand = keyOperand(column, key, writing.store.dialect)
  if (operand === null) return false
  const { changes } = await runWrite(writing, (shape, binding) => {
    const target = startStatement(shape, table, 'delete')
    const matches = hasKey(column, operand, binding)
    return () => binding.dialect.spell.deleteFrom({ target, alias: writtenAlias, condition: matches(writtenAlias) })
  })
  expectOneRow(changes, { table, column })
  return changes > 0
}
