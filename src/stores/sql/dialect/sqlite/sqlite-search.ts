import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SearchQuery, SearchTerm } from '../../../../declare/resource/querying/search-query.js'
import { HIT } from '../../../../declare/resource/querying/search-query.js'
import type { LiveTable } from '../../schema/live-schema.js'
import { quotedName } from '../../schema/quoted-name.js'
import { columnReference } from '../../schema/sql-table.js'
import { tableReference } from '../../statement/table-reference.js'
import type { SearchRules, SqlSearch } from '../search-rules.js'
import { isEmptySearch, searchIndexName } from '../search-rules.js'
import { searchFunction } from './driver/search-function.js'

/** A term in the language of FTS5, which splits the quoted words like the texts. */
function phrase({ words, isPrefix }: SearchTerm): string {
  return `"${words.join(' ')}"${isPrefix ? ' *' : ''}`
}

function conjunction(terms: readonly SearchTerm[], operator: 'AND' | 'OR'): string {
  return terms.map(phrase).join(` ${operator} `)
}

/** FTS5 has no query that only excludes: its result is then the rows that do not match. */
function matchText({ required, excluded }: SearchQuery): string {
  if (required.length === 0) return conjunction(excluded, 'OR')
  const wanted = conjunction(required, 'AND')
  return excluded.length === 0 ? wanted : `(${wanted}) NOT (${conjunction(excluded, 'OR')})`
}

/** Returns the name of the virtual table of a search; null if the database has none, or the columns are computed. */
function indexOf({ table, columns }: SqlSearch): string | null {
  const names = columns.map(({ column }) => column.name)
  const isStored = columns.every(({ column }) => column.expression === null)
  return isStored && sqliteSearch.hasIndex(table.live, names) ? searchIndexName(table.live.name, names) : null
}

/** Searches without an index: a function of this process reads the texts of each row. */
function scan(search: SqlSearch, slot: unknown): (alias: string) => RawBuilder<unknown> {
  const texts = search.columns.map(({ column }) => column)
  return (alias) => {
    const values = texts.map((column) => sql`cast(${columnReference(column, alias)} as text)`)
    return sql`${sql.raw(searchFunction)}(${slot}, ${sql.join(values)})`
  }
}

function scanKey({ columns }: SqlSearch): string {
  return columns.map(({ column }) => column.name).join(',')
}

function scanText({ query, columns }: SqlSearch): string {
  return JSON.stringify([query, columns.map(({ weight }) => weight)])
}

/** Searches with FTS5. Its own rank, BM25, depends on all rows of the table, so it is not used. */
export const sqliteSearch: SearchRules = Object.freeze<SearchRules>({
  matches(search, shape) {
    const { table, query } = search
    const index = indexOf(search)
    const isNegated = query.required.length === 0
    shape.addKeyPart(`search ${index ?? `by function ${scanKey(search)}`} ${isNegated} ${isEmptySearch(query)}`)
    if (isEmptySearch(query)) return () => sql`1 = 0`
    if (index === null) {
      const matches = scan(search, shape.bind(scanText(search)))
      return (alias) => sql`${matches(alias)} is not null`
    }
    const slot = shape.bind(matchText(query))
    const found = sql`(select rowid from ${tableReference({ schema: table.schema, name: index })} where ${sql.id(index)} match ${slot})`
    return (alias) => sql`${sql.id(alias, 'rowid')} ${sql.raw(isNegated ? 'not in' : 'in')} ${found}`
  },
  relevance(search, shape) {
    const { table, columns, query } = search
    const index = indexOf(search)
    shape.addKeyPart(`relevance ${index ?? 'by function'} ${columns.map(({ weight }) => weight).join(',')}`)
    if (index === null) {
      const rank = scan(search, shape.bind(scanText(search)))
      return (alias) => rank(alias)
    }
    const terms = shape.bind(JSON.stringify(query.required.map(phrase)))
    return (alias) => {
      const ranks = columns.map(({ column, weight }) => {
        const filter = sql.lit(`{${quotedName(column.name)}} : `)
        const isHit = sql`exists (select 1 from ${tableReference({ schema: table.schema, name: index })} where rowid = ${sql.id(alias, 'rowid')} and ${sql.id(index)} match ${filter} || term.value)`
        const length = sql`coalesce(length(cast(${columnReference(column, alias)} as text)), 0)`
        return sql`(select count(*) from json_each(${terms}) as term where ${isHit}) * ${sql.lit(weight)} * (${sql.lit(HIT.base)} + ${sql.lit(HIT.short)} / (${sql.lit(HIT.offset)} + ${length}))`
      })
      return sql`(${sql.join(ranks, sql` + `)})`
    }
  },
  indexStatements({ name }, columns) {
    return [...definitions(name, columns), fill(searchIndexName(name, columns))]
  },
  hasIndex({ name, searchObjects = [] }: LiveTable, columns) {
    if (searchObjects.length === 0) return false
    const found = new Set(searchObjects.map(comparable))
    return definitions(name, columns).every((definition) => found.has(comparable(definition)))
  },
  probe: `select ${searchFunction}('[{"required":[],"excluded":[]},[]]')`,
  remedy:
    'This SQLite library has no user-defined functions, so it searches with an index only: create the index, or use another library.',
  needsIndexOnly: true,
})

/** The virtual table, which reads texts from the table, and the triggers that update it. */
function definitions(table: string, columns: readonly string[]): readonly string[] {
  const index = searchIndexName(table, columns)
  const [content, fts] = [quotedName(table), quotedName(index)]
  const named = columns.map(quotedName)
  const valuesOf = (row: 'new' | 'old'): string => [`${row}.rowid`, ...named.map((name) => `${row}.${name}`)].join(', ')
  const add = `insert into ${fts}(rowid, ${named.join(', ')}) values (${valuesOf('new')});`
  const remove = `insert into ${fts}(${fts}, rowid, ${named.join(', ')}) values ('delete', ${valuesOf('old')});`
  const isChanged = ['rowid', ...named].map((name) => `old.${name} is not new.${name}`).join(' or ')
  const trigger = (event: string): string => quotedName(`${index}_${event}`)
  const source = table.replaceAll("'", "''")
  return [
    `create virtual table ${fts} using fts5(${named.join(', ')}, content='${source}', content_rowid='rowid', tokenize="unicode61 remove_diacritics 2 categories 'L* Nd'")`,
    `create trigger ${trigger('insert')} after insert on ${content} begin ${add} end`,
    `create trigger ${trigger('delete')} after delete on ${content} begin ${remove} end`,
    `create trigger ${trigger('update')} after update on ${content} when ${isChanged} begin ${remove} ${add} end`,
  ]
}

/** Fills the index with the rows that are there. */
function fill(index: string): string {
  return `insert into ${quotedName(index)}(${quotedName(index)}) values ('rebuild')`
}

/** The catalogue has keywords at the beginning of a statement in capitals. */
function comparable(statement: string): string {
  return statement.toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
