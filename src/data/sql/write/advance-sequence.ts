import { sql } from 'kysely'
import { namesOf } from '../query/wanted-columns.js'
import type { SqlTable } from '../schema/sql-table.js'
import { constraintTable } from './constraint-violations/constraint-table.js'
import { violatedColumns } from './constraint-violations/violated-columns.js'
import type { SqlWriting } from './sql-writing.js'
import { addTable, quotedName, runWrite } from './sql-writing.js'

/**
 * Returns whether a new row was refused because the key that PostgreSQL generated is taken by a row that was inserted with an
 * explicit key.
 */
export async function generatedTakenKey(thrown: unknown, table: SqlTable, writing: SqlWriting): Promise<boolean> {
  const { engine, driver } = writing.store
  const fault = engine.name === 'postgres' ? driver.faultOf(thrown) : null
  if (fault?.kind !== 'unique') return false
  const [only, ...others] = violatedColumns(fault, table)
  if (only?.property !== table.key || others.length > 0) return false
  return (await constraintTable(fault, table, writing)) !== null
}

/**
 * Moves the sequence of the keys to the end of the consecutive keys that are taken. It does not move past the largest key: a client that
 * chooses the largest possible key would then use up all keys. Other transactions may have moved the sequence further in the meantime, so
 * its last value is read again when it is set.
 */
export async function advanceSequence(table: SqlTable, writing: SqlWriting): Promise<void> {
  const column = table.key === null ? undefined : table.columnOf.get(table.key)
  if (column === undefined) return
  await runWrite(writing, (shape) => {
    shape.describe('advance sequence', table)
    shape.addKeyPart('pass taken keys')
    const rows = addTable(shape, table)
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
