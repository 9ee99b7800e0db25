import type { DataSource } from '../../stores/common/data-source.js'
import type { BodyMemory } from '../../core/http/body-memory.js'
import type { RequestCounter } from '../../core/http/request-counter.js'
import type { ServedOverload } from './serve-overload.js'
import type { ServerCacheState, ServerStats, ServerStoreStats } from './declared/server-stats.js'
import type { ServerService } from './service.js'

interface StatsParts {
  readonly requests: RequestCounter
  readonly overload: ServedOverload | null
  readonly bodyMemory: BodyMemory
  /** The parts of each server, by its name. Servers may share them. */
  readonly servers: ReadonlyMap<string, ServerService>
  readonly sources: readonly DataSource[]
}

/** Returns the function `server.stats()`. The time starts now. */
export function statsCollector({ requests, overload, bodyMemory, servers, sources }: StatsParts): () => ServerStats {
  const created = performance.now()
  const shared = new Map<ServerService, string[]>()
  for (const [name, service] of servers) shared.set(service, [...(shared.get(service) ?? []), name])
  return () => ({
    uptime: (performance.now() - created) / 1000,
    requests: requests.state(),
    overload: overload === null ? null : overload.admission.state(),
    bodies: bodyMemory.state(),
    caches: [...shared].flatMap(([service, names]) => cachesOf(service, names)),
    stores: sources.map(storeStats),
  })
}

function cachesOf({ readQuery, services }: ServerService, servers: readonly string[]): readonly ServerCacheState[] {
  const { cache } = readQuery
  return [
    { name: 'queries', servers, ...cache.state() },
    { name: 'plans', servers, ...services.plans.state(cache.values()) },
  ]
}

function storeStats(source: DataSource): ServerStoreStats {
  const stats = source.stats?.() ?? null
  const pools = source.pools?.() ?? []
  if (stats === null) return { name: source.name, pools, counts: null, caches: [] }
  const { caches, ...counts } = stats
  return { name: source.name, pools, counts, caches }
}
