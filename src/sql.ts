export { sqlData, type SqlData } from './stores/sql/sql-data.js'
export type { SqlDataOptions } from './stores/sql/sql-data-options.js'
export { idempotencyTable } from './stores/sql/idempotency/idempotency-table.js'
export { table, type ColumnOptions, type TableOptions } from './stores/sql/schema/table.js'
export type { ColumnNaming, TableModel } from './stores/sql/schema/table-model.js'
export type { ColumnType } from './stores/sql/schema/column-type.js'
export type { InstantNotation } from './stores/sql/schema/instant-notation.js'
export {
  sqlFilter,
  sqlSort,
  type SqlFilterRow,
  type SqlExpression,
  type SqlRow,
} from './stores/sql/query/custom-expressions.js'
export type {
  RanStatement,
  SlowStatementEntry,
  SlowStatementLogger,
  SlowStatementSettings,
} from './stores/sql/statement/ran-statement.js'
export type { SqlDatabase } from './stores/sql/driver/driver-of.js'
export type { ReplicaState, ReplicatedDatabase } from './stores/sql/replicas/replicated-database.js'
export type { PostgresPool } from './stores/sql/dialect/postgres/driver/postgres-pool.js'
export type { SessionSettings } from './stores/sql/dialect/postgres/driver/session-settings.js'
export type { SqliteDatabase } from './stores/sql/dialect/sqlite/driver/sqlite-database.js'
export type { EngineName } from './core/util/engine-name.js'
export type { Isolation } from './stores/sql/transactions/sql-transactions.js'
export { rawConnection } from './stores/sql/transactions/sql-transactions.js'
export { type DatabaseError, type DatabaseErrorMapper, mapDatabaseError } from './stores/sql/driver/database-error.js'
