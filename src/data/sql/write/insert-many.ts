import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SqlResult } from '../driver/sql-statement.js'
import { namesOf } from '../query/wanted-columns.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { StatementShape } from '../statement/statement-shape.js'
import { jsonRows } from './json-rows.js'
import type { SetColumns } from './new-row.js'
import type { SqlWriting, WritePart } from './sql-writing.js'
import { columnNames, encodedValue, addTable, quotedName, returnedColumns, runWrite } from './sql-writing.js'

/** Rows of a table that set the same columns, or leave them null. */
export interface ManyRows {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
  readonly sets: readonly SetColumns[]
  /** The key that the database generates in ascending order; `null` if the rows have keys. */
  readonly sequenceKey: SqlColumn | null
}

/**
 * Inserts rows by one statement, and returns all stored columns of each row. If PostgreSQL generates the keys, one more column contains
 * whether they come from a sequence. Returns `null` if the rows cannot be written by one statement.
 */
export async function insertMany(writing: SqlWriting, rows: ManyRows): Promise<SqlResult | null> {
  const { engine } = writing.store
  const json = engine.name === 'postgres' ? jsonRows(rows.columns, rows.sets) : null
  if (engine.name === 'postgres' && json === null) return null
  return runWrite(writing, (shape) => {
    shape.describe('insert many', rows.table)
    shape.addKeyPart(rows.sequenceKey === null ? 'insert many' : `insert many, counted by ${rows.sequenceKey.name}`)
    return json === null ? valuesInsert(shape, rows) : jsonInsert(shape, rows, json)
  })
}

/** The insert for PostgreSQL: one text for any number of rows. */
function jsonInsert(shape: StatementShape, { table, columns, sequenceKey }: ManyRows, json: string): WritePart {
  const into = addTable(shape, table)
  shape.addKeyPart(namesOf(columns))
  const given = shape.bind(json)
  const usesSequence = sequenceKey === null ? null : isFromSequence(shape, table, sequenceKey)
  return () => {
    const source = sql`json_populate_recordset(null::${into}, ${given}::json)`
    const from =
      usesSequence === null
        ? sql`${source} as given`
        : sql`${source} with ordinality as given order by given.ordinality`
    const sequenceColumn = usesSequence === null ? sql`` : sql`, ${usesSequence}`
    // As for one row: a column that is GENERATED ALWAYS AS IDENTITY accepts a given key only with this clause.
    return sql`insert into ${into} (${columnNames(columns)}) overriding system value
      select ${columnNames(columns, 'given')} from ${from} returning ${returnedColumns(table.stored)}${sequenceColumn}`
  }
}

/** Returns the condition that a column is an identity column, or that its default is the next value of a sequence. */
export function isFromSequence(shape: StatementShape, table: SqlTable, { name }: SqlColumn): RawBuilder<unknown> {
  const [of, column] = [shape.bind(quotedName(table)), shape.bind(name)]
  return sql`exists (
    select from pg_catalog.pg_attribute a
    left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    join pg_catalog.pg_sequence s on s.seqrelid = to_regclass(case when a.attidentity = ''
      then substring(pg_get_expr(d.adbin, d.adrelid) from '^nextval\\(''([^'']+)''::regclass\\)$')
      else pg_get_serial_sequence(${of}::text, ${column}::text) end)
    where a.attrelid = to_regclass(${of}::text) and a.attname = ${column}::text)`
}

/** The insert for SQLite: each value is a parameter. */
function valuesInsert(shape: StatementShape, { table, columns, sets }: ManyRows): WritePart {
  const into = addTable(shape, table)
  shape.addKeyPart(namesOf(columns))
  shape.addKeyPart(String(sets.length))
  const slots = sets.map((set) => columns.map((column) => shape.bind(encodedValue(column, set.get(column)))))
  return () => {
    const values = slots.map((row) => sql`(${sql.join(row.map((slot) => sql`${slot}`))})`)
    return sql`insert into ${into} (${columnNames(columns)}) values ${sql.join(values)} returning ${returnedColumns(table.stored)}`
  }
}
