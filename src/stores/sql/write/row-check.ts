import { sql } from 'kysely'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import { invariant } from '../../../core/util/invariant.js'
import type { StatementBuild } from '../query/statement-build.js'
import type { SqlTable } from '../schema/sql-table.js'
import type { WritePart } from './sql-writing.js'
import { rowConditions } from './sql-writing.js'

/**
 * Returns an expression that an insert returns with each row. It fails, and so undoes the statement, if the row does not meet the
 * conditions as it is stored. Returns `null` without conditions.
 */
export function rowCheck(
  conditions: readonly RowCondition[],
  { type, table }: { readonly type: CompiledType; readonly table: SqlTable },
  build: StatementBuild,
): WritePart | null {
  const meets = rowConditions(conditions, { type, table }, build)
  if (meets === null) return null
  const [column] = table.stored
  invariant(column !== undefined, `'${table.name}' has no columns`)
  build.shape.addKeyPart('checked')
  return () =>
    sql`case when ${meets(table.name)} then 1 else ${build.dialect.spell.failure(sql.id(table.name, column.name))} end`
}
