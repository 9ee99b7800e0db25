import type { StatementId } from '../../format/statements/statements.js'
import type { Addresses } from '../crawl/addresses.js'
import { type Knowledge, type KnownResource, type KnownType, learnFrom } from '../crawl/knowledge.js'
import { judgeResponse, type ResponseExpectation } from '../documents/judge-response.js'
import { type Exchange, isInconclusive, isRefused } from '../exchange/exchange.js'
import type { RequestOptions, Sender } from '../exchange/sender.js'
import type { Ledger } from '../ledger/ledger.js'
import type { Description } from '../openapi/description.js'

/** Everything that a check needs. */
export interface Run {
  readonly sender: Sender
  readonly ledger: Ledger
  readonly knowledge: Knowledge
  readonly addresses: Addresses
  /** The OpenAPI document; `null` if there is none. */
  readonly description: Description | null
}

/** Sends requests that show whether a server conforms to some statements. */
export interface Check {
  readonly name: string
  /** The check runs if one of them is part of the run. */
  readonly statements: readonly StatementId[]
  run(run: Run): Promise<void>
}

/** Sends a request and judges the response as a document. Resolves to `null` if the response is inconclusive. */
export async function probe(
  run: Run,
  url: string,
  options: RequestOptions = {},
  expected: ResponseExpectation = {},
): Promise<Exchange | null> {
  const exchange = await run.sender.send(url, options)
  if (exchange === null) return null
  judgeResponse(exchange, { isDocument: true, ...expected }, run.ledger)
  if (options.method === undefined || options.method === 'GET') learnFrom(exchange, run.knowledge, run.addresses)
  return isInconclusive(exchange) || isRefused(exchange) ? null : exchange
}

/** A resource whose address is known. */
export interface Addressed extends KnownResource {
  readonly self: string
}

/** Returns a resource of a type with an address: one with many fields, if there is one. */
export function addressedIn(type: KnownType): Addressed | null {
  let best: Addressed | null = null
  for (const resource of type.resources.values()) {
    const { self } = resource
    if (self !== null && (best === null || fieldsOf(resource) > fieldsOf(best))) best = { ...resource, self }
  }
  return best
}

function fieldsOf({ attributes, relationships }: KnownResource): number {
  const filled = Object.values(attributes).filter((value) => value !== null).length
  return filled + Object.keys(relationships).length
}

/** Returns the address of the collection of a type, and that of one of its resources. */
export function addressesOf(type: KnownType): readonly string[] {
  return [type.collection?.url, addressedIn(type)?.self].filter((url) => url !== undefined)
}
