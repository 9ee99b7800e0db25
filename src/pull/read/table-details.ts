import type { DatabaseSchema, SchemaColumn, SchemaTable } from './database-schema.js'

/** What `readLiveSchema` does not read of a table. */
export interface TableDetails
  extends Pick<
    SchemaTable,
    'name' | 'kind' | 'checks' | 'comment' | 'partitionOf' | 'inherits' | 'otherIndexes' | 'foreignKeys'
  > {
  readonly columns: Readonly<
    Record<string, Partial<Pick<SchemaColumn, 'defaultText' | 'domainChecks' | 'comment'>> | undefined>
  >
}

/** All tables and views of a schema, apart from what `readLiveSchema` reads. */
export interface SchemaDetails extends Pick<DatabaseSchema, 'unreadable'> {
  readonly tables: readonly TableDetails[]
}
