import type { Attributes, BatchObservableResult, Meter, Observable } from '@opentelemetry/api'
import type { ObservedServer } from '../assembly/declared/telemetry.js'
import type { DataSource, NamedCacheState } from '../../stores/common/data-source.js'

/**
 * Creates the metrics that are read from servers each time that metrics are collected. Returns a function that adds a server.
 * Figures of several servers add up, and a store that they share counts once.
 */
export function observedMetrics(meter: Meter): (server: ObservedServer) => void {
  const servers = new Set<ObservedServer>()
  const metrics = observedInstruments(meter)
  meter.addBatchObservableCallback((result) => {
    observeRequests(result, metrics, [...servers])
    const stores = new Set([...servers].flatMap((server) => server.stores))
    for (const [store, name] of namedStores([...stores])) observeStore(result, metrics, { store, name })
  }, Object.values(metrics))
  return (server) => {
    servers.add(server)
  }
}

type ObservedInstruments = ReturnType<typeof observedInstruments>

function observedInstruments(meter: Meter) {
  const counter = (name: string, description: string, unit: string): Observable =>
    meter.createObservableCounter(name, { description, unit })
  const level = (name: string, description: string, unit: string): Observable =>
    meter.createObservableUpDownCounter(name, { description, unit })
  return {
    refused: counter('ashlar.requests.refused', 'Requests that the setting overload has refused.', '{request}'),
    late: counter('ashlar.requests.late', 'Requests that were not finished before their deadline.', '{request}'),
    waiting: level('ashlar.requests.waiting', 'Requests that wait for their turn.', '{request}'),
    lookups: counter('ashlar.cache.lookups', 'Lookups in caches, by result.', '{lookup}'),
    entries: level('ashlar.cache.entries', 'Entries of caches.', '{entry}'),
    transactions: counter('ashlar.store.transactions', 'Transactions that were started.', '{transaction}'),
    retries: counter('ashlar.store.retries', 'Transactions that were retried after a conflict.', '{transaction}'),
    connections: level('db.client.connection.count', 'Connections of a pool, by state.', '{connection}'),
    connectionLimit: level('db.client.connection.limit', 'Connections that a pool may open.', '{connection}'),
    pending: level('db.client.connection.pending_requests', 'Requests that wait for a connection.', '{request}'),
  } as const
}

function observeRequests(
  result: BatchObservableResult,
  metrics: ObservedInstruments,
  servers: readonly ObservedServer[],
): void {
  const sums = { refused: 0, late: 0, waiting: 0 }
  const caches = new Map<string, Pick<NamedCacheState, 'entries' | 'hits' | 'misses'>>()
  for (const server of servers) {
    const stats = server.stats()
    sums.refused += stats.overload?.refused ?? 0
    sums.late += stats.overload?.late ?? 0
    sums.waiting += stats.overload?.waiting ?? 0
    for (const { name, entries, hits, misses } of stats.caches) {
      const sum = caches.get(name) ?? { entries: 0, hits: 0, misses: 0 }
      caches.set(name, { entries: sum.entries + entries, hits: sum.hits + hits, misses: sum.misses + misses })
    }
  }
  result.observe(metrics.refused, sums.refused)
  result.observe(metrics.late, sums.late)
  result.observe(metrics.waiting, sums.waiting)
  for (const [name, state] of caches) observeCache(result, metrics, { 'ashlar.cache.name': name }, state)
}

function observeCache(
  result: BatchObservableResult,
  metrics: ObservedInstruments,
  attributes: Attributes,
  { entries, hits, misses }: Pick<NamedCacheState, 'entries' | 'hits' | 'misses'>,
): void {
  result.observe(metrics.lookups, hits, { ...attributes, 'ashlar.cache.result': 'hit' })
  result.observe(metrics.lookups, misses, { ...attributes, 'ashlar.cache.result': 'miss' })
  result.observe(metrics.entries, entries, attributes)
}

function observeStore(
  result: BatchObservableResult,
  metrics: ObservedInstruments,
  { store, name }: { readonly store: DataSource; readonly name: string },
): void {
  const attributes = { 'ashlar.store': name }
  for (const [index, { size, open, idle, waiting }] of (store.pools?.() ?? []).entries()) {
    const pool = { 'db.client.connection.pool.name': index === 0 ? name : `${name}.replica` }
    result.observe(metrics.connections, idle, { ...pool, 'db.client.connection.state': 'idle' })
    result.observe(metrics.connections, open - idle, { ...pool, 'db.client.connection.state': 'used' })
    result.observe(metrics.connectionLimit, size, pool)
    result.observe(metrics.pending, waiting, pool)
  }
  const stats = store.stats?.()
  if (stats === undefined) return
  result.observe(metrics.transactions, stats.transactions, attributes)
  result.observe(metrics.retries, stats.retries, attributes)
  for (const { name: cache, ...state } of stats.caches) {
    observeCache(result, metrics, { ...attributes, 'ashlar.cache.name': cache }, state)
  }
}

/** Returns unique names of stores: `postgres`, `postgres.2`. */
function namedStores(stores: readonly DataSource[]): ReadonlyMap<DataSource, string> {
  const counts = new Map<string, number>()
  return new Map(
    stores.map((store) => {
      const count = (counts.get(store.name) ?? 0) + 1
      counts.set(store.name, count)
      return [store, count === 1 ? store.name : `${store.name}.${count}`]
    }),
  )
}
