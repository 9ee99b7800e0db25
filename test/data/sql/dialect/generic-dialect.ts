import type { SqlDialect } from '../../../../src/stores/sql/dialect/dialect.js'
import { sqliteDialect } from '../../../../src/stores/sql/dialect/sqlite/sqlite-dialect.js'
import type { SqliteDatabase } from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-database.js'
import { driverOf } from '../../../../src/stores/sql/driver/driver-of.js'
import { type SqlData, sqlDataOn } from '../../../../src/stores/sql/sql-data.js'
import type { SqlDataOptions } from '../../../../src/stores/sql/sql-data-options.js'
import type { EngineName } from '../../../../src/core/util/engine-name.js'

/**
 * SQLite without what other engines lack: it shows that the store has another way for each, and that no code depends on the
 * name of an engine.
 */
const genericDialect: SqlDialect = Object.freeze<SqlDialect>({
  ...sqliteDialect,
  name: 'generic' as EngineName,
  can: {
    ...sqliteDialect.can,
    returnRows: false,
    returnInserted: false,
    orderNulls: 'byKey',
    compareRows: 'never',
    mergeSortedParts: false,
    continueAfterErrors: false,
  },
})

/** Matches what no statement of this dialect contains: returned rows, clauses about nulls, and comparisons of row values. */
export const lackingSyntax = /\breturning\b|\bnulls (?:first|last)\b|\([^()]*,[^()]*\) (?:=|<|>|<>|in) \(/

/** A store over a database of SQLite, with the generic dialect. */
export function genericData(database: SqliteDatabase, options: SqlDataOptions = {}): SqlData {
  const driver = Object.freeze({ ...driverOf(database, {}), dialect: genericDialect })
  return sqlDataOn({ driver, replicas: null }, options)
}
