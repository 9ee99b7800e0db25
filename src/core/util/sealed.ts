/** Makes a map or a set read-only at run time, because it is shared. Its type alone does not prevent changes. */
export function sealed<Collection extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>>(
  collection: Collection,
): Collection {
  for (const name of ['set', 'add', 'delete', 'clear']) {
    if (name in collection) Object.defineProperty(collection, name, { value: throwReadOnly })
  }
  sealedCollections.add(collection)
  return Object.freeze(collection)
}

const sealedCollections = new WeakSet<object>()

/**
 * Returns whether a map or a set has been made read-only. `Object.isFrozen` is not enough: a frozen map can still be changed.
 */
export function isSealed(collection: object): boolean {
  return sealedCollections.has(collection)
}

function throwReadOnly(): never {
  throw new TypeError('This collection is read-only. Copy it, and change the copy.')
}
