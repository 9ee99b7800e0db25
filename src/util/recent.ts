/** What was worked out lately, by its key: the one that was asked for least recently makes room. */
export interface Recent<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
}

/** @param size how many are kept */
export function recent<Key, Value>(size: number): Recent<Key, Value> {
  const known = new Map<Key, Value>()
  // To move an entry costs more than to find it, and what was used last needs not be moved.
  let last: Key | undefined
  return Object.freeze<Recent<Key, Value>>({
    get(key) {
      const value = known.get(key)
      if (value === undefined || key === last) return value
      known.delete(key)
      known.set(key, value)
      last = key
      return value
    },
    set(key, value) {
      known.delete(key)
      known.set(key, value)
      last = key
      if (known.size <= size) return
      const [oldest] = known.keys()
      if (oldest !== undefined) known.delete(oldest)
    },
  })
}
