import { HttpError } from '../errors/http-error.js'
import { JsonApiError, problem } from '../errors/json-api-error.js'

/** The members by which frameworks and their middleware say what is wrong: those of `http-errors`, Fastify and NestJS. */
interface StatedError {
  readonly status?: unknown
  readonly statusCode?: unknown
  readonly message?: unknown
  /** The kind of an error of `body-parser`. */
  readonly type?: unknown
  readonly code?: unknown
  readonly limit?: unknown
  readonly headers?: unknown
}

/**
 * Converts an error that was thrown in front of our routes. An error that states its status, as those of the framework do,
 * becomes an error with that status. Any other thrown value is returned as it is.
 */
export function frameworkError(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null || HttpError.is(thrown) || JsonApiError.is(thrown)) return thrown
  const error: StatedError = thrown
  const status = error.status ?? error.statusCode
  if (typeof status !== 'number' || status < 400 || status > 499) return thrown
  return bodyError(error, status) ?? new HttpError(status, String(error.message), { headers: headersOf(error) })
}

/** Returns the error of a body that a parser of the framework has refused; `null` for other errors. */
function bodyError({ type, code, limit }: StatedError, status: number): JsonApiError | null {
  if (status === 400 && (type === 'entity.parse.failed' || code === 'FST_ERR_CTP_INVALID_JSON_BODY')) {
    return new JsonApiError([problem('REQUEST_BODY_INVALID_JSON', { message: 'it is not well-formed' })])
  }
  if (status === 413 && typeof limit === 'number') {
    return new JsonApiError([problem('REQUEST_BODY_TOO_LARGE', { limit })])
  }
  return null
}

function headersOf({ headers }: StatedError): readonly string[] {
  if (typeof headers !== 'object' || headers === null) return []
  return Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [name, value] : []))
}
