/** Works something out once for each key, and keeps it for as long as the key is there. What is not there is `null`. */
export function oncePer<Key extends object, Found extends NonNullable<unknown> | null>(
  find: (key: Key) => Found,
): (key: Key) => Found {
  const known = new WeakMap<Key, Found>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const found = find(key)
    known.set(key, found)
    return found
  }
}
