import type { PullRules } from '../../../stores/sql/dialect/pull-rules.js'
import type { SqlDriver } from '../../../stores/sql/driver/sql-driver.js'

/** A database, with what is known of its engine. */
export interface PulledDatabase {
  readonly engine: PullRules
  readonly driver: SqlDriver
}
