export { sqlData, type SqlData } from './data/sql/sql-data.js'
export type { SqlDataOptions } from './data/sql/sql-data-options.js'
export { idempotencyTable } from './data/sql/idempotency/idempotency-table.js'
export { table, type ColumnOptions, type TableOptions } from './data/sql/schema/table.js'
export type { ColumnNaming, TableModel } from './data/sql/schema/table-model.js'
export type { ColumnType } from './data/sql/schema/column-type.js'
export type { InstantNotation } from './data/sql/schema/instant-notation.js'
export {
  sqlFilter,
  sqlSort,
  type SqlFilterRow,
  type SqlExpression,
  type SqlRow,
} from './data/sql/query/custom-expressions.js'
export type {
  RanStatement,
  SlowStatementEntry,
  SlowStatementLogger,
  SlowStatementSettings,
} from './data/sql/statement/ran-statement.js'
export type { SqlDatabase } from './data/sql/driver/driver-of.js'
export type { ReplicaState, ReplicatedDatabase } from './data/sql/replicas/replicated-database.js'
export type { PostgresPool } from './data/sql/dialect/postgres/driver/postgres-pool.js'
export type { SessionSettings } from './data/sql/dialect/postgres/driver/session-settings.js'
export type { SqliteDatabase } from './data/sql/dialect/sqlite/driver/sqlite-database.js'
export type { EngineName } from './util/engine-name.js'
export type { Isolation } from './data/sql/transactions/sql-transactions.js'
export { rawConnection } from './data/sql/transactions/sql-transactions.js'
export { type DatabaseError, type DatabaseErrorMapper, mapDatabaseError } from './data/sql/driver/database-error.js'
