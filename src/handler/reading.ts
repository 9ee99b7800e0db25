import type { Operation } from '../operation/operation.js'
import type { QueryParameters } from '../operation/query-parameters.js'
import type { Transaction } from '../resource/capabilities/transactions.js'
import type { RequestContext } from '../resource/request-context.js'
import type { HandlerServices } from './handler-services.js'

/** A read, as each of its steps sees it. */
export interface Reading {
  readonly services: HandlerServices
  readonly query: QueryParameters
  readonly context: RequestContext
  /** URIs of the negotiated profiles. */
  readonly profiles: readonly string[]
  /** The transaction to read in, where the read follows a write. */
  readonly transaction: Transaction | null
}

export function readingOf(
  { query, context, profiles }: Pick<Operation, 'query' | 'context' | 'profiles'>,
  services: HandlerServices,
  transaction: Transaction | null = null,
): Reading {
  return { services, query, context, profiles, transaction }
}
