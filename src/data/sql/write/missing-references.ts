import { sql } from 'kysely'
import type { SqlFault } from '../driver/sql-fault.js'
import type { LiveForeignKey } from '../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { SetColumns } from './new-row.js'
import type { SqlWriting } from './sql-writing.js'
import { encoded, runRead } from './sql-writing.js'
import { columnsNamed } from './violated-columns.js'

interface Pointing {
  readonly table: SqlTable
  readonly set: SetColumns
}

/**
 * The columns by which a row points at one that is not there. None where it does not: then other rows pointed at what
 * would have changed. PostgreSQL names the constraint; SQLite says nothing, so that every row that the new one points at
 * is looked for.
 */
export async function missingReferences(
  { table: told, constraint }: Extract<SqlFault, { kind: 'foreignKey' }>,
  { table, set }: Pointing,
  writing: SqlWriting,
): Promise<readonly SqlColumn[]> {
  if (told !== null && told !== table.name) return []
  const isSet = (key: LiveForeignKey): boolean => columnsNamed(table, key.columns).some((column) => set.has(column))
  const candidates = table.live.foreignKeys.filter(isSet)
  if (constraint !== null) {
    const key = candidates.find(({ name }) => name === constraint)
    return key === undefined ? [] : columnsNamed(table, key.columns)
  }
  const missing: SqlColumn[] = []
  for (const key of candidates)
    if (!(await isThere(key, { table, set }, writing))) missing.push(...columnsNamed(table, key.columns))
  return missing
}

/** A key that is only set in part, or to null, points nowhere and may do so. */
async function isThere(key: LiveForeignKey, { table, set }: Pointing, writing: SqlWriting): Promise<boolean> {
  const columns = columnsNamed(table, key.columns)
  const values = columns.map((column) => encoded(column, set.get(column)))
  if (values.includes(null) || key.references.length !== columns.length) return true
  const { rows } = await runRead(writing, (shape) => {
    shape.note(`reference ${key.table} ${key.references.join(' ')}`)
    const slots = values.map((value) => shape.bind(value))
    return () => {
      const matches = key.references.map((name, index) => sql`${sql.id(name)} = ${slots[index]}`)
      return sql`select 1 from ${sql.id(key.table)} where ${sql.join(matches, sql` and `)} limit 1`
    }
  })
  return rows.length > 0
}
