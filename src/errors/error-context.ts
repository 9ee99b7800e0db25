import type { HttpRequest } from '../http/request.js'

/** What mappers and message resolvers may know beside the error. */
export interface ErrorContext {
  /** `null` when the failing operation was dispatched by a program. */
  readonly request: HttpRequest | null
}
