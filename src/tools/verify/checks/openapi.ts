import type { Exchange } from '../exchange/exchange.js'
import { judgeDescribed } from '../openapi/judge-described.js'
import type { Run } from './run.js'

/** Checks all exchanges of a run against the OpenAPI document, if there is one. */
export function judgeByDescription(exchanges: readonly Exchange[], { description, ledger }: Run): void {
  if (description === null) return
  const { brokenReferences, source } = description
  ledger.expect('openapi-document', brokenReferences.length === 0, {
    problem: `${source} has unresolved references: ${brokenReferences.slice(0, 5).join(', ')}.`,
    exchange: null,
  })
  for (const exchange of exchanges) judgeDescribed(exchange, description, ledger)
}
