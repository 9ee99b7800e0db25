import type { SchemaColumn, SchemaTable } from '../../../stores/sql/schema/database-schema.js'
import { quotedName, quotedTable } from '../../../stores/sql/schema/quoted-name.js'
import { plainName } from './plain-name.js'
import type { PulledDatabase } from './pulled-database.js'

/** A column with more values than this has no names of types. */
const mostValues = 200

/** The rows that are read of a column without an index. */
const sampledRows = 100_000

/** Returns the columns with the types of related rows. */
export type TypeColumns = (table: SchemaTable) => readonly SchemaColumn[]

/**
 * Reads the values of columns with the types of related rows, such as `noteable_type` next to `noteable_id`, by table and column. Nothing
 * else in the database says which tables such a pair of columns refers to.
 */
export async function readTypeValues(
  database: PulledDatabase,
  tables: readonly SchemaTable[],
  typeColumns: TypeColumns,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const table of tables) {
    if (table.kind !== 'table' || table.partitionOf !== null) continue
    for (const column of typeColumns(table)) {
      found.set(`${table.name}.${column.name}`, column.labels ?? (await valuesOf(database, table, column)))
    }
  }
  return found
}

async function valuesOf(
  { engine, driver }: PulledDatabase,
  table: SchemaTable,
  column: SchemaColumn,
): Promise<readonly string[]> {
  const name = quotedName(column.name)
  const from = quotedTable(engine.namesSchemas ? table.schema : null, plainName(table))
  const isIndexed = table.indexes.some(({ partial, columns: [first] }) => !partial && first === column.name)
  const sql = isIndexed ? indexedValues(name, from) : sampledValues(name, from)
  try {
    const { rows } = await driver.read({ sql, values: [], name: null }, { context: null })
    return rows.length > mostValues ? [] : rows.map(([value]) => String(value)).toSorted()
  } catch (thrown) {
    // Such as a table that this user may not read: then its columns are attributes.
    if (driver.faultOf(thrown) === null) throw thrown
    return []
  }
}

/** Reads one entry of the index for each value, instead of all rows. */
function indexedValues(name: string, from: string): string {
  return `with recursive found(value) as (
    select min(${name}) from ${from}
    union all
    select (select min(${name}) from ${from} where ${name} > found.value) from found where found.value is not null
  )
  select value from found where value is not null limit ${mostValues + 1}`
}

function sampledValues(name: string, from: string): string {
  return `select distinct value from (
    select ${name} as value from ${from} where ${name} is not null limit ${sampledRows}
  ) as sampled limit ${mostValues + 1}`
}
