import type { ErrorObject, ErrorSource } from '../document/error-object.js'
import type { ErrorReply } from './checked-reply.js'
import { JsonApiError } from './json-api-error.js'

/** Maps a pointer within a part of the document (empty for the part itself) to a pointer within the whole document. */
export type PointerMapper = (pointer: string) => string

/**
 * Wraps a value that was thrown while a part of a request was handled, such as one operation of a batch. `cause` is the
 * thrown value. `server.dispatch()` rejects with it.
 *
 * @example
 * ```ts
 * const thrownBy = (error: unknown) => (PlacedError.is(error) ? error.cause : error)
 * ```
 */
export class PlacedError extends Error {
  // oxlint-disable-next-line no-unused-private-class-members -- `is` tests for it
  readonly #brand = true
  override readonly name: string = 'PlacedError'
  readonly placing: PointerMapper

  constructor(cause: unknown, placing: PointerMapper) {
    super('A part of the request failed.', { cause })
    this.placing = placing
  }

  /** Like `instanceof`, but runs no code of a thrown proxy, which could throw or loop. */
  static is(thrown: unknown): thrown is PlacedError {
    return typeof thrown === 'object' && thrown !== null && #brand in thrown
  }
}

/**
 * Maps the pointers of a thrown `JsonApiError` to the whole document. Wraps any other thrown value in a `PlacedError`.
 */
export function placedError(thrown: unknown, placing: PointerMapper): JsonApiError | PlacedError {
  if (!JsonApiError.is(thrown)) return new PlacedError(thrown, placing)
  const problems = thrown.problems.map((each) => ({ ...each, source: placedSource(each.source, placing) }))
  return new JsonApiError(problems, { headers: thrown.headers, cause: thrown.cause })
}

/** Maps the pointers of an error response to the whole document. */
export function placedReply(reply: ErrorReply, placing: PointerMapper): ErrorReply {
  const errors = reply.errors.map((error): ErrorObject => ({ ...error, source: placedSource(error.source, placing) }))
  return { ...reply, errors }
}

/** Maps the pointer of a source. A source that is a header or a query parameter stays unchanged. */
function placedSource(source: ErrorSource | undefined, placing: PointerMapper): ErrorSource {
  if (source === undefined) return { pointer: placing('') }
  return 'pointer' in source ? { pointer: placing(source.pointer) } : source
}
