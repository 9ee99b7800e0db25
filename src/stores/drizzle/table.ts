import { getTableColumns, getTableName, is } from 'drizzle-orm'
import type { Column, InferSelectModel, Table } from 'drizzle-orm'
import { PgTable, getTableConfig as postgresConfig } from 'drizzle-orm/pg-core'
import { SQLiteTable, getTableConfig as sqliteConfig } from 'drizzle-orm/sqlite-core'
import { keyColumn } from '../../declare/resource/parts/key-columns.js'
import type { ForeignKey } from '../../declare/resource/parts/model.js'
import type { TableColumn, TableModel } from '../sql/schema/table-model.js'
import { tableText } from '../sql/schema/table-model.js'
import { columnValues } from './column-values.js'

/** Options that cannot be read from a Drizzle table. */
export interface DrizzleTableOptions<Row> {
  /** The property of a row that identifies it. Default: the primary key, or `id` without one. */
  readonly key?: keyof Row & string
}

/**
 * Turns a Drizzle table into the model of a resource type or of join rows. Its name, columns, value types, key and
 * foreign keys are read from the table, and the row type is the one that Drizzle infers. Drizzle itself runs no
 * statements.
 *
 * @example
 * ```ts
 * import { table } from 'ashlar/drizzle'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const albums = sqliteTable('albums', { id: integer().primaryKey(), title: text().notNull() })
 * const albumTable = table(albums)
 * ```
 */
export function table<DrizzleTable extends Table>(
  drizzleTable: DrizzleTable,
  options: DrizzleTableOptions<InferSelectModel<DrizzleTable>> = {},
): TableModel<InferSelectModel<DrizzleTable>> {
  const { name, schema, primaryKeys, foreignKeys } = configOf(drizzleTable)
  const columns: Readonly<Record<string, Column>> = getTableColumns(drizzleTable)
  const members = Object.keys(columns)
  const key = options.key === undefined ? keyOf(columns, primaryKeys) : [options.key]
  let cached: readonly ForeignKey[] | null = null
  return Object.freeze({
    name: tableText({ name, schema }),
    key: key.length === 0 ? 'id' : keyColumn(key),
    ...(key.length === 0 ? { hasDefaultKey: true } : {}),
    columns: Object.freeze(members),
    // Read on first access: a foreign key may refer to a table that is declared later in the file.
    get foreignKeys(): readonly ForeignKey[] {
      cached ??= Object.freeze(foreignKeys.map((foreign) => foreignKeyOf(columns, foreign.reference())))
      return cached
    },
    table: Object.freeze({
      schema,
      name,
      key: Object.freeze(key),
      naming: null,
      instants: null,
      columns: new Map(members.map((member) => [member, columnOf(columns[member])])),
    }),
  })
}

interface Reference {
  readonly columns: readonly Column[]
  readonly foreignTable: Table
  readonly foreignColumns: readonly Column[]
}

interface TableConfig {
  readonly name: string
  readonly schema: string | null
  readonly primaryKeys: readonly { readonly columns: readonly Column[] }[]
  readonly foreignKeys: readonly { readonly reference: () => Reference }[]
}

function configOf(drizzleTable: unknown): TableConfig {
  if (is(drizzleTable, PgTable)) {
    const config = postgresConfig(drizzleTable)
    return { ...config, schema: config.schema ?? null }
  }
  if (is(drizzleTable, SQLiteTable)) return { ...sqliteConfig(drizzleTable), schema: null }
  throw new TypeError("table() of 'ashlar/drizzle' expects a table created by pgTable() or sqliteTable().")
}

/** Returns the row properties of the primary key columns, in the order of the key. */
function keyOf(columns: Readonly<Record<string, Column>>, primaryKeys: TableConfig['primaryKeys']): readonly string[] {
  const [primaryKey] = primaryKeys
  if (primaryKey !== undefined) return primaryKey.columns.map((column) => memberOf(columns, column))
  return Object.keys(columns).filter((member) => columns[member]?.primary === true)
}

function foreignKeyOf(
  ownColumns: Readonly<Record<string, Column>>,
  { columns, foreignTable, foreignColumns }: Reference,
): ForeignKey {
  const referencedColumns: Readonly<Record<string, Column>> = getTableColumns(foreignTable)
  return Object.freeze({
    columns: Object.freeze(columns.map((column) => memberOf(ownColumns, column))),
    model: is(foreignTable, PgTable) ? tableText(configOf(foreignTable)) : getTableName(foreignTable),
    references: Object.freeze(foreignColumns.map((column) => memberOf(referencedColumns, column))),
  })
}

/** Finds the row property of a column by name: Drizzle's keys have other column objects than the table. */
function memberOf(columns: Readonly<Record<string, Column>>, { name }: Column): string {
  return Object.keys(columns).find((member) => columns[member]?.name === name) ?? name
}

/**
 * A column without an explicit name gets its name from the naming option of the store, like with Drizzle's `casing`.
 */
function columnOf(column: Column | undefined): TableColumn {
  if (column === undefined) return { name: null, type: null }
  return Object.freeze({ name: column.keyAsName ? null : column.name, ...columnValues(column) })
}
