/**
 * A symbol of the global registry, so that two copies of the package in one process recognize each other's errors. A
 * store or a plugin may install its own copy, and the 401 that it throws must still be a 401.
 */
const mark: unique symbol = Symbol.for('ashlar.error')

export type ErrorKind = 'json-api' | 'http' | 'store-conflict'

/** Marks an error with its kind. The property is not enumerable, so loops, loggers and comparisons do not see it. */
export function markError(error: Error, kind: ErrorKind): void {
  Object.defineProperty(error, mark, { value: kind })
}

/**
 * Whether a thrown object is marked with this kind. A proxy can fake the mark, so callers that go on to read the error
 * must catch errors of its members. Never throws.
 */
export function isMarked(thrown: object, kind: ErrorKind): boolean {
  try {
    return Object.getOwnPropertyDescriptor(thrown, mark)?.value === kind
  } catch {
    return false
  }
}
