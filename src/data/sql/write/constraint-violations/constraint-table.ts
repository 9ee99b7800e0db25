import type { TableName } from '../../schema/live-schema.js'
import type { SqlTable } from '../../schema/sql-table.js'
import type { SqlWriting } from '../sql-writing.js'
import { runRead } from '../sql-writing.js'

/**
 * Returns the table that refused a row. That is the written table, or the partition or the table behind a view that
 * some engines name instead. Returns `null` for any other table: then a trigger wrote another row, and that was refused.
 */
export async function constraintTable(
  { table: reported }: { readonly table: string | null },
  { live, schema: declaredSchema }: SqlTable,
  writing: SqlWriting,
): Promise<TableName | null> {
  const schema = live.schema ?? declaredSchema
  if (reported === null || reported === live.name) return { schema, name: live.name }
  const { schemaBehind } = writing.store.dialect.constraints
  const found = await schemaBehind({ schema, name: live.name }, reported, (build) => runRead(writing, build))
  return found === null ? null : { schema: found, name: reported }
}
