/** An LRU cache: when it is full, the entry that was used least recently is removed. */
export interface LruCache<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  /** Returns the cached value. If there is none, creates and caches one. */
  getOrCreate(key: Key, create: () => Value): Value
  /** The cached values, in no particular order. */
  values(): Iterable<Value>
  state(): CacheState
}

/** The number of entries of a cache, and how often a value was found in it. */
export interface CacheState {
  readonly entries: number
  /** The maximum number of entries; `null` if they are limited by something else. */
  readonly capacity: number | null
  readonly hits: number
  readonly misses: number
}

/** @param size the maximum number of entries */
export function lruCache<Key, Value>(size: number): LruCache<Key, Value> {
  // A Map iterates in insertion order: the first entry is the one that was used least recently.
  const entries = new Map<Key, Value>()
  // The entry that was used last. It is often used again, and to compare two texts is cheaper than to hash one.
  let lastKey: Key | undefined
  let lastValue: Value | undefined
  let [hits, misses] = [0, 0]
  const use = (key: Key, value: Value): void => {
    entries.delete(key)
    entries.set(key, value)
    lastKey = key
    lastValue = value
  }
  const get = (key: Key): Value | undefined => {
    if (key === lastKey && lastValue !== undefined) {
      hits += 1
      return lastValue
    }
    const value = entries.get(key)
    if (value === undefined) {
      misses += 1
      return undefined
    }
    hits += 1
    use(key, value)
    return value
  }
  const set = (key: Key, value: Value): void => {
    if (size === 0) return
    use(key, value)
    if (entries.size <= size) return
    const [oldest] = entries.keys()
    entries.delete(oldest as Key)
  }
  return Object.freeze<LruCache<Key, Value>>({
    get,
    set,
    getOrCreate(key, create) {
      const value = get(key)
      if (value !== undefined) return value
      const created = create()
      set(key, created)
      return created
    },
    values: () => entries.values(),
    state: () => ({ entries: entries.size, capacity: size, hits, misses }),
  })
}
