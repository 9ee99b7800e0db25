import type { DatabaseSchema, SchemaColumn, SchemaTable } from './database-schema.js'

/** The details of a table that `readLiveSchema` does not read. */
export interface TableDetails
  extends Pick<
    SchemaTable,
    'name' | 'kind' | 'checks' | 'comment' | 'partitionOf' | 'inherits' | 'otherIndexes' | 'foreignKeys'
  > {
  readonly columns: Readonly<
    Record<string, Partial<Pick<SchemaColumn, 'defaultText' | 'domainChecks' | 'comment'>> | undefined>
  >
}

/** The details of all tables and views of a schema. */
export interface SchemaDetails extends Pick<DatabaseSchema, 'unreadable'> {
  readonly tables: readonly TableDetails[]
}
