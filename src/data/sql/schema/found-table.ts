import type { LiveTable, TableName } from './live-schema.js'

/** A table of the database, with the name by which it was requested. */
export interface FoundTable {
  readonly requestedName: TableName
  readonly table: LiveTable
}
