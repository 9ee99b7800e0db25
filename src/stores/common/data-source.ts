import type { HttpRequest } from '../../core/http/request.js'
import type { AnyPaginator } from '../../declare/pagination/paginator.js'
import type { Persister } from '../../declare/resource/capabilities/persister.js'
import type { Provider } from '../../declare/resource/capabilities/provider.js'
import type { Transaction, Transactions } from '../../declare/resource/request/transactions.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { DeclarationFault } from '../../declare/resource/parts/declaration-fault.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { CacheState } from '../../core/util/lru-cache.js'
import type { IdempotencyStore } from './idempotency-store.js'

/** A store that serves several types. For each type it returns a provider, a persister, or `null`. */
export interface DataSource {
  readonly name: string
  /** Sources are tried from the highest priority to the lowest. Default: 0. */
  readonly priority?: number
  /** The names of the types that the source serves. Default: all types that no other source lists, if it can serve them. */
  readonly types?: readonly string[]
  provider(type: CompiledType): Provider | null
  persister(type: CompiledType): Persister | null
  /** `null` if the store has no transactions. */
  readonly transactions: Transactions | null
  /** Called once at build time with all types. Returns the faults that prevent this store from serving them. */
  check?(types: readonly CompiledType[]): readonly DeclarationFault[]
  /** Returns the value of `context.db` for user-defined code. It uses the transaction, or autocommit without one. */
  handle?(transaction: Transaction | null, context: RequestContext): unknown
  /** Stores responses to requests with an `Idempotency-Key`. Left out if the store cannot: it needs transactions. */
  readonly idempotency?: IdempotencyStore
  /**
   * Compares the declarations with the schema of the store, for `server.ready()` and `ashlar check --database`. Rejects
   * with a message if the store cannot be reached.
   */
  inspect?(types: readonly CompiledType[], options: InspectionOptions): Promise<Inspection>
  /**
   * Runs a cheap query, for `server.health()`. Rejects if the store does not respond. A query that takes longer than the limit, in
   * milliseconds, should be stopped. Left out by a store that needs no connection.
   */
  ping?(limit: number): Promise<void>
  /** Returns the state of each connection pool of the store, for `server.health()`. Left out by a store that has none. */
  pools?(): readonly PoolState[]
  /** Returns the counters and caches of the store, for `server.stats()`. It must be cheap. */
  stats?(): StoreStats
  /**
   * Rejects if a read replica cannot serve requests, for `server.health()`. The service stays ready: the store reads from the other
   * databases. Left out by a store without replicas.
   */
  pingReplicas?(): Promise<void>
  /** The positions of writes, so that a client sees what it has written. Left out by a store without replicas. */
  readonly positions?: StorePositions
}

/** The counters of a store since it was opened, and its caches. */
export interface StoreStats {
  /** Statements, or other requests to a database, except those that begin and end transactions. */
  readonly statements: number
  /** Transactions that were begun, including retries. */
  readonly transactions: number
  /** Retries of transactions after a conflict with another one. */
  readonly retries: number
  readonly caches: readonly NamedCacheState[]
}

/** The state of a cache. */
export interface NamedCacheState extends CacheState {
  /** `statements`: the texts of SQL statements. */
  readonly name: string
}

/**
 * The positions of writes in a store whose replicas may lag behind. A client gets the position of its last write in the header
 * `Read-After`, and sends it back.
 */
export interface StorePositions {
  /**
   * Makes all reads of a request see the writes up to a position. Returns false for a text that is not a position. If it is called
   * several times for one request, the latest position counts.
   */
  require(request: HttpRequest, position: string): boolean
  /** Returns the position of the last commit of a request: letters and digits; `null` if it has committed nothing. */
  reachedBy(request: HttpRequest): string | null
}

/** The connections of a pool. */
export interface PoolState {
  /** How many connections the pool may open. */
  readonly size: number
  readonly open: number
  /** Open connections that nothing uses. */
  readonly idle: number
  /** How many requests, or other work, wait for a connection. */
  readonly waiting: number
}

/** The differences between the declarations and the schema of a store, one sentence each. */
export interface Inspection {
  /** Missing tables and columns: some requests cannot be served without them. */
  readonly missing: readonly string[]
  /**
   * Missing indexes: without them, concurrent requests may violate a declared constraint, or reads of relations are
   * slow.
   */
  readonly unsound: readonly string[]
  /** Recommendations for large tables, such as an index for a sort, and operations that are open to every caller. */
  readonly advice: readonly string[]
  /** The findings that can be waived, or are waived. A waived finding is not in the lists above. */
  readonly named?: readonly NamedFinding[]
}

/** A finding of an inspection that the application can waive by its name. */
export interface NamedFinding {
  /** The kind of the finding and the declaration that it is about: `unique-index:albums.title`. */
  readonly name: string
  readonly sentence: string
  /** The reason why the application waives it; `null` if it does not. */
  readonly waivedFor: string | null
}

/** The options of the server that an inspection depends on. */
export interface InspectionOptions {
  /** The paginator of types that declare none. */
  readonly paginator: AnyPaginator | null
  /** Whether requests with an `Idempotency-Key` store their responses in `idempotency` of the source. Default: false. */
  readonly storesResponses?: boolean
}

/** Returns whether a store with this list of types, or without a list, serves a type. */
export function servesType(types: readonly string[] | undefined, type: string): boolean {
  return types === undefined || types.includes(type)
}

export function isTypeList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

/** Returns the sources that may serve a type: the sources that list it; if none does, the sources without a list. */
export function sourcesOfType(sources: readonly DataSource[], type: string): readonly DataSource[] {
  const listing = sources.filter(({ types }) => types?.includes(type) === true)
  return listing.length > 0 ? listing : sources.filter(({ types }) => types === undefined)
}

/** Returns the first source that offers a capability, such as a provider of a type, and that capability. */
export function findCapability<Capability>(
  sources: readonly DataSource[],
  capabilityOf: (source: DataSource) => Capability | null,
): { readonly source: DataSource; readonly capability: Capability } | null {
  for (const source of sources) {
    const capability = capabilityOf(source)
    if (capability !== null) return { source, capability }
  }
  return null
}

export function byPriority(sources: readonly DataSource[]): readonly DataSource[] {
  return sources.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
}
