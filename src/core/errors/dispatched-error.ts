import { BatchOperationError } from './batch-operation-error.js'
import { JsonApiError } from './json-api-error.js'

/** The errors that `server.dispatch()` has rejected with. Their sources refer to the document and the query that the application dispatched. */
const dispatched = new WeakSet<object>()

/** Returns the error that a dispatched operation rejects with. An error of a further operation inside it loses its sources. */
export function dispatchedError(thrown: unknown): unknown {
  const error = withoutForeignSources(thrown)
  if (JsonApiError.is(error) || BatchOperationError.is(error)) dispatched.add(error)
  return error
}

/**
 * Returns an error without sources, if an operation that the application dispatched has thrown it: the client of the
 * request has not sent the document that they point into. Returns every other thrown value unchanged.
 */
export function withoutForeignSources(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null || !dispatched.has(thrown)) return thrown
  if (BatchOperationError.is(thrown)) return thrown.cause
  if (!JsonApiError.is(thrown)) return thrown
  const problems = thrown.problems.map(({ source: _source, ...rest }) => rest)
  return new JsonApiError(problems, { headers: thrown.headers, cause: thrown.cause })
}
