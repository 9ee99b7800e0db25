import type { Operation } from '../operation/operation.js'
import type { QueryParameters } from '../operation/query-parameters.js'
import type { RequestContext } from '../resource/request-context.js'
import type { HandlerServices } from './request-services.js'
import type { OpenTransactions } from './open-transactions.js'
import { ongoing } from './open-transactions.js'

/** A read, as each of its steps sees it. */
export interface Reading {
  readonly services: HandlerServices
  readonly query: QueryParameters
  readonly context: RequestContext
  /** URIs of the negotiated profiles. */
  readonly profiles: readonly string[]
  /** The transactions to read in, so that a write sees what it has written; `null` where none is open. */
  readonly open: OpenTransactions | null
}

export function readingOf(
  { query, context, profiles }: Pick<Operation, 'query' | 'context' | 'profiles'>,
  services: HandlerServices,
): Reading {
  return { services, query, context, profiles, open: ongoing() }
}
