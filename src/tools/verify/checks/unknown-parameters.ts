import type { StatementId } from '../../format/statements/statements.js'
import { withQuery } from '../crawl/addresses.js'
import type { KnownType } from '../crawl/knowledge.js'
import { responded } from '../exchange/exchange.js'
import { addressedIn, addressesOf, type Check, probe, type Run } from './run.js'

/** A name that no server uses. It has only the characters a-z, like the names that the format reserves. */
const unknownParameter = 'ashlarverify'
const unknownName = 'noSuchNameOfAshlarVerify'

/** Checks that requests with unknown query parameters are refused with 400. */
export const unknownParameters: Check = {
  name: 'unknown query parameters',
  statements: ['query-parameters-bad-request', 'inclusion-bad-request', 'sorting-not-supported'],
  async run(run) {
    await Promise.all([...run.knowledge.types.values()].map((type) => checkType(type, run)))
  },
}

async function checkType(type: KnownType, run: Run): Promise<void> {
  const collection = type.collection?.url ?? null
  const single = addressedIn(type)?.self ?? null
  await Promise.all([
    ...addressesOf(type).map((url) =>
      expectBadRequest(withQuery(url, { [unknownParameter]: '1' }), 'query-parameters-bad-request', run),
    ),
    ...[collection, single].map((url) => {
      if (url === null) return null
      return expectBadRequest(withQuery(url, { include: unknownName }), 'inclusion-bad-request', run)
    }),
    collection === null
      ? null
      : expectBadRequest(withQuery(collection, { sort: unknownName }), 'sorting-not-supported', run),
    collection === null ? null : checkPageKeys(collection, run),
  ])
}

/**
 * Checks that an unknown key of `page` is refused: a client with other page keys than the server would get the first page again and again. It
 * is a warning, because the format defines the family only, and leaves its keys to servers.
 */
async function checkPageKeys(url: string, run: Run): Promise<void> {
  const parameter = `page[${unknownName}]`
  const exchange = await probe(run, withQuery(url, { [parameter]: '1' }))
  if (exchange === null) return
  run.ledger.expect('query-parameters-bad-request', exchange.response.status === 400, {
    problem: `${responded(exchange)}, not 400, to a request with the unknown key '${parameter}'.`,
    exchange,
    severity: 'warning',
  })
}

async function expectBadRequest(url: string, statement: StatementId, run: Run): Promise<void> {
  const exchange = await probe(run, url)
  if (exchange === null) return
  run.ledger.expect(statement, exchange.response.status === 400, {
    problem: `${responded(exchange)}, not 400.`,
    exchange,
  })
}
