import { sql } from 'kysely'
import type { SqlFault } from '../../driver/sql-fault.js'
import type { LiveForeignKey } from '../../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../../schema/sql-table.js'
import type { SetColumns } from '../new-row.js'
import type { SqlWriting } from '../sql-writing.js'
import { encodedValue, runRead } from '../sql-writing.js'
import { constraintColumns } from './constraint-columns.js'
import { constraintTable } from './constraint-table.js'
import { columnsNamed } from './violated-columns.js'

interface ViolatingRow {
  readonly table: SqlTable
  readonly set: SetColumns
}

/**
 * Returns the columns of a row that refer to a missing row. Returns none if all references exist: then other rows refer
 * to the row that would have changed. If the engine does not name the constraint, every reference of the row is checked.
 */
export async function missingReferences(
  fault: Extract<SqlFault, { kind: 'foreignKey' }>,
  { table, set }: ViolatingRow,
  writing: SqlWriting,
): Promise<readonly SqlColumn[]> {
  const isSet = (columns: readonly SqlColumn[]): boolean => columns.some((column) => set.has(column))
  if (writing.store.dialect.constraints.columnsOf !== null) {
    const constrained = await constraintTable(fault, table, writing)
    const columns =
      constrained === null ? [] : await constraintColumns(fault.constraint, { table, constrained }, writing)
    return isSet(columns) ? columns : []
  }
  const missing: SqlColumn[] = []
  for (const key of table.live.foreignKeys) {
    const columns = columnsNamed(table, key.columns)
    if (isSet(columns) && !(await referenceExists(key, { table, set }, writing))) missing.push(...columns)
  }
  return missing
}

/**
 * Returns whether the referenced row exists. A foreign key with a null or without all of its columns refers to nothing, which
 * is allowed.
 */
async function referenceExists(
  key: LiveForeignKey,
  { table, set }: ViolatingRow,
  writing: SqlWriting,
): Promise<boolean> {
  const columns = columnsNamed(table, key.columns)
  const values = columns.map((column) => encodedValue(column, set.get(column)))
  if (values.includes(null) || key.references.length !== columns.length) return true
  const { rows } = await runRead(writing, (shape) => {
    // A foreign key of SQLite refers to a table of the same database file.
    const path = [table.live.schema ?? 'main', key.table]
    shape.describe('find', { schema: table.live.schema, name: key.table })
    shape.addKeyPart(JSON.stringify(['reference', path, key.references]))
    const slots = values.map((value) => shape.bind(value))
    return () => {
      const matches = key.references.map((name, index) => sql`${sql.id(name)} = ${slots[index]}`)
      return sql`select 1 from ${sql.id(...path)} where ${sql.join(matches, sql` and `)} limit 1`
    }
  })
  return rows.length > 0
}
