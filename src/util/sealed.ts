/** Makes a map or a set refuse changes, for one that many share: that its type says so keeps nobody who wants to. */
export function sealed<Collection extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>>(
  collection: Collection,
): Collection {
  for (const name of ['set', 'add', 'delete', 'clear']) {
    if (name in collection) Object.defineProperty(collection, name, { value: refuse })
  }
  changeless.add(collection)
  return Object.freeze(collection)
}

const changeless = new WeakSet<object>()

/** Whether a map or a set has been made to refuse changes. To be frozen does not keep one from being changed. */
export function isSealed(collection: object): boolean {
  return changeless.has(collection)
}

function refuse(): never {
  throw new TypeError('This is read-only: make a copy, and change that.')
}
