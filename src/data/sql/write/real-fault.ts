import type { SqlFault } from '../driver/sql-fault.js'
import type { SqlTable } from '../schema/sql-table.js'
import { hasConstraint } from './constraint-columns.js'
import { refusingTable } from './refusing-table.js'
import type { SqlWriting } from './sql-writing.js'

/**
 * Returns the fault, or `raised` if `raise exception` of a trigger named a constraint that the table does not have: then the value that
 * caused it is unknown.
 */
export async function realFault(
  fault: SqlFault | null,
  table: SqlTable,
  writing: SqlWriting,
): Promise<SqlFault | null> {
  if (fault === null || !('raisedAs' in fault) || fault.raisedAs === undefined) return fault
  const refusing = await refusingTable(fault, table, writing)
  const isReal = refusing !== null && (await hasConstraint(fault.raisedAs, refusing, writing))
  return isReal ? fault : { kind: 'raised' }
}
