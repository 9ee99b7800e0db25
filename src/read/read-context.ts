import type { Operation } from '../operation/operation.js'
import type { QueryParameters } from '../operation/query-parameters.js'
import type { RequestContext } from '../resource/request-context.js'
import type { RequestServices } from './request-services.js'
import type { OpenTransactions } from './open-transactions.js'
import { currentTransactions } from './open-transactions.js'

/** The request and the services that every step of a read uses. */
export interface ReadContext {
  readonly services: RequestServices
  readonly query: QueryParameters
  readonly context: RequestContext
  /** URIs of the negotiated profiles. */
  readonly profiles: readonly string[]
  /** The transactions to read in, so that a write sees what it has written; `null` if none is open. */
  readonly open: OpenTransactions | null
}

export function readContextOf(
  { query, context, profiles }: Pick<Operation, 'query' | 'context' | 'profiles'>,
  services: RequestServices,
): ReadContext {
  return { services, query, context, profiles, open: currentTransactions() }
}
