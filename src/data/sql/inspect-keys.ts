import type { CompiledType } from '../../resource/compiled-type.js'
import { isComposite, keyColumns } from '../../resource/key-columns.js'
import { columnsOfField } from '../../resource/unique-sets.js'
import type { SqlDriver } from './driver/sql-driver.js'
import type { SqlFinding } from './finding.js'
import { finding } from './finding.js'
import type { SqlColumn, SqlTable, SqlTables } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'
import { hasGeneratedKey } from './write/new-row.js'

/**
 * Reports the types whose new resources would have no key, because neither the client, the server nor the database sets
 * one.
 */
export async function keyProblems(
  driver: SqlDriver,
  types: readonly CompiledType[],
  tables: SqlTables,
): Promise<readonly SqlFinding[]> {
  const problems: SqlFinding[] = []
  for (const type of types) {
    const table = type.model === null ? undefined : tables.get(type.model)
    const [column] = table === undefined ? [] : unsetKeyColumns(type, table)
    if (table === undefined || column === undefined || (await hasTrigger(driver, table))) continue
    const name = tableText({ schema: table.schema, name: table.name })
    problems.push(
      finding(
        'key-source',
        type.type,
        `New resources of '${type.type}' would have no key: call requireClientId(), generated() or generateUsing() on its id, or give the column '${column.name}' of the table '${name}' a default.`,
      ),
    )
  }
  return problems
}

/**
 * Returns the key columns of a new row that nothing sets. Returns none if that is unknown: for a view, whose tables may set them, and if
 * user-defined code changes the new row.
 */
function unsetKeyColumns(type: CompiledType, table: SqlTable): readonly SqlColumn[] {
  const { id, hooks, hydrator, operations } = type
  const isKey = id.column === table.key || isComposite(id.column)
  if (!isKey || table.live.isView || !operations.has('Create')) return []
  if (id.spec.clientIds === 'required' || id.spec.fallback.kind !== 'store') return []
  if (hydrator !== null || hooks?.beforeSave !== undefined || hooks?.beforeCreate !== undefined) return []
  const members = [...type.attributes, ...type.relations]
  const set = new Set(members.flatMap(({ name }) => columnsOfField(type, name)))
  return keyColumns(id.column)
    .filter((name) => !set.has(name))
    .flatMap((name) => table.columnOf.get(name) ?? [])
    .filter((column) => !hasGeneratedKey(type, table, column))
}

/** Returns whether a PostgreSQL table has a trigger that may set the key of a new row. */
async function hasTrigger(driver: SqlDriver, { schema, live }: SqlTable): Promise<boolean> {
  if (driver.engine !== 'postgres') return false
  const sql = `select 1 from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relname = $1::text and n.nspname = $2::text and not t.tgisinternal and t.tgtype & 7 = 7 limit 1`
  const values = [live.name, live.schema ?? schema]
  const { rows } = await driver.read({ sql, values, name: null }, { context: null })
  return rows.length > 0
}
