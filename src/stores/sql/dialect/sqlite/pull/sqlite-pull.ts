import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { thrownMessage } from '../../../../../core/errors/describe-thrown.js'
import type { SqlDriver } from '../../../driver/sql-driver.js'
import { readRows } from '../../../driver/sql-statement.js'
import type { ColumnType } from '../../../schema/column-type.js'
import type {
  SchemaColumn,
  SchemaDetails,
  SchemaTable,
  TableDetails,
  UnreadableView,
} from '../../../schema/database-schema.js'
import { quotedName } from '../../../schema/quoted-name.js'
import type { PullRules } from '../../pull-rules.js'
import { OpenError } from '../../pull-rules.js'
import { openSqlite } from '../driver/open-sqlite.js'
import { contentOf, tokensOf } from '../schema/sql-tokens.js'

export const sqlitePull: PullRules = Object.freeze<PullRules>({
  name: 'sqlite',
  title: 'SQLite',
  namesSchemas: false,
  withoutTables: '',
  packages: ['@photostructure/sqlite', 'node:sqlite', 'better-sqlite3'],
  /** The path of a file may look like anything. */
  accepts: () => true,
  async open(address) {
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(address) && !address.startsWith('file:')) {
      const [scheme] = address.split(':')
      throw new OpenError(`'${scheme}' is not a known kind of database: use postgres:// or an SQLite file.`)
    }
    const file = address.startsWith('file:') ? fileURLToPath(address) : resolve(address)
    if (!existsSync(file) || !statSync(file).isFile()) throw new OpenError(`There is no file '${address}'.`)
    // Opened as read-only, because the store would change the file to a write-ahead log.
    const opened = await openSqlite(file, { isReadOnly: true })
    if (opened.database === null) throw new OpenError(opened.remedy)
    const { database, package: name } = opened
    return { database, package: name, file, close: async () => void database.close() }
  },
  readOrigin(_driver, { file, schemas }) {
    const other = schemas.find((schema) => schema !== 'main')
    if (other !== undefined) {
      const message = `An SQLite file has only the schema 'main', not '${other}'. Leave out --schema.`
      return Promise.reject(new OpenError(message))
    }
    return Promise.resolve({ engine: 'sqlite', name: basename(file ?? '') })
  },
  readDetails: readSqliteDetails,
  typedColumns: withSampledTypes,
  hasSpacedInstants,
  serverLines({ package: name, file }) {
    const isBetter = name === 'better-sqlite3'
    return {
      imports: [[isBetter ? `import Database from '${name}'` : `import { DatabaseSync } from '${name}'`], []],
      open: [
        `const connection = new ${isBetter ? 'Database' : 'DatabaseSync'}(process.env['DATABASE_FILE'] ?? ${file}, { timeout: 5000 })`,
      ],
      close: ['  async close() {', '    data.close()', '    connection.close()', '  },'],
      options: [],
    }
  },
})

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
async function readSqliteDetails(driver: SqlDriver): Promise<SchemaDetails> {
  const defaultRows = (await readRows(driver, defaults)) as readonly (readonly [string, string, string])[]
  const all = (await readRows(driver, listed)) as readonly ListedTable[]
  const unreadable = await unreadableViews(driver, all)
  const tables = all.filter(([name]) => !unreadable.some((view) => view.name === name))
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
      await readRows(driver, columnsOf, [name])
    } catch (thrown) {
      if (driver.faultOf(thrown) === null) throw thrown
      unreadable.push({ name, reason: thrownMessage(thrown) })
    }
  }
  return unreadable
}

/** Returns the expressions of the checks in a `create table` statement, because SQLite does not list them elsewhere. */
function checksIn(statement: string): readonly string[] {
  const tokens = tokensOf(statement)
  return tokens.flatMap((token, index) => {
    if (token.toLowerCase() !== 'check') return []
    const start = tokens.findIndex((other, at) => at > index && other === '(')
    const isNext = tokens.slice(index + 1, start).every((between) => between.trim() === '')
    return start === -1 || !isNext ? [] : [contentOf(tokens.slice(start))]
  })
}

/**
 * Returns the columns of a view of SQLite with the types of their values. An expression in a view has no declared type, so a few
 * rows are read.
 */
async function withSampledTypes(driver: SqlDriver, table: SchemaTable): Promise<readonly SchemaColumn[]> {
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
    const types = new Set((await readRows(driver, sql)).map(([type]) => String(type)))
    if (types.size === 0 || types.has('text')) return 'text'
    if (types.has('blob')) return types.size === 1 ? 'bytes' : 'other'
    // A sum of whole numbers today may have a fraction tomorrow.
    return 'number'
  } catch (thrown) {
    if (driver.faultOf(thrown) === null) throw thrown
    return column.type
  }
}

/**
 * Returns whether a database of SQLite stores instants as `2026-01-31 12:00:00`: according to a default value, or to the first
 * stored value.
 */
async function hasSpacedInstants(driver: SqlDriver, tables: readonly SchemaTable[]): Promise<boolean> {
  const columns = tables
    .filter(({ kind }) => kind === 'table')
    .flatMap((table) => table.columns.filter(({ type }) => type === 'instant').map((column) => ({ table, column })))
  if (columns.some(({ column }) => isSpacedDefault(column))) return true
  for (const { table, column } of columns) {
    const name = quotedName(column.name)
    const sql = `select ${name} from ${quotedName(table.name)} where typeof(${name}) = 'text' limit 1`
    const [row] = await readRows(driver, sql)
    if (row !== undefined) return /^\d{4}-\d\d-\d\d \d\d:/.test(String(row[0]))
  }
  return false
}

function isSpacedDefault({ defaultText }: SchemaColumn): boolean {
  return defaultText !== null && /current_timestamp|datetime\s*\(|%Y-%m-%d %H/i.test(defaultText)
}
