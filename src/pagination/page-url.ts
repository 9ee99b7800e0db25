import type { PageParameters } from './page-request.js'

/**
 * The query string of another page: what the client wrote stays, `page[...]` is replaced. Brackets become
 * percent-encoded, as RFC 3986 has them in a query.
 */
export function pageQuery(rawQuery: string, page: PageParameters): string {
  const kept = rawQuery.split('&').filter((pair) => pair !== '' && !isPage(pair))
  return [...kept.map(encodeBrackets), ...pageParameters(page)].join('&')
}

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
