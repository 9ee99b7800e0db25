import type { SqlDriver } from '../driver/sql-driver.js'
import type { LiveTable, TableName } from './live-schema.js'
import { readPostgresTables } from './read-postgres-tables.js'
import { readSqliteTables } from './read-sqlite-tables.js'
import { tableText } from './table-model.js'

/** The tables and views of a database that are asked for, by `tableText` of the name that asks; those that are there. */
export type LiveSchema = ReadonlyMap<string, LiveTable>

export async function readLiveSchema(driver: SqlDriver, names: readonly TableName[]): Promise<LiveSchema> {
  const asked = [...new Map(names.map((name) => [tableText(name), name])).values()]
  if (asked.length === 0) return new Map()
  const found = await (driver.engine === 'postgres' ? readPostgresTables : readSqliteTables)(driver, asked)
  return new Map(found.map(({ asked: name, table }) => [tableText(name), table]))
}
