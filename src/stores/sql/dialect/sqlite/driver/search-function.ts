import type { SearchQuery } from '../../../../../declare/resource/querying/search-query.js'
import type { SearchMatcher } from '../../../../row-query/search-match.js'
import { searchMatcher } from '../../../../row-query/search-match.js'

/** The name of the function that searches the texts of a row if there is no index. */
export const searchFunction = 'ashlar_search'

interface WithFunctions {
  function(name: string, options: object, apply: (...values: unknown[]) => unknown): unknown
}

/** The connections that have the function: it cannot be defined again while a statement runs. */
const defined = new WeakSet<object>()

/**
 * Defines the function of a search and texts: the rank of the row, or null if it does not match. Not every library has user-defined
 * functions.
 */
export function defineSearchFunction(database: object): void {
  if (defined.has(database) || !hasFunctions(database)) return
  defined.add(database)
  let [current, matcher]: [unknown, SearchMatcher | null] = [null, null]
  const rank = (search: unknown, ...texts: unknown[]): number | null => {
    if (matcher === null || search !== current) {
      const [query, weights] = JSON.parse(String(search)) as [SearchQuery, readonly number[]]
      ;[current, matcher] = [search, searchMatcher(query, weights)]
    }
    const found = texts.map((text) => (typeof text === 'string' ? text : null))
    return matcher.matches(found) ? matcher.relevance(found) : null
  }
  try {
    database.function(searchFunction, { deterministic: true, varargs: true }, rank)
  } catch {
    // Searches then need an index, which the inspection of the database reports.
  }
}

function hasFunctions(database: object): database is WithFunctions {
  return 'function' in database && typeof database.function === 'function'
}
