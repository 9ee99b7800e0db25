import { sql } from 'kysely'
import { jsonList } from '../../query/statement-build.js'
import { commonWrites, likePattern } from '../common-sql.js'
import type { ListSpelling, Spelling } from '../spelling.js'

/** The longest value that is searched with `like`. */
const LONGEST_LIKE = 16

/**
 * Searches with `like` for short values: it takes half the time of `instr` for texts of a sentence, but up to the product of both
 * lengths for a text that repeats itself: 50 ms for 1,000,000 letters and a value of 16, and a minute for a value of 8,000.
 * It ends at U+0000, which no attribute stores, but another program may. An index with the collation `nocase` serves `like` with a prefix.
 */
const sqliteTextSearch: Spelling['textSearch'] = (search, shape) => {
  const { operator, value } = search
  const isShort = operator === 'like' && value !== '' && value.length <= LONGEST_LIKE
  if (operator !== 'starts' && !isShort) return linearSearch(search, shape)
  const slot = shape.bind(likePattern(search))
  shape.addKeyPart('like')
  return (text) => sql<boolean>`${text} like ${slot} escape '\\'`
}

/**
 * Searches a text without `like`, whose loop over the characters of both texts cannot be interrupted. `instr` compares memory:
 * 1,000,000 letters take less than a tenth of a second.
 */
const linearSearch: Spelling['textSearch'] = ({ operator, value }, shape) => {
  if (value === '') {
    shape.addKeyPart('any text')
    return (text) => sql<boolean>`${text} is not null`
  }
  const lowered = asciiLowerCase(value)
  if (operator === 'like') {
    shape.addKeyPart('instr')
    const slot = shape.bind(lowered)
    return (text) => sql<boolean>`instr(lower(${text}), ${slot}) > 0`
  }
  // Code points are counted, and from the end if the number is negative.
  shape.addKeyPart('substr')
  const start = shape.bind(-Array.from(value).length)
  const slot = shape.bind(lowered)
  return (text) => sql<boolean>`lower(substr(${text}, ${start})) = ${slot}`
}

/** `lower` changes ASCII letters only. */
function asciiLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

export const sqliteSpelling: Spelling = Object.freeze<Spelling>({
  // It has one type of each kind.
  cast: (expression) => expression,
  asText: (expression) => sql`cast(${expression} as text)`,
  parameter: (slot) => sql`${slot}`,
  // It would convert bytes and infinite numbers too, which filters would not find: they stay unchanged, and are not shown.
  displayed: (reference) =>
    sql`case when typeof(${reference}) = 'blob' or ${reference} in (9e999, -9e999) then ${reference} else cast(${reference} as text) end`,
  isoText: null,
  // The default collation of columns, so that their indexes can be used.
  byCodePoints: (text) => sql`${text} collate binary`,
  keyInOrder: (column) => column,
  // A transaction that writes has the database to itself.
  lock: () => sql``,
  // It would otherwise merge both queries, and cut after the sort.
  unlimited: sql` limit -1`,
  // Without a limit, it converts the condition to a join, and then an offset counts a row twice that is found twice (seen in 3.53).
  exists: (query) => sql<boolean>`exists (${query} limit 1)`,
  existsByKey: (query) => sql<boolean>`exists (${query} limit 1)`,
  differs: (column, value) => sql`${column} is not ${value}`,
  textSearch: sqliteTextSearch,
  finer: null,
  // An overflow. The column keeps it from being computed in advance.
  failure: (column) => sql`abs(-9223372036854775807 - (${column} is ${column}))`,
  givenKeys: sql``,
  defaultRow: sql`default values`,
  ...commonWrites,
  // JSON would round numbers.
  boundRows: null,
  sequence: null,
})

/** Lists are JSON texts. */
export const sqliteLists: ListSpelling = Object.freeze<ListSpelling>({
  value: jsonList,
  contains: (list, _type, value) => sql<boolean>`${value} in (select value from json_each(${list}))`,
  rows: (list) => ({ from: sql`json_each(${list})`, item: sql.id('value') }),
  item: (list, index) => sql`json_extract(${list}, ${sql.lit(`$[${index}]`)})`,
  members: (list, alias) =>
    sql`json_each(case when typeof(${list}) = 'blob' then '[]' when json_valid(${list}) and json_type(${list}) = 'array' then ${list} else json_array(${list}) end) as ${sql.id(alias)}`,
  /** JSON has booleans, which the value shows as 0 and 1. */
  memberText(alias) {
    const type = sql.id(alias, 'type')
    return sql`case when ${type} in ('true', 'false') then ${type} else cast(${sql.id(alias, 'value')} as text) end`
  },
  memberNumber: (alias) =>
    sql`case when ${sql.id(alias, 'type')} in ('integer', 'real') then cast(${sql.id(alias, 'value')} as real) end`,
  number: Number,
  overlaps: null,
})
