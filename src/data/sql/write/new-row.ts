import { randomUUID } from 'node:crypto'
import { ulid } from 'ulid'
import type { ColumnValues } from '../../../resource/capabilities/persister.js'
import { storeConflict } from '../../../resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { EngineName } from '../driver/sql-driver.js'
import type { Operand } from '../query/operands.js'
import type { LiveColumn } from '../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { storedColumn } from '../schema/sql-table.js'
import { keyOperands } from './key-condition.js'

/** What is set in a row, by its columns. */
export type SetColumns = ReadonlyMap<SqlColumn, unknown>

/** A row that is to be inserted. */
export interface NewRow {
  readonly set: SetColumns
  /** Whether the database gives the key. */
  readonly isKeyGiven: boolean
}

/** The columns of a new row. What is undefined is left out, so that the column has its default. */
export function newRow(type: CompiledType, table: SqlTable, values: ColumnValues, engine: EngineName): NewRow {
  const known = lastMade.get(table)
  if (known?.type === type) return known.rowOf(values)
  const rowOf = newRows(type, table, engine)
  lastMade.set(table, { type, rowOf })
  return rowOf(values)
}

/** How rows of a table were made last: of most there is one type, in a store of one engine. */
const lastMade = new WeakMap<
  SqlTable,
  { readonly type: CompiledType; readonly rowOf: (values: ColumnValues) => NewRow }
>()

/** The same for any number of rows: what holds for all of them is found out once. */
export function newRows(type: CompiledType, table: SqlTable, engine: EngineName): (values: ColumnValues) => NewRow {
  const key = table.key === null ? undefined : table.columnOf.get(table.key)
  const isMade = key !== undefined && !hasDefault(table, key)
  const check = keyCheck(type, table, engine)
  return (values) => {
    const set = new Map<SqlColumn, unknown>()
    for (const property in values) {
      const value = Object.hasOwn(values, property) ? values[property] : undefined
      if (value !== undefined) set.set(storedColumn(table, property), value)
    }
    if (key === undefined) return { set, isKeyGiven: false }
    if (set.get(key) === null) set.delete(key)
    const made = isMade && !set.has(key) ? madeKey(type, key) : undefined
    if (made !== undefined) set.set(key, made)
    check(set)
    return { set, isKeyGiven: !set.has(key) }
  }
}

/** Whether a new row has a key that nobody says: the database gives it, or the store makes it. */
export function isKeyMade(type: CompiledType, table: SqlTable, key: SqlColumn): boolean {
  return hasDefault(table, key) || madeKey(type, key) !== undefined
}

/** The columns that change. What is undefined becomes null. */
export function changedColumns(table: SqlTable, values: ColumnValues): SetColumns {
  return new Map(Object.entries(values).map(([property, value]) => [storedColumn(table, property), value ?? null]))
}

/** A key that the column cannot hold would be refused by the database, or be another key afterwards. */
export function checkKeys(type: CompiledType, table: SqlTable, set: SetColumns, engine: EngineName): void {
  keyCheck(type, table, engine)(set)
}

function keyCheck(type: CompiledType, table: SqlTable, engine: EngineName): (set: SetColumns) => void {
  const columns = [...new Set([type.id.column, table.key])].flatMap((property) => {
    const column = property === null ? undefined : table.columnOf.get(property)
    return column === undefined ? [] : [{ column, operandOf: keyOperands(column, engine) }]
  })
  return (set) => {
    for (const { column, operandOf } of columns) {
      const key = set.get(column)
      if (key === undefined || key === null) continue
      const operand = operandOf(key)
      if (operand === null || !fits(table, column, operand, engine)) {
        throw storeConflict({ kind: 'value', type: type.type, columns: [column.property] })
      }
    }
  }
}

/** The integers of PostgreSQL that are narrower than 64 bits, as all others are. */
const widths: ReadonlyMap<string | undefined, bigint> = new Map([
  ['smallint', 2n ** 15n],
  ['integer', 2n ** 31n],
])

function fits(table: SqlTable, column: SqlColumn, { value }: Operand, engine: EngineName): boolean {
  const databaseType = engine === 'postgres' ? liveColumn(table, column)?.databaseType : undefined
  if (column.type === 'text') return Array.from(String(value)).length <= longest(databaseType)
  if (column.type !== 'integer' && column.type !== 'bigint') return true
  const narrow = widths.get(databaseType)
  const [width, key] = [narrow ?? 2n ** 63n, BigInt(String(value))]
  return key >= -width && key < width
}

/** How many characters a text of PostgreSQL may have: SQLite takes them all. */
function longest(databaseType: string | undefined): number {
  const length = /^character(?: varying)?\((\d+)\)$/.exec(databaseType ?? '')?.[1]
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length)
}

function hasDefault(table: SqlTable, column: SqlColumn): boolean {
  return liveColumn(table, column)?.hasDefault ?? false
}

function liveColumn({ live }: SqlTable, { name }: SqlColumn): LiveColumn | undefined {
  return live.columns.find((column) => column.name === name)
}

/** Of the format that ids have, where the key is what they are made of. */
function madeKey({ id, model }: CompiledType, { property, type }: SqlColumn): unknown {
  const format = id.column === property && id.column === model?.key ? id.spec.format : null
  if (format === 'ulid') return ulid()
  return format === 'uuid' || type === 'uuid' ? randomUUID() : undefined
}
