import type { SqlDriver } from '../../data/sql/driver/sql-driver.js'
import { readLiveSchema } from '../../data/sql/schema/read-live-schema.js'
import { checksIn } from './create-table-checks.js'
import type { TableDetails } from './table-details.js'

const listed = `
select l.name, l.type, s.sql
from pragma_table_list l left join sqlite_schema s on s.name = l.name and s.type in ('table', 'view')
where l.schema = 'main' and l.type in ('table', 'view', 'virtual') and l.name not like 'sqlite\\_%' escape '\\'
order by l.name`

const defaults = `
select l.name, c.name, c.dflt_value
from pragma_table_list l join pragma_table_xinfo(l.name, l.schema) c
where l.schema = 'main' and c.dflt_value is not null`

const kinds: Readonly<Record<string, TableDetails['kind']>> = { view: 'view', virtual: 'virtualTable' }

/** Reads the main schema: attached files are databases of their own. */
export async function readSqliteDetails(driver: SqlDriver): Promise<readonly TableDetails[]> {
  const read = async (sql: string): Promise<readonly (readonly unknown[])[]> =>
    (await driver.read({ sql, values: [], name: null }, { context: null })).rows
  const defaultRows = (await read(defaults)) as readonly (readonly [string, string, string])[]
  const tables = (await read(listed)) as readonly (readonly [string, string, string | null])[]
  const live = await readLiveSchema(
    driver,
    tables.map(([name]) => ({ schema: null, name })),
  )
  return tables.map(([name, type, sql]) => ({
    name,
    kind: kinds[type] ?? 'table',
    comment: null,
    partitionOf: null,
    inherits: [],
    checks: type === 'table' && sql !== null ? checksIn(sql) : [],
    otherIndexes: new Set<string>(),
    columns: Object.fromEntries(
      defaultRows.filter(([table]) => table === name).map(([, column, text]) => [column, { defaultText: text }]),
    ),
    // SQLite compares the names of tables without case.
    foreignKeys: (live.get(name)?.foreignKeys ?? []).map((key) => ({
      ...key,
      table: tables.find(([other]) => other.toLowerCase() === key.table.toLowerCase())?.[0] ?? key.table,
    })),
  }))
}
