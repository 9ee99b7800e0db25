import { sql } from 'kysely'
import type { BoundRowsSpelling } from '../dialect/spelling.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowCondition } from '../../../resource/querying/row-condition.js'
import type { RequestContext } from '../../../resource/request-context.js'
import type { SqlResult } from '../driver/sql-statement.js'
import { statementBuild } from '../query/statement-build.js'
import { namesOf } from '../query/wanted-columns.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { StatementShape } from '../statement/statement-shape.js'
import type { SetColumns } from './new-row.js'
import { rowCheck } from './row-check.js'
import type { SqlWriting, WritePart } from './sql-writing.js'
import { columnNames, encodedValue, addTable, returningColumns, runWrite } from './sql-writing.js'

/** Rows of a table that set the same columns, or leave them null. */
export interface ManyRows {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
  readonly sets: readonly SetColumns[]
  /** The key that the database generates in ascending order; `null` if the rows have keys. */
  readonly sequenceKey: SqlColumn | null
}

/**
 * Inserts rows by one statement, and returns all stored columns of each row, if the engine returns rows. If a sequence may
 * generate the keys, one more column contains whether it does. Returns `null` if the rows cannot be written by one statement.
 */
export async function insertMany(
  writing: SqlWriting,
  rows: ManyRows,
  checked: CheckedAs | null,
): Promise<SqlResult | null> {
  const { boundRows } = writing.store.dialect.spell
  const given = boundRows === null ? null : boundRows.valueOf(rows.columns, rows.sets, (set, column) => set.get(column))
  if (boundRows !== null && given === null) return null
  return runWrite(writing, (shape) => {
    shape.describe('insert many', rows.table)
    shape.addKeyPart(rows.sequenceKey === null ? 'insert many' : `insert many, counted by ${rows.sequenceKey.name}`)
    const check = checked === null ? null : checkOf(shape, checked, rows, writing)
    return boundRows === null || given === null
      ? valuesInsert(shape, rows, { writing, check })
      : boundInsert(shape, rows, { writing, check, boundRows, given })
  })
}

/** The conditions that the rows must meet as they are stored. If one does not, none is stored, and the statement fails. */
interface CheckedAs {
  readonly type: CompiledType
  readonly conditions: readonly RowCondition[]
  readonly context: RequestContext
}

function checkOf(
  shape: StatementShape,
  { type, conditions, context }: CheckedAs,
  { table }: ManyRows,
  { store, tables }: SqlWriting,
): WritePart | null {
  return rowCheck(conditions, { type, table }, { ...statementBuild(store, tables, context), shape })
}

interface ValuesInsert {
  readonly writing: SqlWriting
  readonly check: WritePart | null
}

interface BoundInsert extends ValuesInsert {
  readonly boundRows: BoundRowsSpelling
  /** The parameter with the rows. */
  readonly given: string
}

/** Returns an insert with one text for any number of rows. */
function boundInsert(
  shape: StatementShape,
  { table, columns, sequenceKey }: ManyRows,
  { writing, check, boundRows, given }: BoundInsert,
): WritePart {
  const { spell } = writing.store.dialect
  const into = addTable(shape, table)
  shape.addKeyPart(namesOf(columns))
  const slot = shape.bind(given)
  const usesSequence =
    sequenceKey === null ? null : (spell.sequence?.isUsed({ table, column: sequenceKey.name }, shape) ?? null)
  return () => {
    const others = [...(check === null ? [] : [check()]), ...(usesSequence === null ? [] : [usesSequence])]
    const returning = returningColumns(writing.store, table.stored, others)
    const from = boundRows.from(into, slot, sequenceKey !== null)
    const order = sequenceKey === null ? sql`` : sql` order by given.ordinality`
    return sql`insert into ${into} (${columnNames(columns)}) ${spell.givenKeys}select ${columnNames(columns, 'given')} from ${from}${order}${returning}`
  }
}

/** Returns an insert in which each value is a parameter. */
function valuesInsert(
  shape: StatementShape,
  { table, columns, sets }: ManyRows,
  { writing: { store }, check }: ValuesInsert,
): WritePart {
  const into = addTable(shape, table)
  shape.addKeyPart(namesOf(columns))
  shape.addKeyPart(String(sets.length))
  const slots = sets.map((set) => columns.map((column) => shape.bind(encodedValue(column, set.get(column)))))
  return () => {
    const values = slots.map((row) => sql`(${sql.join(row.map((slot) => sql`${slot}`))})`)
    return sql`insert into ${into} (${columnNames(columns)}) values ${sql.join(values)}${returningColumns(store, table.stored, check === null ? [] : [check()])}`
  }
}
