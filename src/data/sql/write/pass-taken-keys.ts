import { sql } from 'kysely'
import { namesOf } from '../query/wanted-columns.js'
import type { SqlTable } from '../schema/sql-table.js'
import { refusedPlace } from './refused-place.js'
import { violatedColumns } from './violated-columns.js'
import type { SqlWriting } from './sql-writing.js'
import { notedTable, quotedName, runWrite } from './sql-writing.js'

/** Whether a new row was refused since the key that PostgreSQL gave it is one that rows were brought with. */
export async function gaveTakenKey(thrown: unknown, table: SqlTable, writing: SqlWriting): Promise<boolean> {
  const { engine, driver } = writing.store
  const fault = engine === 'postgres' ? driver.faultOf(thrown) : null
  if (fault?.kind !== 'unique') return false
  const [only, ...others] = violatedColumns(fault, table)
  if (only?.property !== table.key || others.length > 0) return false
  return (await refusedPlace(fault, table, writing)) !== null
}

/**
 * Moves the sequence of the keys to the end of the run of keys that are taken: past the largest of all would let one
 * client, who chooses the largest key that there can be, use all keys up. Others may have moved it further meanwhile, so
 * it is asked once more before it is set.
 */
export async function passTakenKeys(table: SqlTable, writing: SqlWriting): Promise<void> {
  const column = table.key === null ? undefined : table.columnOf.get(table.key)
  if (column === undefined) return
  await runWrite(writing, (shape) => {
    shape.addKeyPart('pass taken keys')
    const rows = notedTable(shape, table)
    shape.addKeyPart(namesOf([column]))
    const [name, owned] = [shape.bind(quotedName(table)), shape.bind(column.name)]
    return () => {
      const [key, next] = [sql.id('taken', column.name), sql.id('next', column.name)]
      return sql`with keys as materialized (
          select owned.sequence, pg_sequence_last_value(owned.sequence) as last
          from (select pg_get_serial_sequence(${name}::text, ${owned}::text)::regclass as sequence) as owned
          where owned.sequence is not null
        )
        select setval(keys.sequence, greatest((
          select ${key} from ${rows} as taken
          where ${key} >= keys.last and ${key} < 9223372036854775807
          and not exists (select 1 from ${rows} as next where ${next} = ${key}::int8 + 1)
          order by ${key} limit 1), pg_sequence_last_value(keys.sequence), 1)) from keys`
    }
  })
}
