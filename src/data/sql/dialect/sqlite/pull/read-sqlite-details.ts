import type { SqlDriver } from '../../../driver/sql-driver.js'
import { thrownMessage } from '../../../../../errors/describe-thrown.js'
import { readLiveSchema } from '../../../schema/read-live-schema.js'
import { checksIn } from './create-table-checks.js'
import type { UnreadableView } from '../../../schema/database-schema.js'
import type { SchemaDetails, TableDetails } from '../../../schema/table-details.js'

const listed = `
select l.name, l.type, s.sql
from pragma_table_list l left join sqlite_schema s on s.name = l.name and s.type in ('table', 'view')
where l.schema = 'main' and l.type in ('table', 'view', 'virtual') and l.name not like 'sqlite\\_%' escape '\\'
order by l.name`

const defaults = `
select l.name, c.name, c.dflt_value
from pragma_table_list l join pragma_table_xinfo(l.name, l.schema) c
where l.schema = 'main' and l.type = 'table' and c.dflt_value is not null`

/** A statement that fails if a table or column of a view does not exist any more. */
const columnsOf = `select 1 from pragma_table_xinfo(?, 'main') limit 1`

const kinds: Readonly<Record<string, TableDetails['kind']>> = { view: 'view', virtual: 'virtualTable' }

/** Reads the main schema. Attached files are other databases. */
export async function readSqliteDetails(driver: SqlDriver): Promise<SchemaDetails> {
  const read = async (sql: string): Promise<readonly (readonly unknown[])[]> =>
    (await driver.read({ sql, values: [], name: null }, { context: null })).rows
  const defaultRows = (await read(defaults)) as readonly (readonly [string, string, string])[]
  const all = (await read(listed)) as readonly ListedTable[]
  const unreadable = await unreadableViews(driver, all)
  const tables = all.filter(([name]) => !unreadable.some((view) => view.name === name))
  const live = await readLiveSchema(
    driver,
    tables.map(([name]) => ({ schema: null, name })),
  )
  const details = tables.map(
    ([name, type, sql]): TableDetails => ({
      name,
      kind: kinds[type] ?? 'table',
      comment: null,
      schema: null,
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
        schema: null,
        table: tables.find(([other]) => other.toLowerCase() === key.table.toLowerCase())?.[0] ?? key.table,
      })),
    }),
  )
  return { tables: details, unreadable }
}

type ListedTable = readonly [name: string, type: string, sql: string | null]

/** Finds views with missing tables or columns, which SQLite does not drop. A statement with such a view fails, even if it is about many tables. */
async function unreadableViews(driver: SqlDriver, tables: readonly ListedTable[]): Promise<readonly UnreadableView[]> {
  const unreadable: UnreadableView[] = []
  for (const [name, type] of tables) {
    if (type !== 'view') continue
    try {
      await driver.read({ sql: columnsOf, values: [name], name: null }, { context: null })
    } catch (thrown) {
      if (driver.faultOf(thrown) === null) throw thrown
      unreadable.push({ name, reason: thrownMessage(thrown) })
    }
  }
  return unreadable
}
