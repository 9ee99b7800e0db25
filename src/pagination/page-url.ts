import { recent } from '../util/recent.js'
import type { PageParameters } from './page-request.js'

/**
 * The query string of another page: what the client wrote stays, `page[...]` is replaced. Brackets become
 * percent-encoded, as RFC 3986 has them in a query.
 */
export function pageQuery(rawQuery: string, page: PageParameters): string {
  let pairs = keptPairs(rawQuery)
  for (const [key, value] of page) pairs += `${pairs === '' ? '' : '&'}${queryPair(`page[${key}]`, value)}`
  return pairs
}

/** The links of one page keep the same, and so do those of the next request for it. */
const remembered = recent<string, string>(100)

function keptPairs(rawQuery: string): string {
  const known = remembered.get(rawQuery)
  if (known !== undefined) return known
  const kept = rawQuery.split('&').filter((pair) => pair !== '' && !isPage(pair))
  const pairs = kept.map(encodeBrackets).join('&')
  if (rawQuery.length <= LONGEST_REMEMBERED) remembered.set(rawQuery, pairs)
  return pairs
}

const LONGEST_REMEMBERED = 2048

/** `page%5Bnumber%5D=2` */
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
