import type { Attributes } from '@opentelemetry/api'
import { thrownMessage, thrownName } from '../../core/errors/describe-thrown.js'
import { BatchOperationError } from '../../core/errors/batch-operation-error.js'

/** Returns the attributes of a statement that has failed. The message may contain values, so it is left out. */
export function statementFailure(error: unknown): Attributes {
  const code = codeOf(error)
  if (code === null) return { 'error.type': thrownName(error) }
  return { 'error.type': code, 'db.response.status_code': code }
}

/** Returns the class of the exception that made a request fail. */
export function failureType(thrown: unknown): string {
  return thrownName(causeOf(thrown))
}

/** Returns the attributes of the exception that made a request fail, without messages of a database, which may contain values. */
export function exceptionAttributes(thrown: unknown): Attributes {
  const exception = causeOf(thrown)
  const type = { 'exception.type': thrownName(exception) }
  const stack = stackOf(exception)
  if (!isOfDatabase(exception)) {
    return { ...type, 'exception.message': thrownMessage(exception), 'exception.stacktrace': stack }
  }
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return { ...type, 'exception.message': codeOf(exception) ?? '', 'exception.stacktrace': frames.join('\n') }
}

/** Returns the original error: errors of operations in a batch are wrapped. */
function causeOf(thrown: unknown): unknown {
  return BatchOperationError.is(thrown) ? thrown.cause : thrown
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? '') : ''
}

function codeOf(error: unknown): string | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  return typeof code === 'string' && code !== '' ? code : null
}

/** Returns whether an exception has an SQLSTATE of PostgreSQL, or a code of an SQLite library. */
function isOfDatabase(exception: unknown): boolean {
  return /^(?:[0-9A-Z]{5}|(?:ERR_)?SQLITE_\w+)$/.test(codeOf(exception) ?? '')
}
