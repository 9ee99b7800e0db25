import type { NamedCacheState, PoolState, StoreStats } from '../../../stores/common/data-source.js'
import type { AdmissionState } from '../../../core/http/admission.js'
import type { BodyMemoryState } from '../../../core/http/body-memory.js'
import type { RequestCounts } from '../../../core/http/request-counter.js'

/**
 * The result of `server.stats()`: the current work of a server, and counts since it was created. It contains no data of
 * requests: no ids, no values, no callers.
 *
 * @example
 * ```ts
 * const { requests, stores } = server.stats()
 * const waiting = stores.flatMap(({ pools }) => pools).reduce((sum, pool) => sum + pool.waiting, 0)
 * console.log(`${requests.running} requests, ${waiting} of them wait for a connection`)
 * ```
 */
export interface ServerStats {
  /** The seconds since the server was created. */
  readonly uptime: number
  readonly requests: RequestCounts
  /** The requests that the setting `overload` counts; `null` without the setting. */
  readonly overload: AdmissionState | null
  /** The memory of request bodies: the setting `bodyMemory`. */
  readonly bodies: BodyMemoryState
  /** The caches of the server. Named servers with own settings have own caches. */
  readonly caches: readonly ServerCacheState[]
  readonly stores: readonly ServerStoreStats[]
}

/** A cache of a {@link ServerStats}. */
export interface ServerCacheState extends NamedCacheState {
  /** `queries`: parsed query strings. `plans`: plans of reads, which are held by the parsed query. */
  readonly name: 'queries' | 'plans'
  /** The servers that share it. */
  readonly servers: readonly string[]
}

/** A store of a {@link ServerStats}. */
export interface ServerStoreStats {
  readonly name: string
  /** The connection pools: one, and one of a replica. None if the store needs no pool. */
  readonly pools: readonly PoolState[]
  /** `null` if the store does not count. Servers that share a store share its counts. */
  readonly counts: Omit<StoreStats, 'caches'> | null
  readonly caches: readonly NamedCacheState[]
}
