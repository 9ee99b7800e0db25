export { sqlData, type SqlData } from './stores/sql/sql-data.js'
export type { SqlDataOptions } from './stores/sql/sql-data-options.js'
export { idempotencyTable } from './stores/sql/idempotency/idempotency-table.js'
export { searchIndex } from './stores/sql/search-index.js'
export { table } from './stores/sql/schema/table.js'
export type { TableModel } from './stores/sql/schema/table-model.js'
export {
  sqlFilter,
  sqlSort,
  type SqlFilterRow,
  type SqlExpression,
  type SqlRow,
} from './stores/sql/query/custom-expressions.js'
export type { RanStatement, SlowStatementEntry, SlowStatementLogger } from './stores/sql/statement/ran-statement.js'
export type { SqlDatabase } from './stores/sql/driver/driver-of.js'
export type { SessionSettings } from './stores/sql/dialect/postgres/driver/session-settings.js'
export { rawConnection } from './stores/sql/transactions/sql-transactions.js'
export { type DatabaseError, mapDatabaseError } from './stores/sql/driver/database-error.js'
