import { sql } from 'kysely'
import { quotedTable } from '../../schema/quoted-name.js'
import type { StatementShape } from '../../statement/statement-shape.js'
import type { SequenceKey, SequenceSpelling } from '../spelling.js'

function bound({ table, column }: SequenceKey, shape: StatementShape) {
  return [shape.bind(quotedTable(table.schema, table.name)), shape.bind(column)] as const
}

export const postgresSequence: SequenceSpelling = Object.freeze<SequenceSpelling>({
  /** The column is an identity column, or its default is the next value of a sequence. */
  isUsed(key, shape) {
    const [of, column] = bound(key, shape)
    return sql`exists (
      select from pg_catalog.pg_attribute a
      left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      join pg_catalog.pg_sequence s on s.seqrelid = to_regclass(case when a.attidentity = ''
        then substring(pg_get_expr(d.adbin, d.adrelid) from '^nextval\\(''([^'']+)''::regclass\\)$')
        else pg_get_serial_sequence(${of}::text, ${column}::text) end)
      where a.attrelid = to_regclass(${of}::text) and a.attname = ${column}::text)`
  },
  advance(sequenceKey, rows, shape) {
    const [name, owned] = bound(sequenceKey, shape)
    const [key, next] = [sql.id('taken', sequenceKey.column), sql.id('next', sequenceKey.column)]
    return () =>
      sql`with keys as materialized (
          select owned.sequence, pg_sequence_last_value(owned.sequence) as last
          from (select pg_get_serial_sequence(${name}::text, ${owned}::text)::regclass as sequence) as owned
          where owned.sequence is not null
        )
        select setval(keys.sequence, greatest((
          select ${key} from ${rows} as taken
          where ${key} >= keys.last and ${key} < 9223372036854775807
          and not exists (select 1 from ${rows} as next where ${next} = ${key}::int8 + 1)
          order by ${key} limit 1), pg_sequence_last_value(keys.sequence), 1)) from keys`
  },
})
