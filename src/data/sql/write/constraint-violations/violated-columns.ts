import type { SqlFault } from '../../driver/sql-fault.js'
import type { SqlColumn, SqlTable } from '../../schema/sql-table.js'

/**
 * Returns the columns of a violated unique index, as far as they are known, including the columns in its expressions.
 */
export function violatedColumns(
  { columns, constraint }: Extract<SqlFault, { kind: 'unique' }>,
  table: SqlTable,
): readonly SqlColumn[] {
  const index = table.live.indexes.find(({ name }) => name === constraint)
  const names = columns ?? (index === undefined ? [] : [...index.columns, ...index.expressed])
  return columnsNamed(table, [...new Set(names)])
}

/** Returns columns by their database names. Skips expressions (`null`) and unknown names. */
export function columnsNamed({ columnNamed }: SqlTable, names: readonly (string | null)[]): readonly SqlColumn[] {
  return names.flatMap((name) => (name === null ? [] : (columnNamed.get(name) ?? [])))
}
