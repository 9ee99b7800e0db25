import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { namesOf } from '../query/wanted-columns.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { StatementShape } from '../statement/statement-shape.js'
import type { SqlWriting } from './sql-writing.js'
import { columnNames, encoded, notedTable } from './sql-writing.js'

/** Values by their columns. */
export type GivenRow = ReadonlyMap<SqlColumn, unknown>

/** Rows of values, as a statement brings them: under the name `given`. */
interface Given {
  /** What stands before the statement. */
  before(): RawBuilder<unknown>
  /** What an insert takes. */
  inserted(): RawBuilder<unknown>
  /** What an update takes values from. */
  from(): RawBuilder<unknown>
}

interface Rows {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
  readonly rows: readonly GivenRow[]
}

/**
 * PostgreSQL takes rows as one JSON text, whose members are read as the columns of the table are, so that one statement
 * serves any number of them. SQLite, which would round numbers on that way, takes each value in a place of its own.
 */
export function givenRows(
  shape: StatementShape,
  { table, columns, rows }: Rows,
  { store: { engine } }: SqlWriting,
): Given {
  shape.addKeyPart(namesOf(columns))
  if (engine === 'postgres') {
    const type = notedTable(shape, table)
    const slot = shape.bind(JSON.stringify(rows.map((row) => jsonRow(row))))
    const source = (): RawBuilder<unknown> => sql`json_populate_recordset(null::${type}, ${slot}::json) as given`
    return {
      before: () => sql``,
      inserted: () => sql`select ${columnNames(columns, 'given')} from ${source()}`,
      from: source,
    }
  }
  shape.addKeyPart(String(rows.length))
  if (rows.length > mostCached) shape.neverCache()
  const slots = rows.map((row) => columns.map((column) => shape.bind(encoded(column, row.get(column)))))
  const values = (): RawBuilder<unknown> =>
    sql`values ${sql.join(slots.map((row) => sql`(${sql.join(row.map((slot) => sql`${slot}`))})`))}`
  return {
    before: () => sql`with given (${columnNames(columns)}) as (${values()}) `,
    inserted: values,
    from: () => sql`given`,
  }
}

/** Texts for more rows than this are written anew: there would be one for each number. */
const mostCached = 8

/** As many values as SQLite has places for in a statement. */
const mostPlaces = 32_766

/** The rows in parts that one statement can take each. */
export function partsOf<Row>(
  rows: readonly Row[],
  width: number,
  { store: { engine } }: SqlWriting,
): readonly (readonly Row[])[] {
  const most = engine === 'postgres' ? rows.length : Math.floor(mostPlaces / width)
  const parts: (readonly Row[])[] = []
  for (let start = 0; start < rows.length; start += most) parts.push(rows.slice(start, start + most))
  return parts
}

function jsonRow(row: GivenRow): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...row].map(([column, value]) => [column.name, jsonValue(column, encoded(column, value))]))
}

/** JSON is part of the text as it is; what it has no form for is written as PostgreSQL reads it. */
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
