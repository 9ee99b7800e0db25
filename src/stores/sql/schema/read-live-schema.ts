import type { SqlDriver } from '../driver/sql-driver.js'
import type { LiveTable, TableName } from './live-schema.js'
import { tableText } from './table-model.js'

/** The requested tables and views that exist in the database, by `tableText` of the requested name. */
export type LiveSchema = ReadonlyMap<string, LiveTable>

export async function readLiveSchema(driver: SqlDriver, names: readonly TableName[]): Promise<LiveSchema> {
  const requested = [...new Map(names.map((name) => [tableText(name), name])).values()]
  if (requested.length === 0) return new Map()
  const found = await driver.dialect.schema.readTables(driver, requested)
  return new Map(found.map(({ requestedName: name, table }) => [tableText(name), table]))
}
