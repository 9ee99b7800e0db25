import type { PullRules } from '../../../stores/sql/dialect/pull-rules.js'
import type { SqlDriver } from '../../../stores/sql/driver/sql-driver.js'
import { readLiveSchema } from '../../../stores/sql/schema/read-live-schema.js'
import type {
  DatabaseSchema,
  SchemaDetails,
  SchemaForeignKey,
  SchemaTable,
  TableDetails,
  UnreadableView,
} from '../../../stores/sql/schema/database-schema.js'
import type { PulledDatabase } from './pulled-database.js'
import { readTypeValues, type TypeColumns } from './type-values.js'

export interface ReadOptions {
  /** Empty for the first schema of the search path. */
  readonly schemas: readonly string[]
  /** The columns such as `noteable_type`, whose values are read; null for none. */
  readonly typeColumns: TypeColumns | null
}

/** Reads all tables and views of some schemas. */
export async function readSchema(
  engine: PullRules,
  driver: SqlDriver,
  { schemas, typeColumns }: ReadOptions,
): Promise<DatabaseSchema> {
  const [only = null, ...others] = schemas
  const isQualified = others.length > 0
  const details: SchemaDetails[] = []
  for (const schema of isQualified ? schemas : [only]) {
    details.push(await engine.readDetails(driver, schema))
  }
  const unreadable: readonly UnreadableView[] = details.flatMap((each) => each.unreadable)
  const found = details.flatMap(({ tables }) => tables)
  const tables = await readTables({ engine, driver }, found, { schema: only, isQualified })
  return {
    engine: engine.name,
    schema: isQualified ? null : only,
    tables,
    unreadable,
    typeValues: typeColumns === null ? new Map() : await readTypeValues({ engine, driver }, tables, typeColumns),
    hasSpacedInstants: await engine.hasSpacedInstants(driver, tables),
  }
}

interface Naming {
  readonly schema: string | null
  readonly isQualified: boolean
}

async function readTables(
  { engine, driver }: PulledDatabase,
  details: readonly TableDetails[],
  { schema, isQualified }: Naming,
): Promise<readonly SchemaTable[]> {
  const requested = details.map((each) => ({ schema: isQualified ? each.schema : schema, name: each.name }))
  const live = await readLiveSchema(driver, requested)
  const pulled = new Set(details.map((each) => each.schema))
  const tables: SchemaTable[] = []
  for (const [index, detail] of details.entries()) {
    const name = requested[index]
    const found = live.get(name?.schema == null ? detail.name : `${name.schema}.${detail.name}`)
    if (found === undefined) continue
    const nameOf = (each: { readonly schema: string | null; readonly name: string }): string =>
      isQualified && each.schema !== null ? `${each.schema}.${each.name}` : each.name
    const foreignKeys = found.foreignKeys.map(({ schema: other, table, ...key }): SchemaForeignKey => {
      return { ...key, table: pulled.has(other) ? nameOf({ schema: other, name: table }) : null }
    })
    const columns = found.columns.map((column) => ({ ...column, ...columnDetails(detail, column.name) }))
    const own = { ...tableDetails(detail), name: nameOf(detail), isQualified, foreignKeys, columns, viewKey: null }
    const table = { ...found, ...own }
    tables.push({ ...table, columns: await engine.typedColumns(driver, table) })
  }
  return tables
}

function columnDetails({ columns }: TableDetails, name: string) {
  const { defaultText = null, domainChecks = [], comment = null } = columns[name] ?? {}
  return { defaultText, domainChecks, comment }
}

/** Returns the details that no other source has. The schema of a table on SQLite is that of the table itself. */
function tableDetails({ columns: _columns, schema: _schema, ...details }: TableDetails) {
  return details
}
