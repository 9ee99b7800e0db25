import type { SqlDriver } from '../../../driver/sql-driver.js'
import type { ColumnType } from '../../../schema/column-type.js'
import type { SchemaColumn, SchemaTable } from '../../../schema/database-schema.js'
import { quotedName } from '../../../schema/quoted-name.js'

/**
 * Returns the columns of a view of SQLite with the types of their values. An expression in a view has no declared type, so a few
 * rows are read.
 */
export async function withSampledTypes(driver: SqlDriver, table: SchemaTable): Promise<readonly SchemaColumn[]> {
  if (table.kind !== 'view') return table.columns
  const columns: SchemaColumn[] = []
  for (const column of table.columns) {
    const isTyped = column.databaseType !== ''
    columns.push(isTyped ? column : { ...column, type: await sampledType(driver, table, column) })
  }
  return columns
}

async function sampledType(driver: SqlDriver, { name: table }: SchemaTable, column: SchemaColumn): Promise<ColumnType> {
  const name = quotedName(column.name)
  const sql = `select distinct typeof(value) from (select ${name} as value from ${quotedName(table)} where ${name} is not null limit 100)`
  try {
    const { rows } = await driver.read({ sql, values: [], name: null }, { context: null })
    const types = new Set(rows.map(([type]) => String(type)))
    if (types.size === 0 || types.has('text')) return 'text'
    if (types.has('blob')) return types.size === 1 ? 'bytes' : 'other'
    // A sum of whole numbers today may have a fraction tomorrow.
    return 'number'
  } catch (thrown) {
    if (driver.faultOf(thrown) === null) throw thrown
    return column.type
  }
}
