import type { PullRules } from '../../data/sql/dialect/pull-rules.js'
import type { SqlDriver } from '../../data/sql/driver/sql-driver.js'
import type { LiveTable } from '../../data/sql/schema/live-schema.js'
import type { SchemaTable } from '../../data/sql/schema/database-schema.js'
import { quotedName, quotedTable } from '../../data/sql/schema/quoted-name.js'

/**
 * Returns the columns that identify the rows of a view. A view has no key, so it tries columns with the name of a key of a table:
 * their current values must be unique and not null. Null if there are none.
 */
export async function viewKeyOf(
  driver: SqlDriver,
  table: SchemaTable,
  { tables, engine }: { readonly tables: readonly LiveTable[]; readonly engine: PullRules },
): Promise<readonly string[] | null> {
  if (table.kind !== 'view' && table.kind !== 'materializedView') return null
  for (const columns of candidates(table, tables)) {
    const from = quotedTable(engine.namesSchemas ? table.schema : null, table.name)
    if (await identifiesRows(driver, from, columns)) return columns
  }
  return null
}

/** Types whose values cannot be ids. */
const unfit: ReadonlySet<string> = new Set([
  'decimal',
  'number',
  'real',
  'json',
  'list',
  'bytes',
  'instant',
  'timestamp',
])

function candidates({ columns, indexes }: SchemaTable, tables: readonly LiveTable[]): readonly (readonly string[])[] {
  const keys = new Set(tables.flatMap(({ primaryKey }) => primaryKey.map((name) => name.toLowerCase())))
  const isKey = (name: string): boolean => name.toLowerCase() === 'id' || keys.has(name.toLowerCase())
  const named = columns.filter(({ name, type }) => isKey(name) && !unfit.has(type)).map(({ name }) => name)
  const first = columns.slice(0, 1).filter(({ name, type }) => /(?:_id|Id|ID)$/.test(name) && !unfit.has(type))
  // A materialized view may have a unique index.
  const unique = indexes.flatMap(({ unique: isUnique, columns: parts }) =>
    isUnique && parts.every((part) => part !== null) ? [parts] : [],
  )
  const single = [...new Set([...first.map(({ name }) => name), ...named])]
  return [...unique, ...single.map((name) => [name]), ...(named.length > 1 ? [named] : [])]
}

async function identifiesRows(driver: SqlDriver, from: string, columns: readonly string[]): Promise<boolean> {
  const names = columns.map(quotedName)
  const isNull = names.map((name) => `${name} is null`).join(' or ')
  const sql = `select 1 from (
    select 1 as one from ${from} group by ${names.join(', ')} having count(*) > 1
    union all select 1 from ${from} where ${isNull}
  ) as ambiguous limit 1`
  try {
    const { rows } = await driver.read({ sql, values: [], name: null }, { context: null })
    return rows.length === 0
  } catch (thrown) {
    // A view that cannot be read, such as one with a missing table, has no key.
    if (driver.faultOf(thrown) === null) throw thrown
    return false
  }
}
