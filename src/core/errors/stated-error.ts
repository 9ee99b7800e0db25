import { isErrorStatus } from './checked-reply.js'
import type { ErrorContext } from './error-context.js'
import type { ExceptionMapper } from './exception-mapping.js'
import { HttpError } from './http-error.js'
import { JsonApiError, problem } from './json-api-error.js'

/** The members by which errors of frameworks and their middleware state the response: `http-errors`, Fastify, Hono and NestJS. */
interface StatedError {
  readonly status?: unknown
  readonly statusCode?: unknown
  readonly message?: unknown
  /** The kind of an error of `body-parser`. */
  readonly type?: unknown
  readonly code?: unknown
  readonly limit?: unknown
  readonly headers?: unknown
  /** The response of an `HTTPException` of Hono. */
  readonly res?: unknown
}

/**
 * Maps an error that was thrown before the routes of the server and states its status, as errors of frameworks do. It runs after the mappers
 * and the exception map of the application. An error that states 500 is as unexpected as one that states nothing.
 */
export const statedErrors: ExceptionMapper = Object.freeze({
  map(thrown: unknown, context: ErrorContext): JsonApiError | HttpError | null {
    if (typeof thrown !== 'object' || thrown === null || HttpError.is(thrown)) return null
    const error: StatedError = thrown
    const status = error.status ?? error.statusCode
    if (!isErrorStatus(status) || status === 500) return null
    return (
      bodyError(error, status, context) ?? new HttpError(status, String(error.message), { headers: headersOf(error) })
    )
  },
})

/** Returns the error of a body that a parser of the framework has refused; `null` for other errors. */
function bodyError({ type, code, limit }: StatedError, status: number, { request }: ErrorContext): JsonApiError | null {
  if (status === 400 && (type === 'entity.parse.failed' || code === 'FST_ERR_CTP_INVALID_JSON_BODY')) {
    return new JsonApiError([problem('REQUEST_BODY_INVALID_JSON', { message: 'it is not well-formed' })])
  }
  if (status === 413 && typeof limit === 'number') {
    return new JsonApiError([problem('REQUEST_BODY_TOO_LARGE', { limit })])
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const mediaType = request?.header('content-type') ?? ''
    const expected = { mediaType, header: 'Content-Type', extensions: 'supported extensions only' }
    return new JsonApiError([problem('MEDIA_TYPE_UNSUPPORTED', expected, { source: { header: 'Content-Type' } })])
  }
  return null
}

/** Returns the stated headers, such as `WWW-Authenticate`, without those of the body that the framework would send. */
function headersOf({ headers, res }: StatedError): readonly string[] {
  const stated: unknown = res instanceof Response ? Object.fromEntries(res.headers) : headers
  if (typeof stated !== 'object' || stated === null) return []
  return Object.entries(stated).flatMap(([name, value]) =>
    typeof value === 'string' && !/^content-/i.test(name) ? [name, value] : [],
  )
}
