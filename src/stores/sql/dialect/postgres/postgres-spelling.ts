import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { isNumberText } from '../../query/statement-build.js'
import type { ColumnType } from '../../schema/column-type.js'
import { commonWrites, likePattern } from '../common-sql.js'
import type { ListSpelling, Spelling } from '../spelling.js'
import { postgresBoundRows, postgresSequence, unmetConditions } from './postgres-sequence.js'

type Cast = (expression: RawBuilder<unknown>) => RawBuilder<unknown>

const castTo =
  (name: string): Cast =>
  (expression) =>
    sql`${expression}::${sql.raw(name)}`

/** Values are compared and sorted by the type of the expression, which may differ: `avg()` of integers is numeric, not a double. */
const casts: Readonly<Record<ColumnType, Cast | null>> = {
  text: castTo('text'),
  integer: castTo('int8'),
  bigint: castTo('int8'),
  number: castTo('float8'),
  real: castTo('float4'),
  decimal: castTo('numeric'),
  boolean: castTo('bool'),
  instant: castTo('timestamptz'),
  timestamp: castTo('timestamp'),
  // A `Date` has a precision of milliseconds.
  epochSeconds: (expression) => sql`round(${expression}::numeric, 3)::float8`,
  epochMilliseconds: (expression) => sql`round(${expression}::numeric)::float8`,
  date: castTo('date'),
  time: castTo('time'),
  json: castTo('json'),
  // The type of the items is not declared.
  list: null,
  uuid: castTo('uuid'),
  bytes: castTo('bytea'),
  other: null,
}

const codePoints = sql.id('C')

export const postgresSpelling: Spelling = Object.freeze<Spelling>({
  cast: (expression, type) => casts[type]?.(expression) ?? expression,
  asText: castTo('text'),
  parameter: (slot, type) => (type === null ? sql`${slot}` : sql`${slot}::${sql.raw(type)}`),
  displayed: castTo('text'),
  /** An infinite instant has only the text that the database displays. */
  isoText(reference, type) {
    const utc = type === 'instant' ? sql`${reference} at time zone 'UTC'` : reference
    return sql`case when isfinite(${reference}) then to_char(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') else ${reference}::text end`
  },
  byCodePoints: (text) => sql`${text} collate ${codePoints}`,
  keyInOrder: (column, type) => (type === 'text' ? sql`${column} collate ${codePoints}` : column),
  lock: (lock) => sql` for ${sql.raw(lock)}`,
  unlimited: sql``,
  exists: (query) => sql<boolean>`exists (${query})`,
  // Without `offset`, the planner may read the whole table into memory: it takes the rows before `limit` for those that are returned.
  existsByKey: (query) => sql<boolean>`exists (${query} offset 0)`,
  differs: (column, value) => sql`${column} is distinct from ${value}`,
  /** An index of trigrams serves `ilike`. With the collation "C", only ASCII letters match in both cases. */
  textSearch(search, shape) {
    const slot = shape.bind(likePattern(search))
    shape.addKeyPart('like')
    return (text) => sql<boolean>`${text} collate ${codePoints} ilike ${slot}::text escape '\\'`
  },
  finer: {
    endOfMillisecond: (value) => sql`${value} + interval '999 microseconds'`,
    asDouble: (value) => sql`(${value})::float8`,
    hasValue: (list, type, meets) =>
      sql<boolean>`exists (select from unnest(${list}::${sql.raw(type)}[]) as listed(value) where ${meets(sql.id('listed', 'value'))})`,
  },
  failure: (column) => sql`concat(${sql.lit(unmetConditions)}, ${column} is null)::integer`,
  // A column that is GENERATED ALWAYS AS IDENTITY accepts a given key only with this clause. It has no effect on others.
  givenKeys: sql`overriding system value `,
  defaultRow: sql`default values`,
  ...commonWrites,
  boundRows: postgresBoundRows,
  sequence: postgresSequence,
})

export const postgresLists: ListSpelling = Object.freeze<ListSpelling>({
  value: (values) => values,
  contains: (list, type, value) => sql<boolean>`${value} = any(${list}::${sql.raw(type)}[])`,
  rows: (list) => ({
    from: sql`jsonb_array_elements(${list}::jsonb) as ${sql.id('listed')}(${sql.id('value')})`,
    item: sql.id('listed', 'value'),
  }),
  item: (list, index, type) => sql`(${list}->>${sql.lit(index)})::${sql.raw(type)}`,
  members(list, alias) {
    const json = sql`to_jsonb(${list})`
    return sql`jsonb_array_elements(case when jsonb_typeof(${json}) = 'array' then ${json} else jsonb_build_array(${json}) end) as ${sql.id(alias)}(value)`
  },
  memberText: (alias) => sql`${sql.id(alias, 'value')} #>> '{}'`,
  memberNumber(alias) {
    const member = sql.id(alias, 'value')
    return sql`case when jsonb_typeof(${member}) = 'number' then (${member} #>> '{}')::float8 end`
  },
  number: (text) => text,
  /** Uses the overlap operator of arrays, for which an index can be used. */
  overlaps({ items, isRounded, values }, shape) {
    const exact = comparedItems(items)
    const type = exact === 'numeric' && isRounded ? 'float8' : exact
    const numbers = values.filter(isNumberText).map((text) => (type === 'float4' ? Math.fround(Number(text)) : text))
    const slot = shape.bind(type === 'text' ? values : numbers)
    shape.addKeyPart(`overlap ${items ?? 'text'} ${type}`)
    // A cast to text differs from the text that is shown for some types: it adds the mask to an `inet`.
    return items === 'other'
      ? (reference) =>
          sql`exists (select from unnest(${reference}) as item(value) where format('%s', item.value) = any(${slot}::text[]))`
      : (reference) => sql`${reference}::${sql.raw(type)}[] && ${slot}::${sql.raw(type)}[]`
  },
})

/** The type that the items of an array are compared as. */
function comparedItems(items: ColumnType | null): 'text' | 'numeric' | 'float8' | 'float4' {
  switch (items) {
    case 'integer':
    case 'bigint':
    case 'decimal':
      return 'numeric'
    case 'number':
      return 'float8'
    case 'real':
      return 'float4'
    default:
      return 'text'
  }
}
