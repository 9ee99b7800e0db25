import type { SqlDriver } from '../../../driver/sql-driver.js'
import type { SchemaColumn, SchemaTable } from '../../../schema/database-schema.js'
import { quotedName } from '../../../schema/quoted-name.js'

/**
 * Returns whether a database of SQLite stores instants as `2026-01-31 12:00:00`: according to a default value, or to the first
 * stored value.
 */
export async function hasSpacedInstants(driver: SqlDriver, tables: readonly SchemaTable[]): Promise<boolean> {
  const columns = tables
    .filter(({ kind }) => kind === 'table')
    .flatMap((table) => table.columns.filter(({ type }) => type === 'instant').map((column) => ({ table, column })))
  if (columns.some(({ column }) => isSpacedDefault(column))) return true
  for (const { table, column } of columns) {
    const name = quotedName(column.name)
    const sql = `select ${name} from ${quotedName(table.name)} where typeof(${name}) = 'text' limit 1`
    const { rows } = await driver.read({ sql, values: [], name: null }, { context: null })
    const [row] = rows
    if (row !== undefined) return /^\d{4}-\d\d-\d\d \d\d:/.test(String(row[0]))
  }
  return false
}

function isSpacedDefault({ defaultText }: SchemaColumn): boolean {
  return defaultText !== null && /current_timestamp|datetime\s*\(|%Y-%m-%d %H/i.test(defaultText)
}
