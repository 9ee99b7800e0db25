import type { SqlDatabase } from 'ashlar/sql'
import type { DerivedTable, SeedRow } from './derived-tables.js'

/** A database with tables that were derived from types. */
export interface TestDatabase {
  /** For `sqlData()`. All its users wait until the tables exist. */
  readonly database: SqlDatabase
  readonly schema: string | null
  /** Makes more tables. */
  add(tables: readonly DerivedTable[]): void
  /** Gives tables the rows again that they began with. */
  refill(tables: readonly DerivedTable[]): Promise<void>
  /** The rows of a table in the order of their key, values as they were seeded. */
  rows(table: DerivedTable): Promise<readonly SeedRow[]>
}
