import type { SqlFault } from '../driver/sql-fault.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'

/** The columns of a unique index that refused a row, as far as they are known; those that it has expressions of too. */
export function violatedColumns(
  { columns, constraint }: Extract<SqlFault, { kind: 'unique' }>,
  table: SqlTable,
): readonly SqlColumn[] {
  const index = table.live.indexes.find(({ name }) => name === constraint)
  const names = columns ?? (index === undefined ? [] : [...index.columns, ...index.expressed])
  return columnsNamed(table, [...new Set(names)])
}

/** Names of the database, as columns; expressions and what the table does not have are passed over. */
export function columnsNamed({ columnNamed }: SqlTable, names: readonly (string | null)[]): readonly SqlColumn[] {
  return names.flatMap((name) => (name === null ? [] : (columnNamed.get(name) ?? [])))
}
