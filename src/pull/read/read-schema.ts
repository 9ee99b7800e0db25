import type { PullRules } from '../../data/sql/dialect/pull-rules.js'
import type { SqlDriver } from '../../data/sql/driver/sql-driver.js'
import { readLiveSchema } from '../../data/sql/schema/read-live-schema.js'
import type { DatabaseSchema, SchemaTable } from '../../data/sql/schema/database-schema.js'
import type { TableDetails } from '../../data/sql/schema/table-details.js'
import { viewKeyOf } from './view-key.js'

/**
 * Reads all tables and views of a schema.
 *
 * @param schema null for the first one of the search path
 */
export async function readSchema(engine: PullRules, driver: SqlDriver, schema: string | null): Promise<DatabaseSchema> {
  const { tables: details, unreadable } = await engine.readDetails(driver, schema)
  const names = details.map(({ name }) => ({ schema, name }))
  const live = await readLiveSchema(driver, names)
  const tables: SchemaTable[] = []
  for (const detail of details) {
    const found = live.get(schema === null ? detail.name : `${schema}.${detail.name}`)
    if (found === undefined) continue
    const columns = found.columns.map((column) => ({ ...column, ...columnDetails(detail, column.name) }))
    const table = { ...found, ...tableDetails(detail), columns, viewKey: null }
    const typed = { ...table, columns: await engine.typedColumns(driver, table) }
    tables.push({ ...typed, viewKey: await viewKeyOf(driver, typed, { tables: [...live.values()], engine }) })
  }
  return {
    engine: driver.dialect.name,
    schema,
    tables,
    unreadable,
    hasSpacedInstants: await engine.hasSpacedInstants(driver, tables),
  }
}

function columnDetails({ columns }: TableDetails, name: string) {
  const { defaultText = null, domainChecks = [], comment = null } = columns[name] ?? {}
  return { defaultText, domainChecks, comment }
}

function tableDetails({ columns: _columns, ...details }: TableDetails) {
  return details
}
