import { queryOf, withQuery } from '../crawl/addresses.js'
import type { KnownType } from '../crawl/knowledge.js'
import { identifiersIn, type Identity, isSameSet, keyOf, linksOf } from '../documents/document-links.js'
import { dataDocument, type Exchange, responded } from '../exchange/exchange.js'
import { type Check, probe, type Run } from './run.js'

/** https://jsonapi.org/format/1.1/#fetching-pagination */
export const pagination: Check = {
  name: 'pagination',
  statements: [
    'pagination-keys',
    'pagination-order',
    'pagination-page-parameter',
    'pagination-unavailable-link',
    'pagination-links-object',
  ],
  async run(run) {
    await Promise.all([...run.knowledge.types.values()].map((type) => checkType(type, run)))
  },
}

/** Names that servers have for the size of a page. The format names none. */
const sizes: readonly string[] = ['page[size]', 'page[limit]']

async function checkType({ collection }: KnownType, run: Run): Promise<void> {
  if (collection === null || identifiersIn(dataDocument(collection.exchange)?.['data']).length === 0) return
  const page = await firstPage(collection.url, collection.exchange, run)
  if (page === null) return
  checkParameters(page, collection.url, run)
  const next = await linked(page, 'next', run)
  if (next === null) return
  await checkNext(page, next, run)
  const last = await linked(next, 'last', run)
  if (last === null) return
  run.ledger.expect('pagination-order', !('next' in linksOf(last.document)), {
    problem: `${responded(last)} with a link 'next', although it is the link 'last' of another page.`,
    pointer: '/links/next',
    exchange: last,
  })
}

/** Returns a page that has a next one: the collection itself, or its first page with few resources. */
export async function firstPage(url: string, exchange: Exchange, run: Run): Promise<Exchange | null> {
  if ('next' in linksOf(exchange.document)) return exchange
  if (identifiersIn(dataDocument(exchange)?.['data']).length < 2) return null
  for (const size of sizes) {
    const page = await probe(run, withQuery(url, { [size]: '1' }))
    if (page !== null && dataDocument(page) !== null && 'next' in linksOf(page.document)) return page
  }
  return null
}

/** Reads another page by its link; `null` if there is none. */
export async function linked(page: Exchange, name: string, run: Run): Promise<Exchange | null> {
  const href = linksOf(page.document)[name]
  const address = href === undefined ? null : run.addresses.resolve(href, page.request.url)
  if (address?.kind !== 'internal') return null
  const exchange = await probe(run, address.url)
  if (exchange === null) return null
  run.ledger.expect('pagination-unavailable-link', exchange.response.status === 200, {
    problem: `${responded(exchange)}, although the document has the link '${name}'.`,
    exchange,
  })
  return dataDocument(exchange) === null ? null : exchange
}

function resourcesOf(page: Exchange): readonly Identity[] {
  return identifiersIn(dataDocument(page)?.['data'])
}

/** Checks that the next page has other resources, and a link back to this page. */
async function checkNext(page: Exchange, next: Exchange, run: Run): Promise<void> {
  const isSame = isSamePage(page, next)
  run.ledger.expect('pagination-keys', !isSame, {
    problem: `${responded(next)} with the same resources, although it is the link 'next' of ${page.request.url}.`,
    exchange: next,
  })
  if (isSame) return
  await expectPage(next, 'prev', page, run)
  if (!('prev' in linksOf(page.document))) await expectPage(next, 'first', page, run)
}

/** Returns whether a page has only resources of the page before it. */
export function isSamePage(page: Exchange, next: Exchange): boolean {
  const known = new Set(resourcesOf(page).map(keyOf))
  return resourcesOf(next).length > 0 && resourcesOf(next).every((each) => known.has(keyOf(each)))
}

async function expectPage(from: Exchange, name: string, expected: Exchange, run: Run): Promise<void> {
  const exchange = await linked(from, name, run)
  if (exchange === null) return
  const isExpected = isSameSet(resourcesOf(exchange), resourcesOf(expected))
  if (!isExpected && (await hasChanged(expected, run))) return
  run.ledger.expect('pagination-order', isExpected, {
    problem: `${responded(exchange)} with other resources than ${expected.request.url}, although it is the link '${name}' of the page after it.`,
    exchange,
  })
}

/** Reads a page again, and returns whether it has changed: other clients may write while the pages are read. */
async function hasChanged(page: Exchange, run: Run): Promise<boolean> {
  const again = await probe(run, page.request.url)
  return again === null || !isSameSet(resourcesOf(again), resourcesOf(page))
}

/** Checks that the parameters that a link to another page adds are of the family `page`. */
function checkParameters(page: Exchange, url: string, run: Run): void {
  const href = linksOf(page.document)['next']
  const address = href === undefined ? null : run.addresses.resolve(href, page.request.url)
  if (address?.kind !== 'internal') return
  const before = queryOf(url)
  const added = [...queryOf(address.url)].filter(([name, value]) => before.get(name) !== value).map(([name]) => name)
  if (added.length === 0) return
  const other = added.find((name) => !/^page(?:\[|$)/.test(name))
  run.ledger.expect('pagination-page-parameter', other === undefined, {
    problem: `${responded(page)} with the link 'next' ${href}, which has the parameter '${other}'.`,
    pointer: '/links/next',
    exchange: page,
  })
}
