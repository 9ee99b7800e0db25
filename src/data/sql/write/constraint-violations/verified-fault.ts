import type { SqlFault } from '../../driver/sql-fault.js'
import type { SqlTable } from '../../schema/sql-table.js'
import type { SqlWriting } from '../sql-writing.js'
import { runRead } from '../sql-writing.js'
import { constraintTable } from './constraint-table.js'

/**
 * Returns the fault, or `raised` if `raise exception` of a trigger named a constraint that the table does not have: then the value that
 * caused it is unknown.
 */
export async function verifiedFault(
  fault: SqlFault | null,
  table: SqlTable,
  writing: SqlWriting,
): Promise<SqlFault | null> {
  if (fault === null || !('raisedAs' in fault) || fault.raisedAs === undefined) return fault
  const { has } = writing.store.dialect.constraints
  const constrained = await constraintTable(fault, table, writing)
  const isReal = constrained !== null && (await has(fault.raisedAs, constrained, (build) => runRead(writing, build)))
  return isReal ? fault : { kind: 'raised' }
}
