import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { ColumnType } from '../../schema/column-type.js'
import type { RowLock, Spelling } from '../spelling.js'
import { castTo, memberType, membersOf } from './mysql-lists.js'

type Expression = RawBuilder<unknown>

/** The types of statements, by the type of a computed column. */
const castNames: Readonly<Partial<Record<ColumnType, string>>> = {
  integer: 'int8',
  bigint: 'int8',
  number: 'float8',
  real: 'float4',
  decimal: 'numeric',
  instant: 'timestamptz',
  timestamp: 'timestamp',
  epochSeconds: 'float8',
  epochMilliseconds: 'float8',
  date: 'date',
  time: 'time',
}

const locks: Readonly<Record<RowLock, string>> = {
  update: ' for update',
  'key share': ' lock in share mode',
  'update skip locked': ' for update skip locked',
}

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

/** Replaces ASCII letters: `lower` would change others too. */
function asciiLower(text: Expression): Expression {
  return letters.reduce(
    (replaced, letter) => sql`replace(${replaced}, ${sql.lit(letter)}, ${sql.lit(letter.toLowerCase())})`,
    text,
  )
}

/** Returns the spelling of an engine whose texts are compared by code points with a collation. */
export function mysqlSpelling(codePoints: Expression): Spelling {
  const exact = (text: Expression): Expression => sql`convert(${text} using utf8mb4) collate ${codePoints}`
  return Object.freeze<Spelling>({
    cast(expression, type) {
      if (type === 'text' || type === 'uuid') return sql`cast(${expression} as char) collate ${codePoints}`
      return castTo(expression, castNames[type] ?? null)
    },
    asText: (expression) => sql`cast(${expression} as char) collate ${codePoints}`,
    parameter: (slot, type) => castTo(sql`${slot}`, type),
    displayed: (reference) => sql`cast(${reference} as char)`,
    isoText: (reference) => sql`date_format(${reference}, '%Y-%m-%dT%H:%i:%s.%fZ')`,
    byCodePoints: (text, isExact) => (isExact ? text : sql`${text} collate ${codePoints}`),
    keyInOrder: (column) => column,
    lock: (lock) => sql.raw(locks[lock]),
    unlimited: sql` limit 18446744073709551615`,
    exists: (query) => sql<boolean>`exists (${query})`,
    existsByKey: (query) => sql<boolean>`exists (${query})`,
    differs: (column, value) => sql`not (${column} <=> ${value})`,
    /**
     * A collation that ignores case and accents finds all texts that match, and some others. Only these are compared
     * letter by letter, which takes some microseconds for each.
     */
    textSearch({ operator, value }, shape) {
      shape.addKeyPart(`text ${operator} ${value === ''}`)
      if (value === '') return (text) => sql<boolean>`${text} is not null`
      const escaped = value.replaceAll(/[|%_]/g, '|$&')
      const pattern = shape.bind(`${operator === 'starts' ? '' : '%'}${escaped}${operator === 'ends' ? '' : '%'}`)
      const wanted = shape.bind(value.replaceAll(/[A-Z]+/g, (found) => found.toLowerCase()))
      const length = operator === 'like' ? null : shape.bind(String(Array.from(value).length))
      return (text) => {
        const similar = sql`convert(${text} using utf8mb4) collate utf8mb4_general_ci like ${pattern} escape '|'`
        if (length === null) return sql<boolean>`(${similar} and instr(${exact(asciiLower(text))}, ${wanted}) > 0)`
        const part = sql`${sql.raw(operator === 'starts' ? 'left' : 'right')}(${text}, ${length})`
        return sql<boolean>`(${similar} and ${exact(asciiLower(part))} = ${wanted})`
      }
    },
    finer: {
      endOfMillisecond: (value) => sql`(${value} + interval 999 microsecond)`,
      asDouble: (value) => sql`cast(${value} as double)`,
      hasValue: (list, type, meets) =>
        sql<boolean>`exists (select 1 from ${membersOf(list, memberType(type, codePoints))} where ${meets(sql.id('listed', 'value'))})`,
    },
    // A subquery with two rows fails.
    failure: (column) => sql`(select ${column} is null union all select ${column} is null)`,
    givenKeys: sql``,
    defaultRow: sql`() values ()`,
    onConflict: null,
    boundRows: null,
    sequence: null,
    valueRows(columns, rows) {
      const [first = [], ...others] = rows
      const named = first.map((slot, index) => sql`${slot} as ${sql.id(columns[index] ?? '')}`)
      const all = [
        sql`select ${sql.join(named)}`,
        ...others.map((row) => sql`select ${sql.join(row.map((slot) => sql`${slot}`))}`),
      ]
      return { before: sql``, from: sql`(${sql.join(all, sql` union all `)}) as ${sql.id('given')}` }
    },
    updateFrom: ({ target, alias, changes, from, condition }) =>
      sql`update ${target} as ${sql.id(alias)} join ${from} on ${condition} set ${sql.join(changes.map(([name, value]) => sql`${sql.id(alias, name)} = ${value}`))}`,
    deleteFrom: ({ target, alias, condition }) =>
      sql`delete ${sql.id(alias)} from ${target} as ${sql.id(alias)} where ${condition}`,
    deleteFound({ target, keys, found }) {
      const same = keys.map((name) => sql`${sql.id('removed', name)} = ${sql.id('found', name)}`)
      return sql`delete ${sql.id('removed')} from ${target} as ${sql.id('removed')} join (${found}) as ${sql.id('found')} on ${sql.join(same, sql` and `)}`
    },
  })
}
