import { sql } from 'kysely'
import type { ColumnValues, RowReference } from '../../../resource/capabilities/persister.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { EngineName } from '../driver/sql-driver.js'
import { comparedColumn } from '../query/compared-column.js'
import type { Operand } from '../query/operands.js'
import { tableFor } from '../query/related-source.js'
import { sqlConditions } from '../query/sql-conditions.js'
import type { Binding, StatementBuild } from '../query/statement-build.js'
import { freshAliases } from '../query/statement-build.js'
import { bind, exists } from '../query/sql-parts.js'
import type { SqlColumn, SqlTable, SqlTables } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'
import type { StatementShape } from '../statement/statement-shape.js'
import { hasKey, keyOperands } from './key-condition.js'
import type { WritePart } from './sql-writing.js'
import { notedTable } from './sql-writing.js'

/** A row that a new one is to point at. */
export interface ReferencedRow {
  readonly target: ReferencedTable
  readonly operand: Operand
  /** What it has to meet besides. */
  readonly conditions: RowReference['conditions']
}

/** Where such rows are. */
export interface ReferencedTable {
  readonly type: CompiledType
  readonly table: SqlTable
  readonly column: SqlColumn
  /** `null` for what is no key of a row there, or where only the row itself shows its key. */
  readonly operandOf: (key: unknown) => Operand | null
}

interface Pointing {
  /** With the keys as rows of the types that are pointed at have them. */
  readonly values: ColumnValues
  readonly rows: readonly ReferencedRow[]
}

interface Place {
  readonly tables: SqlTables
  readonly engine: EngineName
}

const none: readonly ReferencedRow[] = Object.freeze([])

/** The rows that values point at. `null` where one cannot be there, or where only a look at it tells its key. */
export function referencedRows(
  references: readonly RowReference[],
  values: ColumnValues,
  place: Place,
): Pointing | null {
  if (references.length === 0) return { values, rows: none }
  // The columns one by one, since a spread costs several times as much.
  const keys: Record<string, unknown> = {}
  for (const column in values) if (Object.hasOwn(values, column)) keys[column] = values[column]
  const rows: ReferencedRow[] = []
  for (const reference of references) {
    const target = targetOf(reference.type, place)
    const operand = target.operandOf(values[reference.column])
    if (operand === null) return null
    keys[reference.column] = isWhole(target.column) ? wholeNumber(operand) : operand.value
    rows.push({ target, operand, conditions: reference.conditions })
  }
  return { values: keys, rows }
}

const targets = new WeakMap<CompiledType, ReferencedTable & Pick<Place, 'tables'>>()

/** Worked out once, as long as the tables stay as they are. */
function targetOf(type: CompiledType, { tables, engine }: Place): ReferencedTable {
  const known = targets.get(type)
  if (known?.tables === tables) return known
  const table = tableFor(tables, type)
  const column = columnOf(table, type.id.column)
  const operandOf = isShownAsHeld(table, column, engine) ? keyOperands(column, engine) : () => null
  const made = { tables, type, table, column, operandOf }
  targets.set(type, made)
  return made
}

/** Whether keys of rows are what a column holds, and nothing else is equal to one. */
function isShownAsHeld({ live }: SqlTable, column: SqlColumn, engine: EngineName): boolean {
  const { name, type, codec, mapping, expression } = column
  if (codec.decode !== null || mapping !== null || expression !== null) return false
  switch (type) {
    case 'integer':
    case 'bigint':
      return true
    case 'uuid':
      return engine === 'postgres'
    case 'text': {
      const held = live.columns.find((each) => each.name === name)?.databaseType ?? ''
      return engine === 'sqlite' || held === 'text' || held.startsWith('character varying')
    }
    default:
      return false
  }
}

function isWhole({ type }: SqlColumn): boolean {
  return type === 'integer' || type === 'bigint'
}

/** As drivers read it. */
function wholeNumber({ value }: Operand): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(String(value))
}

/** The values that its part of a statement takes. */
export function referenceValues({ target: { column }, operand: { value } }: ReferencedRow): readonly unknown[] {
  return column.type === 'text' ? [value, value] : [value]
}

/** Whether all of them are there, as a part of a statement. */
export function referencesExist(
  rows: readonly ReferencedRow[],
  looking: Omit<StatementBuild, 'shape'>,
): (shape: StatementShape) => WritePart {
  return (shape) => {
    const conditions = rows.map((row) => isThere(row, { ...looking, shape }))
    return () =>
      sql.join(
        conditions.map((condition) => condition()),
        sql` and `,
      )
  }
}

const pointed = 'pointed'

function isThere({ target, operand, conditions }: ReferencedRow, reading: StatementBuild): WritePart {
  const { type, table, column } = target
  const from = notedTable(reading.shape, table)
  const matches = hasKey(column, operand, reading)
  const isSame = column.type === 'text' ? sameText(column, operand, reading) : null
  const meets = conditions.length === 0 ? null : sqlConditions(conditions, { type, table, pivot: null }, reading)
  return () => {
    const at = { row: pointed, pivot: null, fresh: freshAliases() }
    const parts = [matches(pointed), ...(isSame === null ? [] : [isSame()]), ...(meets === null ? [] : [meets(at)])]
    return exists(sql`select 1 from ${from} as ${sql.id(pointed)} where ${sql.join(parts, sql` and `)}`, reading)
  }
}

/** A collation may take different texts for one: ids are the same only where all their characters are. */
function sameText(column: SqlColumn, operand: Operand, binding: Binding): WritePart {
  const compared = comparedColumn(column, { kind: null, isKey: true }, binding.engine)
  const bound = bind(operand, binding)
  return () => sql`${compared.inOrder(sql.id(pointed, column.name), false)} = ${bound()}`
}
