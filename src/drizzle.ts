export { table, type DrizzleTableOptions } from './stores/drizzle/table.js'
export type { TableModel } from './stores/sql/schema/table-model.js'
