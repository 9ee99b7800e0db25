import type { LiveForeignKey } from './live-schema.js'
import type { DatabaseSchema, SchemaColumn, SchemaTable } from './database-schema.js'

/** The details of a table that `readLiveSchema` does not read. */
export interface TableDetails
  extends Pick<SchemaTable, 'name' | 'kind' | 'checks' | 'comment' | 'partitionOf' | 'inherits' | 'otherIndexes'> {
  /** The schema of the table; null on SQLite. */
  readonly schema: string | null
  /** The foreign keys, with the tables that they refer to. */
  readonly foreignKeys: readonly (LiveForeignKey & { readonly schema: string | null })[]
  readonly columns: Readonly<
    Record<string, Partial<Pick<SchemaColumn, 'defaultText' | 'domainChecks' | 'comment'>> | undefined>
  >
}

/** The details of all tables and views of a schema. */
export interface SchemaDetails extends Pick<DatabaseSchema, 'unreadable'> {
  readonly tables: readonly TableDetails[]
}
