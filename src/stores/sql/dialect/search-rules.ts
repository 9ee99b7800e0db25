import { createHash } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import type { SearchQuery } from '../../../declare/resource/querying/search-query.js'
import type { LiveTable, TableName } from '../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { StatementShape } from '../statement/statement-shape.js'

/** A search in the rows of a table. */
export interface SqlSearch {
  readonly table: SqlTable
  readonly columns: readonly { readonly column: SqlColumn; readonly weight: number }[]
  readonly query: SearchQuery
}

/** Returns an expression on the row of an alias. */
type SearchExpression = (alias: string) => RawBuilder<unknown>

/** How an engine searches words. All engines find the same rows, and give them the same ranks. */
export interface SearchRules {
  /** Binds a search. Returns the condition on a row. */
  readonly matches: (search: SqlSearch, shape: StatementShape) => SearchExpression
  /** Binds a search. Returns the rank of a row that matches: a whole number. */
  readonly relevance: (search: SqlSearch, shape: StatementShape) => SearchExpression
  /**
   * The statements that create the index of a search, by the names of the columns in the database.
   *
   * @param isRanked whether it is also for ranks of many rows: an engine that computes the words of each hit stores them
   */
  readonly indexStatements: (table: TableName, columns: readonly string[], isRanked: boolean) => readonly string[]
  /** Whether the database has that index, unchanged. */
  readonly hasIndex: (live: LiveTable, columns: readonly string[]) => boolean
  /** A query that fails if the database cannot search without an index, or not at all. */
  readonly probe: string
  /** What to do if it fails. */
  readonly remedy: string
  /** Whether a search with an index works although that query fails. */
  readonly needsIndexOnly: boolean
}

/** Returns the name of the index. It is another one for other columns, or another definition of words. */
export function searchIndexName(table: string, columns: readonly string[]): string {
  return searchName(table, columns)
}

/** Returns the name of the column that stores the words of a text. It is another one for another definition of words. */
export function searchColumnName(column: string): string {
  return searchName(column, [column])
}

/** Whether a column may be one that stores words. */
export function isSearchColumnName(name: string): boolean {
  return /_search_[\da-f]{8}$/.test(name)
}

function searchName(name: string, columns: readonly string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([1, columns]))
    .digest('hex')
  return `${name.slice(0, 40)}_search_${digest.slice(0, 8)}`
}

/** Whether a query has no term, so that no row matches. */
export function isEmptySearch({ required, excluded }: SearchQuery): boolean {
  return required.length === 0 && excluded.length === 0
}
