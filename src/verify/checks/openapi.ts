import type { Exchange } from '../exchange/exchange.js'
import { judgeDescribed } from '../openapi/judge-described.js'
import type { Run } from './run.js'

/** Holds all exchanges of a run to the OpenAPI document, if there is one. */
export function judgeByDescription(exchanges: readonly Exchange[], { description, ledger }: Run): void {
  if (description === null) return
  const { brokenReferences, source } = description
  ledger.expect('openapi-document', brokenReferences.length === 0, {
    problem: `${source} has references that lead nowhere: ${brokenReferences.slice(0, 5).join(', ')}.`,
    exchange: null,
  })
  for (const exchange of exchanges) judgeDescribed(exchange, description, ledger)
}
