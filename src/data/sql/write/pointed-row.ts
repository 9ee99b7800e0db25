import { sql } from 'kysely'
import type { ColumnValues, RowReference } from '../../../resource/capabilities/persister.js'
import type { EngineName } from '../driver/sql-driver.js'
import { comparedColumn } from '../query/compared-column.js'
import type { Operand } from '../query/operands.js'
import { tableFor } from '../query/reach.js'
import { bind } from '../query/written-parts.js'
import type { SqlColumn, SqlTable, SqlTables } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'
import type { Shape } from '../statement/shape.js'
import { hasKey, keyOperand } from './key-condition.js'
import type { Text } from './sql-writing.js'
import { notedTable } from './sql-writing.js'

/** A row that a new one is to point at. */
interface PointedRow {
  readonly table: SqlTable
  readonly column: SqlColumn
  readonly operand: Operand
}

interface Pointing {
  /** With the keys as rows of the types that are pointed at have them. */
  readonly values: ColumnValues
  readonly rows: readonly PointedRow[]
}

/** The rows that values point at. `null` where one cannot be there, or where only a look at it tells its key. */
export function pointedRows(
  references: readonly RowReference[],
  values: ColumnValues,
  { tables, engine }: { readonly tables: SqlTables; readonly engine: EngineName },
): Pointing | null {
  if (references.length === 0) return { values, rows: [] }
  const keys: Record<string, unknown> = { ...values }
  const rows: PointedRow[] = []
  for (const { column: property, type } of references) {
    const table = tableFor(tables, type)
    const column = columnOf(table, type.id.column)
    const operand = isShownAsHeld(table, column, engine) ? keyOperand(column, values[property], engine) : null
    if (operand === null) return null
    keys[property] = column.type === 'integer' || column.type === 'bigint' ? wholeNumber(operand) : operand.value
    rows.push({ table, column, operand })
  }
  return { values: keys, rows }
}

/** Whether keys of rows are what a column holds, and what is equal to one is the same. */
function isShownAsHeld(
  { live }: SqlTable,
  { name, type, codec, mapping, expression }: SqlColumn,
  engine: EngineName,
): boolean {
  if (codec.decode !== null || mapping !== null || expression !== null) return false
  switch (type) {
    case 'integer':
    case 'bigint':
      return true
    case 'uuid':
      return engine === 'postgres'
    case 'text': {
      const held = live.columns.find((column) => column.name === name)?.databaseType ?? ''
      return engine === 'sqlite' || held === 'text' || held.startsWith('character varying')
    }
    default:
      return false
  }
}

/** As drivers read it. */
function wholeNumber({ value }: Operand): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(String(value))
}

/** Whether all of them are there, as a part of a statement. */
export function areThere(rows: readonly PointedRow[], engine: EngineName): (shape: Shape) => Text {
  return (shape) => {
    const conditions = rows.map((row) => isThere(row, { shape, engine }))
    return () =>
      sql.join(
        conditions.map((condition) => condition()),
        sql` and `,
      )
  }
}

function isThere(
  { table, column, operand }: PointedRow,
  binding: { readonly shape: Shape; readonly engine: EngineName },
): Text {
  const from = notedTable(binding.shape, table)
  const matches = hasKey(column, operand, binding)
  const isSame = column.type === 'text' ? sameText(column, operand, binding) : null
  return () => {
    const condition = isSame === null ? matches(pointed) : sql`${matches(pointed)} and ${isSame()}`
    return sql`exists (select 1 from ${from} as ${sql.id(pointed)} where ${condition})`
  }
}

const pointed = 'pointed'

/** A collation may take different texts for one: ids are the same only where all their characters are. */
function sameText(
  column: SqlColumn,
  operand: Operand,
  binding: { readonly shape: Shape; readonly engine: EngineName },
): Text {
  const compared = comparedColumn(column, { kind: null, isKey: true }, binding.engine)
  const bound = bind(operand, binding)
  return () => sql`${compared.inOrder(sql.id(pointed, column.name), false)} = ${bound()}`
}
