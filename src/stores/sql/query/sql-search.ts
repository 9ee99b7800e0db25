import type { SearchCondition } from '../../../declare/resource/querying/row-condition.js'
import { invariant } from '../../../core/util/invariant.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { SearchRules, SqlSearch } from '../dialect/search-rules.js'
import type { RowsRead } from './statement-build.js'
import { queriedColumn } from './statement-build.js'

/** Returns how words are searched. The build refuses searches on an engine that has none. */
export function searchRules({ search }: SqlDialect): SearchRules {
  invariant(search !== null, 'words are searched on an engine that does not search them')
  return search
}

/** Returns a search in the rows of a statement. */
export function sqlSearch({ columns, query }: SearchCondition, rows: RowsRead): SqlSearch {
  const searched = columns.map(({ column, weight }) => ({ column: queriedColumn(column, rows), weight }))
  return { table: rows.table, columns: searched, query }
}
