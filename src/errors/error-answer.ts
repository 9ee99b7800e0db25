import type { ErrorObject } from '../document/error-object.js'
import { catalogue } from './catalogue.js'
import { checkedAnswer, type ErrorAnswer } from './checked-answer.js'
import { describeThrown, thrownMessage } from './describe-thrown.js'
import type { ErrorContext } from './error-context.js'
import { logThrown } from './error-log.js'
import type { CompiledErrorSettings } from './error-settings.js'
import { mapException } from './exception-mapping.js'
import { HttpError } from './http-error.js'
import { JsonApiError, type Problem } from './json-api-error.js'
import { messageText } from './messages.js'
import { PlacedError, placedAnswer } from './placed-error.js'
import type { JsonValue } from '../util/types.js'

const noRequest: ErrorContext = Object.freeze({ request: null })

/**
 * Returns the error response for anything that was thrown while a request was handled. Never throws.
 *
 * A `JsonApiError` is rendered as it is and cannot be overridden. Next, the exception mappers and the exception map of
 * the application are tried, then `HttpError`. Any other thrown value is unexpected and makes a 500 response.
 */
export function errorAnswer(
  thrown: unknown,
  settings: CompiledErrorSettings,
  context: ErrorContext = noRequest,
): ErrorAnswer {
  if (PlacedError.is(thrown)) return placedAnswer(errorAnswer(thrown.cause, settings, context), thrown.placing)
  try {
    if (JsonApiError.is(thrown)) {
      logCause(thrown, settings, context)
      return problemsAnswer(thrown, settings, context)
    }
    const mapped = mapException(thrown, settings.mappers, context)
    if (mapped !== null) return mappedAnswer(mapped, settings, context)
    if (HttpError.is(thrown)) {
      logCause(thrown, settings, context)
      return httpAnswer(thrown, settings.debug)
    }
  } catch (fault) {
    // A mapper threw, or its response (or the meta or headers of a thrown error) is invalid.
    return unexpectedAnswer(fault, settings, context, { original: thrown })
  }
  return unexpectedAnswer(thrown, settings, context)
}

/**
 * Logs an error that has a cause, which the response does not show: as an error if the server failed, as information if
 * the store refused what the client sent.
 */
function logCause(error: JsonApiError | HttpError, { logger }: CompiledErrorSettings, context: ErrorContext): void {
  if (error.cause === undefined) return
  logThrown(logger, error.status >= 500 ? 'error' : 'info', error, context)
}

function mappedAnswer(
  mapped: ErrorAnswer | JsonApiError | HttpError,
  settings: CompiledErrorSettings,
  context: ErrorContext,
): ErrorAnswer {
  if (JsonApiError.is(mapped)) return problemsAnswer(mapped, settings, context)
  if (HttpError.is(mapped)) return httpAnswer(mapped, settings.debug)
  return checkedAnswer(mapped)
}

function problemsAnswer(error: JsonApiError, settings: CompiledErrorSettings, context: ErrorContext): ErrorAnswer {
  const lookup = { resolver: settings.resolver, context }
  const cause = settings.debug ? causeMeta(error) : undefined
  const render = (problem: Problem): ErrorObject => ({
    status: String(catalogue[problem.code].status),
    code: problem.code,
    title: messageText(problem, 'title', lookup),
    detail: messageText(problem, 'detail', lookup),
    ...(problem.source && { source: problem.source }),
    ...((problem.meta ?? cause) && { meta: { ...problem.meta, ...cause } }),
  })
  return checkedAnswer({ status: error.status, errors: error.problems.map(render), headers: error.headers })
}

function httpAnswer(error: HttpError, debug: boolean): ErrorAnswer {
  const { status, headers } = error
  const answer = checkedAnswer({ status, errors: [{ status: String(status), title: reasonPhrase(status) }], headers })
  // `detail` is rendered even if it is empty, unlike every other member: the message is for debug mode only.
  const errors = answer.errors.map((each) => Object.freeze({ ...each, detail: debug ? thrownMessage(error) : '' }))
  return Object.freeze({ ...answer, errors: Object.freeze(errors) })
}

/** Returns the innermost cause of an error for debug mode, such as the error of a database. */
function causeMeta(error: JsonApiError): { readonly cause: JsonValue } | undefined {
  let { cause } = error
  // The depth is limited, because a chain of causes may be circular.
  for (let depth = 0; depth < 8 && cause instanceof Error && cause.cause !== undefined; depth += 1) cause = cause.cause
  if (cause === undefined) return undefined
  const { message, code, meta } = describeThrown(cause)
  return { cause: { exception: meta.exception, message, code } }
}

const genericError: ErrorObject = Object.freeze({ status: '500', title: 'Internal Server Error' })
const genericAnswer: ErrorAnswer = Object.freeze({
  status: 500,
  errors: Object.freeze([genericError]),
  headers: Object.freeze([]),
})

function unexpectedAnswer(
  thrown: unknown,
  { debug, logger }: CompiledErrorSettings,
  context: ErrorContext,
  more: { readonly original?: unknown } = {},
): ErrorAnswer {
  logThrown(logger, 'error', thrown, context, more)
  if (!debug) return genericAnswer
  const { code, message, meta } = describeThrown(thrown)
  return checkedAnswer({ status: 500, errors: [{ ...genericError, ...(code && { code }), detail: message, meta }] })
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
