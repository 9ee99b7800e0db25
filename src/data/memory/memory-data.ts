import type { DataSource } from '../data-source.js'
import { memoryPersister } from './memory-persister.js'
import { memoryProvider } from './memory-provider.js'
import { memoryStore } from './memory-store.js'

/**
 * Keeps the rows of every type in memory, with transactions. For tests, prototypes and small fixed data.
 *
 * @example
 * ```ts
 * const data = memoryData({ albums: [{ id: 1, title: 'OK Computer' }] })
 * ```
 *
 * @param seeds the first rows by the name of their model
 */
export function memoryData(seeds: Readonly<Record<string, readonly object[]>> = {}): DataSource {
  const store = memoryStore(seeds)
  const provider = memoryProvider(store)
  const persister = memoryPersister(store)
  return Object.freeze({
    name: 'memory',
    provider: (type) => (type.model === null ? null : provider),
    persister: (type) => (type.model === null ? null : persister),
    transactions: store,
  } satisfies DataSource)
}
