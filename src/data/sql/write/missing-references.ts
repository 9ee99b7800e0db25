import { sql } from 'kysely'
import type { SqlFault } from '../driver/sql-fault.js'
import type { LiveForeignKey } from '../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { constraintColumns } from './constraint-columns.js'
import type { SetColumns } from './new-row.js'
import { refusedPlace } from './refused-place.js'
import type { SqlWriting } from './sql-writing.js'
import { encoded, runRead } from './sql-writing.js'
import { columnsNamed } from './violated-columns.js'

interface RefusedRow {
  readonly table: SqlTable
  readonly set: SetColumns
}

/**
 * The columns by which a row points at one that is not there. None where it does not: then other rows pointed at what
 * would have changed. PostgreSQL names the constraint; SQLite says nothing, so that every row that the new one points at
 * is looked for.
 */
export async function missingReferences(
  fault: Extract<SqlFault, { kind: 'foreignKey' }>,
  { table, set }: RefusedRow,
  writing: SqlWriting,
): Promise<readonly SqlColumn[]> {
  const isSet = (columns: readonly SqlColumn[]): boolean => columns.some((column) => set.has(column))
  if (writing.store.engine === 'postgres') {
    const place = await refusedPlace(fault, table, writing)
    const columns = place === null ? [] : await constraintColumns(fault.constraint, { table, place }, writing)
    return isSet(columns) ? columns : []
  }
  const missing: SqlColumn[] = []
  for (const key of table.live.foreignKeys) {
    const columns = columnsNamed(table, key.columns)
    if (isSet(columns) && !(await isThere(key, { table, set }, writing))) missing.push(...columns)
  }
  return missing
}

/** A key that is only set in part, or to null, points nowhere and may do so. */
async function isThere(key: LiveForeignKey, { table, set }: RefusedRow, writing: SqlWriting): Promise<boolean> {
  const columns = columnsNamed(table, key.columns)
  const values = columns.map((column) => encoded(column, set.get(column)))
  if (values.includes(null) || key.references.length !== columns.length) return true
  const { rows } = await runRead(writing, (shape) => {
    // It is in the same file as what points at it.
    const place = [table.live.schema ?? 'main', key.table]
    shape.addKeyPart(JSON.stringify(['reference', place, key.references]))
    const slots = values.map((value) => shape.bind(value))
    return () => {
      const matches = key.references.map((name, index) => sql`${sql.id(name)} = ${slots[index]}`)
      return sql`select 1 from ${sql.id(...place)} where ${sql.join(matches, sql` and `)} limit 1`
    }
  })
  return rows.length > 0
}
