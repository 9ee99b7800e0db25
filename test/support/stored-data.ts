import type { DataSource, ObservableStore } from 'ashlar/store'
import { memoryData } from 'ashlar/memory'
import { inject } from 'vitest'
import type { ExtraColumns, Seeds } from './derived-tables.js'
import { sqlWorld, type WorldOptions } from './sql-world.js'

/**
 * The store under test with these rows in it, as the project says: the memory store, or tables that are made for the
 * types of the server when it is asked something first.
 *
 * @param seeds the first rows by the name of their model
 * @param columns those that a table must have besides, though neither the declarations nor the rows speak of them
 */
export function storedData(
  seeds: Seeds = {},
  columns: ExtraColumns = {},
  options: WorldOptions = {},
): DataSource & ObservableStore {
  const store = inject('store')
  return store === 'memory' ? memoryData(seeds) : sqlWorld(store, seeds, columns, options)
}
