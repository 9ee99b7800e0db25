import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { quotedTable } from '../../schema/quoted-name.js'
import type { SqlColumn } from '../../schema/sql-table.js'
import { encodedValue } from '../../schema/sql-table.js'
import type { StatementShape } from '../../statement/statement-shape.js'
import type {
  BoundRowsSpelling,
  CheckedInsert,
  CheckedInsertSpelling,
  SequenceKey,
  SequenceSpelling,
} from '../spelling.js'
import { bytesText, sentValue } from './driver/sent-value.js'

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

/** The names of the parts of the statement. They must not be names of tables. */
const [referencedPart, storedPart] = ['ashlar_referenced', 'ashlar_stored']

const failure = 'ashlar: rows were skipped, or their keys are not those expected'

/** Not a part of `failure`: other rows may meet their conditions. */
export const unmetConditions = 'ashlar: a row does not meet its conditions'

const checkedInsert: CheckedInsertSpelling = Object.freeze<CheckedInsertSpelling>({
  failure,
  write(insert, shape) {
    const { into, rows, count, columns, returned, references, meets, keys } = insert
    const areMatched = keys.kind === 'generated' ? areNumbered(keys, shape) : haveKeys(keys)
    return () => {
      const isNumbered = keys.kind === 'generated'
      const order = isNumbered ? sql` order by given.ordinality` : sql``
      const isFound = sql`(select found from ${sql.id(referencedPart)})`
      const stored = sql.id(storedPart)
      const areMet = meets === null ? sql`` : conditionsOf(meets)
      const [inserted, given, read] = [names(columns), names(columns, 'given'), names(returned)]
      return sql`with ${sql.id(referencedPart)} as materialized (select ${references()} as found),
      ${stored} as (insert into ${into} (${inserted}) overriding system value
        select ${given} from ${rowsFrom(into, rows, isNumbered)} where ${isFound}${order}
        returning ${read})
      select ${read} from ${stored}
      union all select ${sql.join(returned.map(() => sql`null`))} where case${areMet}
        when (select count(*) from ${stored}) = ${count} and ${areMatched()} then false
        when not ${isFound} then false
        else (${sql.lit(failure)} || (select count(*) from ${stored}))::integer = 0 end`
    }
  },
})

function conditionsOf(meets: NonNullable<CheckedInsert['meets']>): RawBuilder<unknown> {
  const stored = sql.id(storedPart)
  return sql` when exists (select from ${stored} where (${meets(storedPart)}) is not true)
          then (${sql.lit(unmetConditions)} || (select count(*) from ${stored}))::integer = 0`
}

/** Rows of a JSON text, with the types of the columns of a table. */
function rowsFrom(table: RawBuilder<unknown>, rows: unknown, isNumbered = false): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::${table}, ${rows}::json)${isNumbered ? sql` with ordinality` : sql``} as given`
}

function names(columns: readonly string[], alias?: string): RawBuilder<unknown> {
  return sql.join(columns.map((name) => (alias === undefined ? sql.id(name) : sql.id(alias, name))))
}

type Keys<Kind> = Extract<CheckedInsert['keys'], { readonly kind: Kind }>

/** Returns the condition that the stored rows have keys of a sequence, in ascending order: then their order is that of the given rows. */
function areNumbered({ key }: Keys<'generated'>, shape: StatementShape): () => RawBuilder<unknown> {
  const usesSequence = postgresSequence.isUsed(key, shape)
  const column = sql.id(key.column)
  return () => sql`${usesSequence} and (select coalesce(bool_and(${column} > before), true)
    from (select ${column}, lag(${column}) over () as before from ${sql.id(storedPart)}) as numbered)`
}

/** Returns the condition that the stored rows have the given keys. */
function haveKeys({ column, isGiven, count }: Keys<'given'>): () => RawBuilder<unknown> {
  return () =>
    sql`(select count(distinct ${sql.id(column)}) from ${sql.id(storedPart)} where ${isGiven(storedPart)}) = ${count}`
}

/** Rows as one JSON text. PostgreSQL parses each value as the text of the column type, like a parameter. */
export const postgresBoundRows: BoundRowsSpelling = Object.freeze<BoundRowsSpelling>({
  valueOf: jsonText,
  from: rowsFrom,
  checkedInsert,
})

function jsonText<Row>(
  columns: readonly SqlColumn[],
  rows: readonly Row[],
  read: (row: Row, column: SqlColumn) => unknown,
): string | null {
  const members = columns.map((column) => ({ column, name: `${JSON.stringify(column.name)}:` }))
  let text = '['
  for (const row of rows) {
    let written = ''
    for (const { column, name } of members) {
      const value = encodedValue(column, read(row, column))
      // A member that is left out is null.
      if (value === null || value === undefined) continue
      const json = jsonValue(column, value)
      if (json === null) return null
      written += written === '' ? name + json : `,${name}${json}`
    }
    text += text === '[' ? `{${written}}` : `,{${written}}`
  }
  return `${text}]`
}

function jsonValue({ type }: SqlColumn, value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return type === 'json' ? wholeJson(value) : JSON.stringify(value)
    case 'number':
    case 'bigint':
    case 'boolean':
      return type === 'json' ? wholeJson(String(value)) : `"${value}"`
    default:
      if (value instanceof Uint8Array) return type === 'bytes' ? JSON.stringify(bytesText(value)) : null
      return Array.isArray(value) && type !== 'json' && hasText(value) ? JSON.stringify(sentValue(value)) : null
  }
}

/** Returns whether a member of an array has a text form: objects other than bytes and arrays have none. */
function hasText(member: unknown): boolean {
  if (Array.isArray(member)) return member.every(hasText)
  return typeof member !== 'object' || member === null || member instanceof Uint8Array
}

/**
 * Returns JSON to embed unchanged, so it must be exactly one value. Returns `null` for a JSON null, which would become
 * an SQL null.
 */
function wholeJson(text: string): string | null {
  try {
    return JSON.parse(text) === null ? null : text
  } catch {
    return null
  }
}
