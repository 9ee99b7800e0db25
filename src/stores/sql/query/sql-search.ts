import type { SearchCondition } from '../../../declare/resource/querying/row-condition.js'
import type { SqlSearch } from '../dialect/search-rules.js'
import type { RowsRead } from './statement-build.js'
import { queriedColumn } from './statement-build.js'

/** Returns a search in the rows of a statement. */
export function sqlSearch({ columns, query }: SearchCondition, rows: RowsRead): SqlSearch {
  const searched = columns.map(({ column, weight }) => ({ column: queriedColumn(column, rows), weight }))
  return { table: rows.table, columns: searched, query }
}
