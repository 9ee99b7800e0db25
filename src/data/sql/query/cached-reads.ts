import type { SqlTables } from '../schema/sql-table.js'

/** The criteria that a prepared read depends on. */
export interface ReadKey {
  /** The cache key of the criteria; without one, nothing is cached. */
  readonly cacheKey?: object | undefined
  readonly columns: object | null
  /**
   * The rest of the criteria. They are compared one by one, since an application that passes criteria on may have
   * changed them.
   */
  readonly criteria: readonly unknown[]
}

/**
 * Caches prepared reads by the cache key of their criteria, as long as the tables stay the same. Without it, one resource
 * takes 17 % more CPU time (W1 on SQLite).
 */
export interface CachedReads<Prepared> {
  find(key: ReadKey, tables: SqlTables): Prepared | undefined
  add(key: ReadKey, tables: SqlTables, prepared: Prepared): void
}

interface Entry<Prepared> {
  readonly tables: SqlTables
  readonly columns: object | null
  readonly criteria: readonly unknown[]
  readonly prepared: Prepared
}

export function cachedReads<Prepared>(): CachedReads<Prepared> {
  const entries = new WeakMap<object, Entry<Prepared>>()
  return {
    find({ cacheKey, columns, criteria }, tables) {
      const entry = cacheKey === undefined ? undefined : entries.get(cacheKey)
      if (entry === undefined || entry.tables !== tables || entry.columns !== columns) return undefined
      return isSame(entry.criteria, criteria) ? entry.prepared : undefined
    },
    add({ cacheKey, columns, criteria }, tables, prepared) {
      if (cacheKey !== undefined) entries.set(cacheKey, { tables, columns, criteria, prepared })
    },
  }
}

function isSame(cached: readonly unknown[], criteria: readonly unknown[]): boolean {
  for (let index = 0; index < criteria.length; index += 1) if (cached[index] !== criteria[index]) return false
  return cached.length === criteria.length
}
