import type { HttpRequest } from '../http/request.js'

/** The context that exception mappers and message resolvers get besides the error. See {@link ExceptionMapper}. */
export interface ErrorContext {
  /** `null` if application code dispatched the failing operation without an HTTP request. */
  readonly request: HttpRequest | null
}
