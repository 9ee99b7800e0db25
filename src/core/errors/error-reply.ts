import type { ErrorObject } from '../document/error-object.js'
import { catalogue } from './catalogue.js'
import { checkedReply, type ErrorReply } from './checked-reply.js'
import { describeThrown, thrownMessage } from './describe-thrown.js'
import type { ErrorContext } from './error-context.js'
import { logThrown } from './error-log.js'
import type { CompiledErrorSettings } from './error-settings.js'
import { mapException } from './exception-mapping.js'
import { HttpError } from './http-error.js'
import { JsonApiError, type Problem } from './json-api-error.js'
import { messageText } from './messages.js'
import { BatchOperationError, mapReplyPointers } from './batch-operation-error.js'
import type { JsonValue } from '../util/types.js'

const noRequest: ErrorContext = Object.freeze({ request: null })

/**
 * Returns the error response for anything that was thrown while a request was handled. Never throws.
 *
 * A `JsonApiError` is rendered as it is and cannot be overridden. Next, the exception mappers and the exception map of
 * the application are tried, then `HttpError`. Any other thrown value is unexpected and makes a 500 response.
 */
export function errorReply(
  thrown: unknown,
  settings: CompiledErrorSettings,
  context: ErrorContext = noRequest,
): ErrorReply {
  if (BatchOperationError.is(thrown))
    return mapReplyPointers(errorReply(thrown.cause, settings, context), thrown.mapPointer)
  try {
    if (JsonApiError.is(thrown)) {
      logCause(thrown, settings, context)
      return problemsReply(thrown, settings, context)
    }
    const mapped = mapException(thrown, settings.mappers, context)
    if (mapped !== null) return mappedReply(mapped, settings, context)
    if (HttpError.is(thrown)) {
      logCause(thrown, settings, context)
      return httpReply(thrown, settings.debug)
    }
  } catch (fault) {
    // A mapper threw, or its response (or the meta or headers of a thrown error) is invalid.
    return unexpectedReply(fault, settings, context, { original: thrown })
  }
  return unexpectedReply(thrown, settings, context)
}

/**
 * Logs an error that has a cause, which the response does not show: as an error if the server failed, as information if
 * the store refused the values of the client.
 */
function logCause(error: JsonApiError | HttpError, { logger }: CompiledErrorSettings, context: ErrorContext): void {
  if (error.cause === undefined) return
  const { status } = error
  logThrown(logger, status >= 500 ? 'error' : 'info', error, context, { status })
}

function mappedReply(
  mapped: ErrorReply | JsonApiError | HttpError,
  settings: CompiledErrorSettings,
  context: ErrorContext,
): ErrorReply {
  if (JsonApiError.is(mapped)) return problemsReply(mapped, settings, context)
  if (HttpError.is(mapped)) return httpReply(mapped, settings.debug)
  return checkedReply(mapped)
}

function problemsReply(error: JsonApiError, settings: CompiledErrorSettings, context: ErrorContext): ErrorReply {
  const lookup = { resolver: settings.resolver, context }
  const debug = settings.debug ? debugMeta(error) : undefined
  const render = (problem: Problem): ErrorObject => ({
    status: String(catalogue[problem.code].status),
    code: problem.code,
    title: messageText(problem, 'title', lookup),
    detail: messageText(problem, 'detail', lookup),
    ...(problem.source && { source: problem.source }),
    ...((problem.meta ?? debug) && { meta: { ...problem.meta, ...debug } }),
  })
  return checkedReply({ status: error.status, errors: error.problems.map(render), headers: error.headers })
}

function httpReply(error: HttpError, debug: boolean): ErrorReply {
  const { status, headers } = error
  const reply = checkedReply({ status, errors: [{ status: String(status), title: reasonPhrase(status) }], headers })
  // `detail` is rendered even if it is empty, unlike every other member: the message is for debug mode only.
  const errors = reply.errors.map((each) => Object.freeze({ ...each, detail: debug ? thrownMessage(error) : '' }))
  return Object.freeze({ ...reply, errors: Object.freeze(errors) })
}

/** Returns why an error was raised, for debug mode: its reason, and its innermost cause, such as the error of a database. */
function debugMeta(error: JsonApiError): Readonly<Record<string, JsonValue>> | undefined {
  let { cause } = error
  // An error of another copy of the package may have no such member.
  const reason = typeof error.reason === 'string' ? { reason: error.reason } : undefined
  // The depth is limited, because a chain of causes may be circular.
  for (let depth = 0; depth < 8 && cause instanceof Error && cause.cause !== undefined; depth += 1) cause = cause.cause
  if (cause === undefined) return reason
  const { message, code, meta } = describeThrown(cause)
  return { ...reason, cause: { exception: meta.exception, message, code } }
}

const genericError: ErrorObject = Object.freeze({ status: '500', title: 'Internal Server Error' })
const genericReply: ErrorReply = Object.freeze({
  status: 500,
  errors: Object.freeze([genericError]),
  headers: Object.freeze([]),
})

function unexpectedReply(
  thrown: unknown,
  { debug, logger }: CompiledErrorSettings,
  context: ErrorContext,
  more: { readonly original?: unknown } = {},
): ErrorReply {
  logThrown(logger, 'error', thrown, context, { ...more, status: 500 })
  if (!debug) return genericReply
  const { code, message, meta } = describeThrown(thrown)
  return checkedReply({ status: 500, errors: [{ ...genericError, ...(code && { code }), detail: message, meta }] })
}

const phrases: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [409, 'Conflict'],
  [415, 'Unsupported Media Type'],
  [422, 'Unprocessable Entity'],
])

/** Returns the title of an error that has a status but no code. */
function reasonPhrase(status: number): string {
  return phrases.get(status) ?? (status >= 500 ? 'Server Error' : 'Error')
}
