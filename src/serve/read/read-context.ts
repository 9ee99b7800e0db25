import type { ErrorContext } from '../../core/errors/error-context.js'
import type { Operation } from '../operation/operation.js'
import type { QueryParameters } from '../operation/query-parameters.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { Transaction, Transactions } from '../../declare/resource/request/transactions.js'
import { asyncContext } from '../../core/util/async-context.js'
import { fail } from '../../core/errors/json-api-error.js'
import type { CursorTokens } from '../../declare/pagination/cursor-token.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { QueryCostRules } from './cost-rules.js'
import type { PlanCache } from './plan-cache.js'
import type { SchemaValidator } from '../validation/schema-validator.js'

/** The request and the services that every step of a read uses. */
export interface ReadContext {
  readonly services: RequestServices
  readonly query: QueryParameters
  readonly context: RequestContext
  /** URIs of the negotiated profiles. */
  readonly profiles: readonly string[]
  /** The transactions to read in, so that a write sees its own changes; `null` if none is open. */
  readonly open: OpenTransactions | null
}

export function readContextOf(
  { query, context, profiles }: Pick<Operation, 'query' | 'context' | 'profiles'>,
  services: RequestServices,
): ReadContext {
  return { services, query, context, profiles, open: currentTransactions() }
}

/** The parts of a built server that handlers use. */
export interface RequestServices {
  /** The types of each server, by name. */
  readonly types: ReadonlyMap<string, ReadonlyMap<string, ServedType>>
  /** Returns a type of a server; `null` if the server does not declare the name. */
  find(server: string, type: string): ServedType | null
  /** Returns a type of any server, the default server first; `null` if none declares the name. */
  findAnywhere(type: string): ServedType | null
  /** Returns the names of all types of a server. */
  typeNames(server: string): readonly string[]
  /** Whether a server has middleware that authenticates callers. */
  authenticates(server: string): boolean
  /** The maximum number of include paths of one request. `a.b` counts as two paths, `a` and `a.b`. */
  readonly maxIncludePaths: number
  /** The maximum depth of include paths, for types that declare none; 0 or less for no limit. */
  readonly maxIncludeDepth: number
  /** URIs of the registered profiles. */
  readonly profiles: ReadonlySet<string>
  /** Creates and reads cursors. */
  readonly cursors: CursorTokens
  /** Whether unknown members of a body are an error. */
  readonly unknownMembers: 'ignore' | 'reject'
  /** Whether unknown members of a fieldset are an error. */
  readonly strictFieldsets: boolean
  /** Whether keys of `page` that the list does not read are an error. */
  readonly strictPages: boolean
  /** The maximum number of errors in one response. */
  readonly maxErrors: number
  /** The maximum number of values of one filter. */
  readonly maxFilterValues: number
  /** The maximum number of characters of the path and the query of a URL. */
  readonly maxUriLength: number
  /** The maximum number of characters in one value of a filter. */
  readonly maxFilterLength: number
  /** The maximum number of items of lists and objects in the attributes of one resource of a body. */
  readonly maxItems: number
  /** The maximum number of identifiers in one relationship of a body. */
  readonly maxIdentifiers: number
  /** The maximum number of resources of a list without pages. */
  readonly maxResources: number
  /** The maximum number of included resources of a document that is read. */
  readonly maxIncluded: number
  /** The maximum number of identifiers in the linkage of a document, without the first one of each included resource. */
  readonly maxLinkage: number
  /** The rules for the cost of requests, and its limit; `null` if no cost is computed. */
  readonly queryCost: QueryCostRules | null
  /** Whether an update also checks stored values that were not sent. */
  readonly validateStored: boolean
  /** Whether every relationship write responds with the resulting linkage. */
  readonly respondsWithLinkage: boolean
  readonly schemas: SchemaValidator
  /** The cached read plans. */
  readonly plans: PlanCache
  /** Reports a thrown value that no response contains, for example to a log. */
  readonly report: (thrown: unknown, context: ErrorContext) => void
}

/**
 * Returns the type of an operation. Fails if it is not declared: a program may dispatch an operation for any type name.
 */
export function servedType(services: RequestServices, { server, type }: RequestContext): ServedType {
  return services.types.get(server)?.get(type) ?? fail('NO_RESOURCE_REGISTERED', { type })
}

/** The transactions of one operation, one for each store that it writes to. */
export interface OpenTransactions {
  readonly byStore: ReadonlyMap<Transactions, Transaction>
  /** Functions to run after all of the transactions are committed. */
  readonly afterCommit: (() => Promise<unknown>)[]
  /** False once the work has ended. Async tasks that outlive the work must not join closed transactions. */
  isOpen: boolean
}

/** Passes open transactions on to the operations that user-defined code dispatches, on any server. */
const openTransactions = asyncContext<OpenTransactions>()

/** Runs work in open transactions: `currentTransactions()` returns them until the work ends. */
export function runInTransactions<Result>(open: OpenTransactions, work: () => Promise<Result>): Promise<Result> {
  return openTransactions.run(open, work).finally(() => (open.isOpen = false))
}

/** Returns the transactions that the running code is part of; `null` if there are none. */
export function currentTransactions(): OpenTransactions | null {
  const open = openTransactions.current()
  return open?.isOpen === true ? open : null
}

/** Returns the transaction to write rows of a type in; `null` if the store of the type has no open one. */
export function writeTransaction({ transactions }: ServedType, open: OpenTransactions | null): Transaction | null {
  return transactions === null ? null : (open?.byStore.get(transactions) ?? null)
}

/**
 * Returns the transaction to read rows of a type in; `null` if the store of the type has no open one, or if the type is
 * not read by the store that writes it.
 */
export function readTransaction(served: ServedType, open: OpenTransactions | null): Transaction | null {
  return served.readsInTransaction ? writeTransaction(served, open) : null
}
