import type { ErrorObject, ErrorSource } from '../document/error-object.js'
import type { ErrorReply } from './checked-reply.js'
import { JsonApiError } from './json-api-error.js'

/** Maps a pointer within an operation of a batch (empty for the operation itself) to a pointer within the whole document. */
export type PointerMapper = (pointer: string) => string

/**
 * Wraps a value that an operation of a batch has thrown. `cause` is the thrown value. `server.dispatch()` rejects with
 * it.
 */
export class BatchOperationError extends Error {
  // oxlint-disable-next-line no-unused-private-class-members -- `is` tests for it
  readonly #brand = true
  override readonly name: string = 'BatchOperationError'
  readonly mapPointer: PointerMapper

  constructor(cause: unknown, mapPointer: PointerMapper) {
    super('An operation of the batch failed.', { cause })
    this.mapPointer = mapPointer
  }

  /** Like `instanceof`, but runs no code of a thrown proxy, which could throw or loop. */
  static is(thrown: unknown): thrown is BatchOperationError {
    return typeof thrown === 'object' && thrown !== null && #brand in thrown
  }
}

/**
 * Maps the pointers of a thrown `JsonApiError` to the whole document. Wraps any other thrown value in a `BatchOperationError`.
 */
export function mapErrorPointers(thrown: unknown, mapPointer: PointerMapper): JsonApiError | BatchOperationError {
  if (!JsonApiError.is(thrown)) return new BatchOperationError(thrown, mapPointer)
  const problems = thrown.problems.map((each) => ({ ...each, source: mapSourcePointer(each.source, mapPointer) }))
  return new JsonApiError(problems, { headers: thrown.headers, cause: thrown.cause })
}

/** Maps the pointers of an error response to the whole document. */
export function mapReplyPointers(reply: ErrorReply, mapPointer: PointerMapper): ErrorReply {
  const errors = reply.errors.map(
    (error): ErrorObject => ({ ...error, source: mapSourcePointer(error.source, mapPointer) }),
  )
  return { ...reply, errors }
}

/** Maps the pointer of a source. A source that is a header or a query parameter stays unchanged. */
function mapSourcePointer(source: ErrorSource | undefined, mapPointer: PointerMapper): ErrorSource {
  if (source === undefined) return { pointer: mapPointer('') }
  return 'pointer' in source ? { pointer: mapPointer(source.pointer) } : source
}
