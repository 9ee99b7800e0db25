import { sql } from 'kysely'
import { thrownMessage } from '../../errors/describe-thrown.js'
import type { SqlDriver } from './driver/sql-driver.js'
import { columnReference } from './schema/column-reference.js'
import type { SqlColumn, SqlTable, SqlTables } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'
import { sqlBuilder } from './statement/engine.js'
import { tableReference } from './statement/table-reference.js'

/**
 * Reports computed columns whose expression the database rejects. Each expression is tried in a query with `limit 0`.
 */
export async function computedProblems(driver: SqlDriver, tables: SqlTables): Promise<readonly string[]> {
  const problems: string[] = []
  for (const table of tables.values()) {
    for (const column of table.computed) {
      const refusal = await refusalOf(driver, table, column)
      if (refusal === null) continue
      const name = tableText({ schema: table.schema, name: table.name })
      problems.push(`The database cannot compute '${column.property}' of the table '${name}': ${refusal}`)
    }
  }
  return [...new Set(problems)]
}

async function refusalOf(driver: SqlDriver, table: SqlTable, column: SqlColumn): Promise<string | null> {
  const query = sql`select ${columnReference(column, 't0')} from ${tableReference(table)} as ${sql.id('t0')} limit 0`
  const { sql: text, parameters } = query.compile(sqlBuilder(driver.engine))
  try {
    await driver.read({ sql: text, values: parameters, name: null }, { context: null })
    return null
  } catch (thrown) {
    const kind = driver.faultOf(thrown)?.kind
    if (kind !== 'other' && kind !== 'value') throw thrown
    return thrownMessage(thrown)
  }
}
