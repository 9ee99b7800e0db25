import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { namesOf } from '../query/wanted-columns.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { StatementShape } from '../statement/statement-shape.js'
import type { SqlWriting } from './sql-writing.js'
import { columnNames, encodedValue, addTable } from './sql-writing.js'

/** The values of a row by column. */
export type RowValues = ReadonlyMap<SqlColumn, unknown>

/** The parts of a statement that contain rows of values, under the alias `given`. */
interface RowSource {
  /** Returns the common table expression before the statement; empty if there is none. */
  before(): RawBuilder<unknown>
  /** Returns the source of an insert. */
  insertedRows(): RawBuilder<unknown>
  /** Returns the `from` item of an update. */
  from(): RawBuilder<unknown>
}

interface RowBatch {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
  readonly rows: readonly RowValues[]
}

/**
 * Binds rows to a statement: as one JSON text, which the database converts to the column types of the table, so that one
 * statement text works for any number of rows; or else each value as a parameter.
 */
export function rowSource(
  shape: StatementShape,
  { table, columns, rows }: RowBatch,
  { store: { dialect } }: SqlWriting,
): RowSource {
  shape.addKeyPart(namesOf(columns))
  const { boundRows } = dialect.spell
  if (boundRows !== null) {
    const type = addTable(shape, table)
    const slot = shape.bind(JSON.stringify(rows.map((row) => jsonRow(row))))
    const source = (): RawBuilder<unknown> => boundRows.from(type, slot)
    return {
      before: () => sql``,
      insertedRows: () => sql`select ${columnNames(columns, 'given')} from ${source()}`,
      from: source,
    }
  }
  shape.addKeyPart(String(rows.length))
  if (rows.length > maxCachedRows && rows.length !== fullBatch) shape.neverCache()
  const slots = rows.map((row) => columns.map((column) => shape.bind(encodedValue(column, row.get(column)))))
  const values = (): RawBuilder<unknown> =>
    sql`values ${sql.join(slots.map((row) => sql`(${sql.join(row.map((slot) => sql`${slot}`))})`))}`
  return {
    before: () => sql`with given (${columnNames(columns)}) as (${values()}) `,
    insertedRows: values,
    from: () => sql`given`,
  }
}

/**
 * Statement texts for more rows are not cached: there would be one for each number of rows. Only the text of a full batch
 * is.
 */
const maxCachedRows = 8

/**
 * The number of rows in one statement in which each value is a parameter. Writing its text takes about ten milliseconds, and running it a few.
 * During that time, nothing else runs.
 */
export const fullBatch = 1000

/** Splits rows into batches of the size of one statement. */
export function batchesOf<Row>(
  rows: readonly Row[],
  width: number,
  { store: { dialect } }: SqlWriting,
): readonly (readonly Row[])[] {
  const { spell, limits } = dialect
  const batchSize = spell.boundRows === null ? Math.min(fullBatch, Math.floor(limits.parameters / width)) : rows.length
  const batches: (readonly Row[])[] = []
  for (let start = 0; start < rows.length; start += batchSize) batches.push(rows.slice(start, start + batchSize))
  return batches
}

function jsonRow(row: RowValues): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...row].map(([column, value]) => [column.name, jsonValue(column, encodedValue(column, value))]),
  )
}

/**
 * Returns a value for the JSON text. JSON columns are embedded as JSON. Values without a JSON form become text that
 * the database parses.
 */
function jsonValue(column: SqlColumn, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => jsonValue(column, member))
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  switch (typeof value) {
    case 'bigint':
      return String(value)
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'string':
      return column.type === 'json' ? (JSON.parse(value) as unknown) : value
    default:
      return value
  }
}
