import type { EngineName } from '../../core/util/engine-name.js'
import { dialects } from './dialect/dialects.js'
import { tableName } from './schema/table-model.js'

/**
 * Returns the statements that create the index of a filter with `search()`, for a migration: an index of PostgreSQL, or a virtual
 * table of SQLite with the triggers that update it. `ashlar check --database` prints those that are missing.
 *
 * @example
 * ```ts
 * import { searchIndex } from 'ashlar/sql'
 *
 * const migrate = (database: { exec(statement: string): void }) => {
 *   for (const statement of searchIndex('sqlite', 'albums', ['title', 'notes'])) database.exec(statement)
 * }
 * ```
 *
 * @param columns the names of the columns in the database, in the order of the filter
 * @param options with `ranked`, PostgreSQL also stores the words of the texts, so that sorts by relevance are fast if many rows match
 */
export function searchIndex(
  engine: EngineName,
  table: string,
  columns: readonly string[],
  { ranked = false }: { readonly ranked?: boolean } = {},
): readonly string[] {
  const { search } = dialects[engine]
  if (search === null)
    throw new TypeError(`The store does not search words on '${engine}', so it has no index for them.`)
  return Object.freeze(search.indexStatements(tableName(table), columns, ranked))
}
