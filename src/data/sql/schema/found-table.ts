import type { LiveTable, TableName } from './live-schema.js'

/** A table with the name that it was asked for by. */
export interface FoundTable {
  readonly asked: TableName
  readonly table: LiveTable
}
