import type { TableName } from '../../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../../schema/sql-table.js'
import type { SqlWriting } from '../sql-writing.js'
import { runRead } from '../sql-writing.js'
import { columnsNamed } from './violated-columns.js'

/**
 * Returns the columns of a table that a constraint is about, as far as the engine knows them.
 *
 * @param constrained the table of the constraint: `table` itself, a partition, or a table behind a view
 */
export async function constraintColumns(
  constraint: string | null,
  { table, constrained }: { readonly table: SqlTable; readonly constrained: TableName },
  writing: SqlWriting,
): Promise<readonly SqlColumn[]> {
  const { columnsOf } = writing.store.dialect.constraints
  const names = columnsOf === null ? [] : await columnsOf(constraint, constrained, (build) => runRead(writing, build))
  return columnsNamed(table, names)
}
