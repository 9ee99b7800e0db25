import { withQuery } from '../crawl/addresses.js'
import { isInconclusive, isRefused, responded } from '../exchange/exchange.js'
import type { DescribedParameter, Operation } from '../openapi/description.js'
import type { Check, Run } from './run.js'

/** Texts that query languages of databases and of search engines give a meaning: unfinished quotations, operators, wildcards, escapes. */
const texts: readonly string[] = ['"', `a" -b* (c`, `'%_\\`, '-', 'AND OR NOT ^:~ 𝄞']

/** The maximum number of filters. */
const mostFilters = 10

/** Checks that no text makes a described filter fail. */
export const oddTexts: Check = {
  name: 'texts of filters',
  statements: ['filter-odd-texts'],
  async run(run) {
    const { description, knowledge } = run
    const filters = [...knowledge.types.values()].flatMap(({ collection }) => {
      const operation = collection === null ? null : (description?.find('GET', collection.url) ?? null)
      return collection === null || operation === null
        ? []
        : filtersOf(operation).map((filter) => ({ filter, url: collection.url }))
    })
    // Full-text searches have a syntax of their own, so they come first.
    const sorted = filters.toSorted((a, b) => Number(b.filter.isSearch) - Number(a.filter.isSearch))
    await Promise.all(sorted.slice(0, mostFilters).map(({ filter, url }) => checkFilter(url, filter, run)))
  },
}

function filtersOf({ queryParameters }: Operation): readonly DescribedParameter[] {
  return queryParameters.filter(({ name, isText }) => isText && /^filter\[[^\]]+\]$/.test(name))
}

async function checkFilter(url: string, { name }: DescribedParameter, { sender, ledger }: Run): Promise<void> {
  await Promise.all(
    texts.map(async (text) => {
      const exchange = await sender.send(withQuery(url, { [name]: text }))
      if (exchange === null || isInconclusive(exchange) || isRefused(exchange)) return
      ledger.expect('filter-odd-texts', exchange.response.status < 500, {
        problem: `${responded(exchange)}.`,
        exchange,
      })
    }),
  )
}
