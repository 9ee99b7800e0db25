/** What was worked out lately, by its key: the one that was asked for least recently makes room. */
export interface Recent<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  /** What is there, or else is made now. */
  obtain(key: Key, make: () => Value): Value
}

/** @param size how many are kept */
export function recent<Key, Value>(size: number): Recent<Key, Value> {
  const known = new Map<Key, Value>()
  // To move an entry costs more than to find it, and what was used last needs not be moved.
  let last: Key | undefined
  const get = (key: Key): Value | undefined => {
    const value = known.get(key)
    if (value === undefined || key === last) return value
    known.delete(key)
    known.set(key, value)
    last = key
    return value
  }
  const set = (key: Key, value: Value): void => {
    known.delete(key)
    known.set(key, value)
    last = key
    if (known.size <= size) return
    const [oldest] = known.keys()
    if (oldest !== undefined) known.delete(oldest)
  }
  return Object.freeze<Recent<Key, Value>>({
    get,
    set,
    obtain(key, make) {
      const value = get(key)
      if (value !== undefined) return value
      const made = make()
      set(key, made)
      return made
    },
  })
}
