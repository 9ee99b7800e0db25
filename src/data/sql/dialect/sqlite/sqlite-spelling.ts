import { sql } from 'kysely'
import type { Spelling } from '../spelling.js'
import { sqliteTextSearch } from './sqlite-text-search.js'
import { conflictClause } from '../common-sql.js'

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
  codePoints: sql.raw('binary'),
  keyInOrder: (column) => column,
  // A transaction that writes has the database to itself.
  lock: () => sql``,
  // It would otherwise merge both queries, and cut after the sort.
  unlimited: sql` limit -1`,
  // Without a limit, it converts the condition to a join, and then an offset counts a row twice that is found twice (seen in 3.53).
  exists: (query) => sql<boolean>`exists (${query} limit 1)`,
  differs: (column, value) => sql`${column} is not ${value}`,
  textSearch: sqliteTextSearch,
  finer: null,
  givenKeys: sql``,
  defaultRow: sql`default values`,
  onConflict: conflictClause,
  // JSON would round numbers.
  boundRows: null,
  sequence: null,
})
