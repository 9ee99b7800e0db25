import { fail } from '../../../core/errors/json-api-error.js'
import type { FilterSpec } from '../../../declare/resource/filters/filter-spec.js'
import type { SearchQuery } from '../../../declare/resource/querying/search-query.js'
import {
  MAX_SEARCH_WORD,
  MAX_SEARCH_WORDS,
  parseSearch,
  wordsOf,
} from '../../../declare/resource/querying/search-query.js'
import type { FilterInput } from './filter-value.js'
import { plainFilterValue } from './filter-value.js'

/** Parses what a client searches for. Fails if there are more words, or longer ones, than a database may have to look up. */
export function searchOf(spec: FilterSpec, input: FilterInput): SearchQuery {
  const text = plainFilterValue(spec, input)
  const query = parseSearch(typeof text === 'string' ? text : '')
  const words = wordsOf(query)
  const { parameter = 'filter' } = input
  const exceeded = (limit: number, subject: string): never =>
    fail('LIMIT_EXCEEDED', { limit, subject }, { source: { parameter } })
  if (words.length > MAX_SEARCH_WORDS) exceeded(MAX_SEARCH_WORDS, 'words in one search')
  if (words.some((word) => word.length > MAX_SEARCH_WORD)) {
    exceeded(MAX_SEARCH_WORD, 'characters in one word of a search')
  }
  return query
}
