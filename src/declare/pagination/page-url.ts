import { lruCache } from '../../core/util/lru-cache.js'
import type { PageParameters } from './page-request.js'

/**
 * Returns the query string of another page: `page[...]` is replaced, all other parameters of the request stay. Brackets
 * are percent-encoded, because RFC 3986 does not allow them in a query.
 */
export type PageQuery = (rawQuery: string, page: PageParameters) => string

/** Longer query strings are not cached, to limit the memory. */
const MAX_CACHED_LENGTH = 2048

/**
 * Creates the function for a service. It has a cache by raw query string: all links of a page, and those of the next request for it, need
 * the same pairs.
 */
export function pageQueries(): PageQuery {
  const cache = lruCache<string, string>(100)
  return (rawQuery, page) => {
    let pairs = cache.get(rawQuery)
    if (pairs === undefined) {
      pairs = pairsWithoutPage(rawQuery)
      if (rawQuery.length <= MAX_CACHED_LENGTH) cache.set(rawQuery, pairs)
    }
    for (const [key, value] of page) pairs += `${pairs === '' ? '' : '&'}${queryPair(`page[${key}]`, value)}`
    return pairs
  }
}

function pairsWithoutPage(rawQuery: string): string {
  const others = rawQuery.split('&').filter((pair) => pair !== '' && !isPage(pair))
  return others.map(encodeBrackets).join('&')
}

/** Returns page parameters as pairs of a query string: `page%5Bnumber%5D=2`. */
export function pageParameters(page: PageParameters): readonly string[] {
  return [...page].map(([key, value]) => queryPair(`page[${key}]`, value))
}

export function queryPair(name: string, value: string): string {
  return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`
}

function isPage(pair: string): boolean {
  const [name = ''] = pair.split('=', 1)
  return /^(?:p|%70)(?:a|%61)(?:g|%67)(?:e|%65)(?:\[|%5[Bb])/.test(name)
}

function encodeBrackets(pair: string): string {
  return pair.replaceAll('[', '%5B').replaceAll(']', '%5D')
}
