import type { DataSource } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { inject } from 'vitest'
import type { Seeds } from './derived-tables.js'
import { sqlWorld } from './sql-world.js'

/**
 * The store under test with these rows in it, as the project says: the memory store, or tables that are made for the
 * types of the server when it is asked something first.
 *
 * @param seeds the first rows by the name of their model
 */
export function storedData(seeds: Seeds = {}): DataSource {
  const store = inject('store')
  return store === 'memory' ? memoryData(seeds) : sqlWorld(store, seeds)
}
