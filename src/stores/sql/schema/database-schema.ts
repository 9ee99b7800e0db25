import type { ToolEngineName } from '../../../core/util/engine-name.js'
import type { LiveColumn, LiveForeignKey, LiveTable } from './live-schema.js'

/** A column, with the details for its declaration. */
export interface SchemaColumn extends LiveColumn {
  /** The expression of its default; null if there is none, or if it is not text. */
  readonly defaultText: string | null
  /** The checks of its domain, about `VALUE`. */
  readonly domainChecks: readonly string[]
  readonly comment: string | null
}

/** The kinds of tables: `table` includes partitioned ones. */
type TableKind = 'table' | 'view' | 'materializedView' | 'foreignTable' | 'virtualTable'

export interface SchemaForeignKey extends Omit<LiveForeignKey, 'table' | 'schema'> {
  /** The name of the referenced table; null if it is in a schema that is not pulled. */
  readonly table: string | null
  /** Whether the database has no such key: the column only has the name of one. */
  readonly isByName?: boolean
}

export interface SchemaTable extends Omit<LiveTable, 'columns' | 'foreignKeys'> {
  readonly kind: TableKind
  /** Whether the name begins with the schema, because several schemas are pulled: `sales.orders`. */
  readonly isQualified: boolean
  readonly columns: readonly SchemaColumn[]
  readonly foreignKeys: readonly SchemaForeignKey[]
  readonly checks: readonly string[]
  readonly comment: string | null
  /** The partitioned table; null if it is not a partition. */
  readonly partitionOf: string | null
  /** The tables from which it inherits; a partition has none. */
  readonly inherits: readonly string[]
  /** The names of indexes that support neither sorting nor equality, such as one for text search. */
  readonly otherIndexes: ReadonlySet<string>
  /** The columns that identify the rows of a view, as the user names them; null for tables, and if none are named. */
  readonly viewKey: readonly string[] | null
}

/** A view whose columns cannot be read, because a table or column in it does not exist any more. */
export interface UnreadableView {
  readonly name: string
  /** The message of the database. */
  readonly reason: string
}

/** The tables and views of a database: of one schema, in the order of their names, or of several. The same for both engines. */
export interface DatabaseSchema {
  readonly engine: ToolEngineName
  /** The name of the only schema, if statements must contain it. With several, the names of tables contain it. */
  readonly schema: string | null
  readonly tables: readonly SchemaTable[]
  readonly unreadable: readonly UnreadableView[]
  /** The values of columns with the types of related rows, by table and column: `notes.noteable_type`. Empty unless they are read. */
  readonly typeValues: ReadonlyMap<string, readonly string[]>
  /** Whether SQLite columns contain instants as `2026-01-31 12:00:00`. */
  readonly hasSpacedInstants: boolean
}

/** The details of a table that `readLiveSchema` does not read. */
export interface TableDetails
  extends Pick<SchemaTable, 'name' | 'kind' | 'checks' | 'comment' | 'partitionOf' | 'inherits' | 'otherIndexes'> {
  /** The schema of the table; null on SQLite. */
  readonly schema: string | null
  readonly columns: Readonly<
    Record<string, Partial<Pick<SchemaColumn, 'defaultText' | 'domainChecks' | 'comment'>> | undefined>
  >
}

/** The details of all tables and views of a schema. */
export interface SchemaDetails extends Pick<DatabaseSchema, 'unreadable'> {
  readonly tables: readonly TableDetails[]
}
