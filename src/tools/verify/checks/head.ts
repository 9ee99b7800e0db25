import { isInconclusive, isRefused, responded } from '../exchange/exchange.js'
import { addressesOf, type Check } from './run.js'

/** Checks that HEAD responds with the status of GET. */
export const head: Check = {
  name: 'HEAD',
  statements: ['http-head'],
  async run({ sender, ledger, knowledge }) {
    const urls = [...knowledge.types.values()].flatMap(addressesOf).slice(0, 4)
    await Promise.all(
      urls.map(async (url) => {
        const exchange = await sender.send(url, { method: 'HEAD' })
        if (exchange === null || isInconclusive(exchange) || isRefused(exchange)) return
        ledger.expect('http-head', exchange.response.status === 200, {
          problem: `${responded(exchange)}, but GET responded 200.`,
          exchange,
        })
      }),
    )
  },
}
