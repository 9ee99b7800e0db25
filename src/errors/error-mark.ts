/**
 * Registered, so that two copies of the package in one process know each other's errors: a store or a plugin may bring a
 * copy of its own, and its 401 is still a 401.
 */
const mark: unique symbol = Symbol.for('ashlar.error')

export type ErrorKind = 'json-api' | 'http' | 'store-conflict'

/** Out of sight of loops over the members, loggers and comparisons. */
export function markError(error: Error, kind: ErrorKind): void {
  Object.defineProperty(error, mark, { value: kind })
}

/**
 * Whether a throwable says that it is of this kind. A proxy can lie here, so whoever goes on to read the error does it
 * where a throw is caught. Never throws.
 */
export function isMarked(thrown: object, kind: ErrorKind): boolean {
  try {
    return Object.getOwnPropertyDescriptor(thrown, mark)?.value === kind
  } catch {
    return false
  }
}
