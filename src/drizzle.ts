export { table, type DrizzleTableOptions } from './data/drizzle/table.js'
export type { TableModel } from './data/sql/schema/table-model.js'
