import type { ColumnValues } from '../../../resource/capabilities/persister.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { storedColumn } from '../schema/sql-table.js'
import type { NewRow, RowTarget, SetColumns } from './new-row.js'
import { liveColumn } from './new-row.js'
import type { RowBatch } from './row-source.js'

/** New rows in groups that one statement each can insert. */
interface RowGroups {
  readonly key: SqlColumn
  readonly groups: readonly RowBatch[]
}

/**
 * Groups new rows of a table. Returns `null` if they must be created one by one, because the returned rows could not be
 * matched with the given ones, or because a value would be stored differently.
 */
export function rowGroups(target: RowTarget, rows: readonly NewRow[]): RowGroups | null {
  const { table } = target
  const key = table.key === null ? undefined : table.columnOf.get(table.key)
  if (key === undefined) return null
  if (rows.some(({ isKeyGenerated }) => isKeyGenerated) && !mayUseSequence(target, key)) return null
  const groups = groupByColumns(table, rows)
  const isPossible = groups.every(
    ({ columns }) => columns.length > 0 && columns.every((column) => !isParsedDifferently(table, column)),
  )
  return isPossible ? { key, groups } : null
}

/** Returns whether the database may generate ascending keys. The insert reports whether it really used a sequence. */
function mayUseSequence({ table, dialect }: RowTarget, key: SqlColumn): boolean {
  const column = liveColumn(table, key)
  return column?.hasDefault === true && dialect.schema.mayCountKeys(table.live, column, key.type)
}

/**
 * PostgreSQL reads a number without a unit as hours in an `interval hour` of a JSON row, but as seconds in a parameter.
 */
function isParsedDifferently(table: SqlTable, column: SqlColumn): boolean {
  return /^interval [a-z]/.test(liveColumn(table, column)?.databaseType ?? '')
}

/**
 * Returns the columns that all rows set, if all of them set the same ones and the database may take their keys from a
 * sequence. It is a fast path for `rowGroups()`: most batches are like this, and need no maps. Returns `null` for other rows.
 */
export function columnsOfAll(
  target: RowTarget,
  rows: readonly ColumnValues[],
): { readonly key: SqlColumn; readonly columns: readonly SqlColumn[] } | null {
  const { type, table } = target
  const key = table.key === null ? undefined : table.columnOf.get(table.key)
  const names = Object.keys(rows[0] ?? {})
  if (key === undefined || names.length === 0 || !mayUseSequence(target, key)) return null
  const columns = names.map((name) => storedColumn(table, name))
  // Given keys have to be checked.
  const isGiven = columns.some((column) => column === key || column.property === type.id.column)
  if (isGiven || columns.some((column) => isParsedDifferently(table, column))) return null
  return rows.every((row) => setsAll(row, names)) ? { key, columns } : null
}

/** Returns whether a row sets exactly these properties, in this order. */
function setsAll(row: ColumnValues, names: readonly string[]): boolean {
  let index = 0
  for (const name in row) {
    if (name !== names[index] || row[name] === undefined) return false
    index += 1
  }
  return index === names.length
}

/**
 * Groups consecutive rows that one statement can insert. A column with a default is set in all rows of a group or in
 * none. Any other column is null where it is not set. The columns of a view count as columns with defaults, because the
 * table behind the view may have defaults that the view does not report.
 */
function groupByColumns(table: SqlTable, rows: readonly NewRow[]): readonly RowBatch[] {
  const { live, columns } = table
  const names = new Set(live.columns.filter(({ hasDefault }) => hasDefault || live.isView).map(({ name }) => name))
  const defaulted = new Set(columns.filter(({ name }) => names.has(name)))
  const groups: { readonly first: SetColumns; readonly set: Set<SqlColumn>; readonly sets: SetColumns[] }[] = []
  for (const { set } of rows) {
    const last = groups.at(-1)
    if (last === undefined || !setsSame(defaulted, last.first, set)) {
      groups.push({ first: set, set: new Set(set.keys()), sets: [set] })
    } else {
      last.sets.push(set)
      for (const column of set.keys()) last.set.add(column)
    }
  }
  return groups.map(({ set, sets }) => ({ table, columns: columns.filter((column) => set.has(column)), sets }))
}

function setsSame(columns: ReadonlySet<SqlColumn>, one: SetColumns, other: SetColumns): boolean {
  for (const column of columns) if (one.has(column) !== other.has(column)) return false
  return true
}
