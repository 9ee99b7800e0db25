import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SqlResult } from '../driver/sql-driver.js'
import { namesOf } from '../query/wanted-columns.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { StatementShape } from '../statement/statement-shape.js'
import { jsonRows } from './json-rows.js'
import type { SetColumns } from './new-row.js'
import type { SqlWriting, WritePart } from './sql-writing.js'
import { columnNames, encoded, notedTable, quotedName, runWrite } from './sql-writing.js'

/** Rows of a table that set the same columns, or leave them null. */
export interface ManyRows {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
  readonly sets: readonly SetColumns[]
  /** The key that the database gives them by counting, in their order; `null` where they have keys. */
  readonly counted: SqlColumn | null
}

/**
 * Inserts rows by one statement, and answers all columns of each that the table holds. Of keys that PostgreSQL gives, one
 * more value says whether they come from a sequence. `null` for what cannot be written so.
 */
export async function insertMany(writing: SqlWriting, rows: ManyRows): Promise<SqlResult | null> {
  const { engine } = writing.store
  const json = engine === 'postgres' ? jsonRows(rows.columns, rows.sets) : null
  if (engine === 'postgres' && json === null) return null
  return runWrite(writing, (shape) => {
    shape.addKeyPart(rows.counted === null ? 'insert many' : `insert many, counted by ${rows.counted.name}`)
    return json === null ? valuesInsert(shape, rows) : jsonInsert(shape, rows, json)
  })
}

/** One text for any number of rows. */
function jsonInsert(shape: StatementShape, { table, columns, counted }: ManyRows, json: string): WritePart {
  const into = notedTable(shape, table)
  shape.addKeyPart(namesOf(columns))
  const given = shape.bind(json)
  const isCounted = counted === null ? null : isFromSequence(shape, table, counted)
  return () => {
    const source = sql`json_populate_recordset(null::${into}, ${given}::json)`
    const from =
      isCounted === null ? sql`${source} as given` : sql`${source} with ordinality as given order by given.ordinality`
    const told = isCounted === null ? sql`` : sql`, ${isCounted}`
    // As for one row: identities that are always generated take a key only so.
    return sql`insert into ${into} (${columnNames(columns)}) overriding system value
      select ${columnNames(columns, 'given')} from ${from} returning ${columnNames(table.stored)}${told}`
  }
}

/** Whether a column is an identity, or has the next number of a sequence for its default. */
function isFromSequence(shape: StatementShape, table: SqlTable, { name }: SqlColumn): RawBuilder<unknown> {
  const [of, column] = [shape.bind(quotedName(table)), shape.bind(name)]
  return sql`exists (
    select from pg_catalog.pg_attribute a
    left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    join pg_catalog.pg_sequence s on s.seqrelid = to_regclass(case when a.attidentity = ''
      then substring(pg_get_expr(d.adbin, d.adrelid) from '^nextval\\(''([^'']+)''::regclass\\)$')
      else pg_get_serial_sequence(${of}::text, ${column}::text) end)
    where a.attrelid = to_regclass(${of}::text) and a.attname = ${column}::text)`
}

/** SQLite takes each value in a place of its own. */
function valuesInsert(shape: StatementShape, { table, columns, sets }: ManyRows): WritePart {
  const into = notedTable(shape, table)
  shape.addKeyPart(namesOf(columns))
  shape.addKeyPart(String(sets.length))
  const slots = sets.map((set) => columns.map((column) => shape.bind(encoded(column, set.get(column)))))
  return () => {
    const values = slots.map((row) => sql`(${sql.join(row.map((slot) => sql`${slot}`))})`)
    return sql`insert into ${into} (${columnNames(columns)}) values ${sql.join(values)} returning ${columnNames(table.stored)}`
  }
}
