/**
 * Memoizes a function of one object: it runs once for each key, and the result is cached until the key is
 * garbage-collected. The function must return `null` instead of `undefined` for a missing result.
 */
export function memoize<Key extends object, Result extends NonNullable<unknown> | null>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const cache = new WeakMap<Key, Result>()
  return (key) => {
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const result = compute(key)
    cache.set(key, result)
    return result
  }
}
