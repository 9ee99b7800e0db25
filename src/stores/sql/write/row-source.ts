import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SqlDialect } from '../dialect/dialect.js'
import type { Binding } from '../query/statement-build.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { encodedValue, namesOf } from '../schema/sql-table.js'
import type { SetColumns } from './statement-target.js'
import { addTable, columnNames } from './sql-writing.js'

/** Rows of one table that set the same columns, or leave them null. */
export interface RowBatch {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
  readonly sets: readonly SetColumns[]
}

/** The parts of a statement that contain rows of values, under the alias `given`. */
interface RowSource {
  /** Returns the common table expression before the statement; empty if there is none. */
  before(): RawBuilder<unknown>
  /** Returns the source of an insert, in the order of the rows if `isNumbered`. */
  insertedRows(isNumbered?: boolean): RawBuilder<unknown>
  /** Returns the `from` item of an update. */
  from(): RawBuilder<unknown>
}

/** Returns the rows as one parameter value; null if the engine has none, or if it cannot hold a value. */
export function boundValue({ columns, sets }: RowBatch, { spell }: SqlDialect): string | null {
  return spell.boundRows?.valueOf(columns, sets, (set, column) => set.get(column)) ?? null
}

/**
 * Binds rows to a statement: as one value, which the database converts to the column types of the table, so that one
 * statement text works for any number of rows; or else each value as a parameter.
 */
export function rowSource(
  { shape, dialect }: Binding,
  { table, columns, sets }: RowBatch,
  value: string | null,
): RowSource {
  shape.addKeyPart(namesOf(columns))
  const { boundRows } = dialect.spell
  if (boundRows !== null && value !== null) {
    const type = addTable(shape, table)
    const slot = shape.bind(value)
    return {
      before: () => sql``,
      insertedRows(isNumbered = false) {
        const order = isNumbered ? sql` order by given.ordinality` : sql``
        return sql`select ${columnNames(columns, 'given')} from ${boundRows.from(type, slot, isNumbered)}${order}`
      },
      from: () => boundRows.from(type, slot),
    }
  }
  shape.addKeyPart(String(sets.length))
  if (!isCommonSize(sets.length)) shape.neverCache()
  const slots = sets.map((set) => columns.map((column) => shape.bind(encodedValue(column, set.get(column)))))
  const values = (): RawBuilder<unknown> =>
    sql`values ${sql.join(slots.map((row) => sql`(${sql.join(row.map((slot) => sql`${slot}`))})`))}`
  const names = columns.map(({ name }) => name)
  const given = () => dialect.spell.valueRows(names, slots)
  return {
    before: () => given().before,
    insertedRows: values,
    from: () => given().from,
  }
}

/**
 * Returns whether the text for a number of rows is cached: for few rows, full batches, and the powers of two in which rows are created.
 * There would be a text for each other number of rows.
 */
function isCommonSize(count: number): boolean {
  return count <= maxCachedRows || count === fullBatch || (count & (count - 1)) === 0
}

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
  { spell, limits }: SqlDialect,
): readonly (readonly Row[])[] {
  const batchSize = spell.boundRows === null ? Math.min(fullBatch, Math.floor(limits.parameters / width)) : rows.length
  const batches: (readonly Row[])[] = []
  for (let start = 0; start < rows.length; start += batchSize) batches.push(rows.slice(start, start + batchSize))
  return batches
}
