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

/** A row that a written row refers to. */
export interface ReferencedRow {
  readonly target: ReferencedTable
  readonly operand: Operand
  /** Further conditions that it has to meet. */
  readonly conditions: RowReference['conditions']
}

/** The table of referenced rows of a type. */
export interface ReferencedTable {
  readonly type: CompiledType
  readonly table: SqlTable
  readonly column: SqlColumn
  /**
   * Converts a key to an operand; `null` if the column cannot hold it, or if the row has to be read to know its key.
   */
  readonly operandOf: (key: unknown) => Operand | null
}

interface ReferencingValues {
  /** The values, with the keys in the form of the referenced rows. */
  readonly values: ColumnValues
  readonly rows: readonly ReferencedRow[]
}

interface TablesContext {
  readonly tables: SqlTables
  readonly engine: EngineName
}

const none: readonly ReferencedRow[] = Object.freeze([])

/**
 * Returns the rows that values refer to. Returns `null` if one cannot exist, or if a row has to be read to know its
 * key.
 */
export function referencedRows(
  references: readonly RowReference[],
  values: ColumnValues,
  context: TablesContext,
): ReferencingValues | null {
  if (references.length === 0) return { values, rows: none }
  // Copies the columns in a loop, because a spread costs several times as much.
  const keys: Record<string, unknown> = {}
  for (const column in values) if (Object.hasOwn(values, column)) keys[column] = values[column]
  const rows: ReferencedRow[] = []
  for (const reference of references) {
    const target = targetOf(reference.type, context)
    const operand = target.operandOf(values[reference.column])
    if (operand === null) return null
    keys[reference.column] = isInteger(target.column) ? integerOf(operand) : operand.value
    rows.push({ target, operand, conditions: reference.conditions })
  }
  return { values: keys, rows }
}

const targets = new WeakMap<CompiledType, ReferencedTable & Pick<TablesContext, 'tables'>>()

/** Returns the cached table of a type. The cache is valid as long as the tables are the same. */
function targetOf(type: CompiledType, { tables, engine }: TablesContext): ReferencedTable {
  const cached = targets.get(type)
  if (cached?.tables === tables) return cached
  const table = tableFor(tables, type)
  const column = columnOf(table, type.id.column)
  const operandOf = isKeyComparable(table, column, engine) ? keyOperands(column, engine) : () => null
  const target = { tables, type, table, column, operandOf }
  targets.set(type, target)
  return target
}

/** Whether the stored value of a column is the key itself, and only equal keys compare as equal. */
function isKeyComparable({ live }: SqlTable, column: SqlColumn, engine: EngineName): boolean {
  const { name, type, codec, mapping, expression, parts } = column
  if (codec.decode !== null || mapping !== null || expression !== null || parts !== undefined) return false
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

function isInteger({ type }: SqlColumn): boolean {
  return type === 'integer' || type === 'bigint'
}

/** Returns an integer in the form that drivers return. */
function integerOf({ value }: Operand): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(String(value))
}

/** Returns the parameters of the statement part that looks up a referenced row. */
export function referenceValues({ target: { column }, operand: { value } }: ReferencedRow): readonly unknown[] {
  return column.type === 'text' ? [value, value] : [value]
}

/** Returns the statement part that is true if all referenced rows exist. */
export function referencesExist(
  rows: readonly ReferencedRow[],
  build: Omit<StatementBuild, 'shape'>,
): (shape: StatementShape) => WritePart {
  return (shape) => {
    const conditions = rows.map((row) => referenceExists(row, { ...build, shape }))
    return () =>
      sql.join(
        conditions.map((condition) => condition()),
        sql` and `,
      )
  }
}

const referencedAlias = 'pointed'

function referenceExists({ target, operand, conditions }: ReferencedRow, build: StatementBuild): WritePart {
  const { type, table, column } = target
  const from = notedTable(build.shape, table)
  const matches = hasKey(column, operand, build)
  const isSame = column.type === 'text' ? sameText(column, operand, build) : null
  const meets = conditions.length === 0 ? null : sqlConditions(conditions, { type, table, pivot: null }, build)
  return () => {
    const at = { row: referencedAlias, pivot: null, fresh: freshAliases() }
    const parts = [
      matches(referencedAlias),
      ...(isSame === null ? [] : [isSame()]),
      ...(meets === null ? [] : [meets(at)]),
    ]
    return exists(sql`select 1 from ${from} as ${sql.id(referencedAlias)} where ${sql.join(parts, sql` and `)}`, build)
  }
}

/**
 * Returns an exact text comparison: a collation may treat different texts as equal, but ids must be equal in every
 * character.
 */
function sameText(column: SqlColumn, operand: Operand, binding: Binding): WritePart {
  const compared = comparedColumn(column, { kind: null, isKey: true }, binding.engine)
  const bound = bind(operand, binding)
  return () => sql`${compared.inOrder(sql.id(referencedAlias, column.name), false)} = ${bound()}`
}
