export { table } from './stores/drizzle/table.js'
export type { TableModel } from './stores/sql/schema/table-model.js'
