import { getTableColumns, getTableName, is } from 'drizzle-orm'
import type { Column, InferSelectModel, Table } from 'drizzle-orm'
import { PgTable, getTableConfig as postgresConfig } from 'drizzle-orm/pg-core'
import { SQLiteTable, getTableConfig as sqliteConfig } from 'drizzle-orm/sqlite-core'
import type { ForeignKey } from '../../resource/model.js'
import type { TableColumn, TableModel } from '../sql/schema/table-model.js'
import { tableText } from '../sql/schema/table-model.js'
import { columnValues } from './column-values.js'

/** What a Drizzle table does not tell. */
export interface DrizzleTableOptions<Row> {
  /** The member that identifies a row. Default: the primary key, else `id`. */
  readonly key?: keyof Row & string
}

/**
 * A Drizzle table as the model of a type, or of join rows: its name, its columns and what they hold, its key and its foreign
 * keys are read from it, and the type of its rows is the one that Drizzle infers. Drizzle itself runs nothing.
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
export function table<Given extends Table>(
  given: Given,
  options: DrizzleTableOptions<InferSelectModel<Given>> = {},
): TableModel<InferSelectModel<Given>> {
  const { name, schema, primaryKeys, foreignKeys } = configOf(given)
  const columns: Readonly<Record<string, Column>> = getTableColumns(given)
  const members = Object.keys(columns)
  const key = options.key === undefined ? keyOf(columns, primaryKeys) : [options.key]
  let found: readonly ForeignKey[] | null = null
  return Object.freeze({
    name: tableText({ name, schema }),
    key: key[0] ?? 'id',
    columns: Object.freeze(members),
    // Read when it is asked for: a key may point at a table that is declared further down.
    get foreignKeys(): readonly ForeignKey[] {
      found ??= Object.freeze(foreignKeys.map((foreign) => foreignKeyOf(columns, foreign.reference())))
      return found
    },
    table: Object.freeze({
      schema,
      name,
      key: Object.freeze(key),
      naming: null,
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

function configOf(given: unknown): TableConfig {
  if (is(given, PgTable)) {
    const config = postgresConfig(given)
    return { ...config, schema: config.schema ?? null }
  }
  if (is(given, SQLiteTable)) return { ...sqliteConfig(given), schema: null }
  throw new TypeError("table() of 'ashlar/drizzle' takes a table that pgTable() or sqliteTable() has made.")
}

/** The members of the primary key, in its order. */
function keyOf(columns: Readonly<Record<string, Column>>, primaryKeys: TableConfig['primaryKeys']): readonly string[] {
  const [primaryKey] = primaryKeys
  if (primaryKey !== undefined) return primaryKey.columns.map((column) => memberOf(columns, column))
  return Object.keys(columns).filter((member) => columns[member]?.primary === true)
}

function foreignKeyOf(
  own: Readonly<Record<string, Column>>,
  { columns, foreignTable, foreignColumns }: Reference,
): ForeignKey {
  const others: Readonly<Record<string, Column>> = getTableColumns(foreignTable)
  return Object.freeze({
    columns: Object.freeze(columns.map((column) => memberOf(own, column))),
    model: is(foreignTable, PgTable) ? tableText(configOf(foreignTable)) : getTableName(foreignTable),
    references: Object.freeze(foreignColumns.map((column) => memberOf(others, column))),
  })
}

/** Keys name columns by objects of their own, which have the names of the table's. */
function memberOf(columns: Readonly<Record<string, Column>>, { name }: Column): string {
  return Object.keys(columns).find((member) => columns[member]?.name === name) ?? name
}

/** A column without a name of its own is called as the store's naming has it, like with Drizzle's `casing`. */
function columnOf(column: Column | undefined): TableColumn {
  if (column === undefined) return { name: null, type: null }
  return Object.freeze({ name: column.keyAsName ? null : column.name, ...columnValues(column) })
}
