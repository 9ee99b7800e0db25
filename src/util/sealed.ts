/** Makes a map or a set refuse changes, for one that many share: that its type says so keeps nobody who wants to. */
export function sealed<Collection extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>>(
  collection: Collection,
): Collection {
  for (const name of ['set', 'add', 'delete', 'clear']) {
    if (name in collection) Object.defineProperty(collection, name, { value: refuse })
  }
  return Object.freeze(collection)
}

function refuse(): never {
  throw new TypeError('This is read-only: make a copy, and change that.')
}
