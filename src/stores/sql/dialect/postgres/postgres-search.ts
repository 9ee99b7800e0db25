import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SearchTerm } from '../../../../declare/resource/querying/search-query.js'
import { HIT, SEARCHED_CHARACTERS } from '../../../../declare/resource/querying/search-query.js'
import { quotedName, quotedTable } from '../../schema/quoted-name.js'
import { columnReference } from '../../schema/sql-table.js'
import type { SearchRules, SqlSearch } from '../search-rules.js'
import { isEmptySearch, searchIndexName } from '../search-rules.js'

/**
 * The words of a text, as `searchWords()` returns them, between the parts of an expression. The parser of PostgreSQL gets words
 * and spaces only: it would keep addresses, paths and numbers with a sign together. All functions are immutable, so an index can
 * have the expression. The planner uses the index if the expression in a statement is the same.
 */
const [before, after] = [
  `to_tsvector('pg_catalog.simple'::regconfig, regexp_replace(replace(normalize(regexp_replace(lower(normalize(left((`,
  `)::text, ${SEARCHED_CHARACTERS}), NFD) collate "und-x-icu"), '([a-z])[\\u0300-\\u036f]+', '\\1', 'g'), NFC), 'ς', 'σ') collate "und-x-icu", '[^[:alnum:]]+', ' ', 'g'))`,
]

function vectorOf(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${sql.raw(before)}${text}${sql.raw(after)}`
}

/** A term in the language of queries. */
function queryText({ words, isPrefix }: SearchTerm): string {
  return `${words.map((word) => `'${word}'`).join(' <-> ')}${isPrefix ? ':*' : ''}`
}

/** The part of the cache key: the text depends on the columns and the weights. */
function keyOf({ columns }: SqlSearch): string {
  return columns.map(({ column, weight }) => `${column.name} ${weight}`).join(',')
}

/** Searches with text search vectors. Without an index, they are computed for each row. */
export const postgresSearch: SearchRules = Object.freeze<SearchRules>({
  matches(search, shape) {
    const { columns, query } = search
    const { required, excluded } = query
    shape.addKeyPart(`search ${keyOf(search)} ${required.length} ${excluded.length}`)
    if (isEmptySearch(query)) return () => sql`1 = 0`
    const wanted = required.map((term) => shape.bind(queryText(term)))
    const unwanted = excluded.map((term) => shape.bind(queryText(term)))
    return (alias) => {
      const vectors = columns.map(({ column }) => vectorOf(columnReference(column, alias)))
      const isIn = (slot: unknown): RawBuilder<unknown> =>
        sql`(${sql.join(
          vectors.map((vector) => sql`${vector} @@ ${slot}::tsquery`),
          sql` or `,
        )})`
      // Without words, as in a null, nothing is excluded.
      const conditions = [...wanted.map(isIn), ...unwanted.map((slot) => sql`not coalesce(${isIn(slot)}, false)`)]
      return sql`(${sql.join(conditions, sql` and `)})`
    }
  },
  /** Computes the vector of each column once, for any number of terms. */
  relevance(search, shape) {
    const { columns, query } = search
    shape.addKeyPart(`relevance ${keyOf(search)}`)
    const terms = shape.bind(query.required.map(queryText))
    return (alias) => {
      const vectors = columns.map(({ column }, index) => {
        return sql`${vectorOf(columnReference(column, alias))} as ${sql.id(`v${index}`)}`
      })
      const ranks = columns.map(({ column, weight }, index) => {
        const hits = sql`(select count(*) from unnest(${terms}::tsquery[]) as term where ${sql.id('searched', `v${index}`)} @@ term)`
        const length = sql`coalesce(char_length((${columnReference(column, alias)})::text), 0)`
        return sql`${hits} * ${sql.lit(weight)} * (${sql.lit(HIT.base)} + ${sql.lit(HIT.short)} / (${sql.lit(HIT.offset)} + ${length}))`
      })
      return sql`(select ${sql.join(ranks, sql` + `)} from (select ${sql.join(vectors)} offset 0) as searched)`
    }
  },
  indexStatements({ schema, name }, columns) {
    const vectors = columns.map((column) => `(${before}${quotedName(column)}${after})`)
    const index = quotedName(searchIndexName(name, columns))
    return [`create index ${index} on ${quotedTable(schema, name)} using gin (${vectors.join(', ')})`]
  },
  hasIndex: ({ indexes, name }, columns) => indexes.some((index) => index.name === searchIndexName(name, columns)),
  probe: `select ${before}'a'${after}`,
  remedy: 'PostgreSQL searches from version 13 on, in databases with the encoding UTF8, and if it was built with ICU.',
  needsIndexOnly: false,
})
