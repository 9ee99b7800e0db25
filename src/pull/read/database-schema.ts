import type { EngineName } from '../../data/sql/driver/sql-driver.js'
import type { LiveColumn, LiveForeignKey, LiveTable } from '../../data/sql/schema/live-schema.js'

/** A column, with what a declaration of it needs to know besides. */
export interface SchemaColumn extends LiveColumn {
  /** The expression of its default; null if there is none, or if it is not text. */
  readonly defaultText: string | null
  /** The checks of its domain, about `VALUE`. */
  readonly domainChecks: readonly string[]
  readonly comment: string | null
}

/** The kinds of tables: `table` includes partitioned ones. */
type TableKind = 'table' | 'view' | 'materializedView' | 'foreignTable' | 'virtualTable'

export interface SchemaForeignKey extends Omit<LiveForeignKey, 'table'> {
  /** The name of the table that it leads to, or null if that is in another schema. */
  readonly table: string | null
}

export interface SchemaTable extends Omit<LiveTable, 'columns' | 'foreignKeys'> {
  readonly kind: TableKind
  readonly columns: readonly SchemaColumn[]
  readonly foreignKeys: readonly SchemaForeignKey[]
  readonly checks: readonly string[]
  readonly comment: string | null
  /** The table that it is a partition of; null for others. */
  readonly partitionOf: string | null
  /** The tables that it inherits from; a partition has none. */
  readonly inherits: readonly string[]
  /** The names of indexes that serve neither an order nor equality, such as one for text search. */
  readonly otherIndexes: ReadonlySet<string>
  /** The columns by which all rows of a view can be told apart today; null for tables, and if there are none. */
  readonly viewKey: readonly string[] | null
}

/** A view whose columns cannot be read, because what it selects does not exist any more. */
export interface UnreadableView {
  readonly name: string
  /** The message of the database. */
  readonly reason: string
}

/** The tables and views of one schema of a database, in the order of their names. The same for both engines. */
export interface DatabaseSchema {
  readonly engine: EngineName
  /** The name of the schema, if statements must say it. */
  readonly schema: string | null
  readonly tables: readonly SchemaTable[]
  readonly unreadable: readonly UnreadableView[]
  /** Whether SQLite columns hold instants as `2026-01-31 12:00:00`. */
  readonly hasSpacedInstants: boolean
}
