import { namesOf } from '../query/wanted-columns.js'
import type { SqlTable } from '../schema/sql-table.js'
import { constraintTable } from './constraint-violations/constraint-table.js'
import { violatedColumns } from './constraint-violations/violated-columns.js'
import type { SqlWriting } from './sql-writing.js'
import { addTable, runWrite } from './sql-writing.js'

/** Returns whether a new row was refused because a generated key is taken by a row that was inserted with an explicit key. */
export async function generatedTakenKey(thrown: unknown, table: SqlTable, writing: SqlWriting): Promise<boolean> {
  const { dialect, driver } = writing.store
  const fault = dialect.spell.sequence === null ? null : driver.faultOf(thrown)
  if (fault?.kind !== 'unique') return false
  const [only, ...others] = violatedColumns(fault, table)
  if (only?.property !== table.key || others.length > 0) return false
  return (await constraintTable(fault, table, writing)) !== null
}

/** Moves the sequence of the keys to the end of the consecutive keys that are taken. */
export async function advanceSequence(table: SqlTable, writing: SqlWriting): Promise<void> {
  const column = table.key === null ? undefined : table.columnOf.get(table.key)
  const { sequence } = writing.store.dialect.spell
  if (column === undefined || sequence === null) return
  await runWrite(writing, (shape) => {
    shape.describe('advance sequence', table)
    shape.addKeyPart('pass taken keys')
    const rows = addTable(shape, table)
    shape.addKeyPart(namesOf([column]))
    return sequence.advance({ table, column: column.name }, rows, shape)
  })
}
