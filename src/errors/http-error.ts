import { isMarked, markError } from './error-mark.js'

export interface HttpErrorOptions {
  /** Response headers, name and value by turns: `['Allow', 'GET, POST']`. */
  readonly headers?: readonly string[] | undefined
  readonly cause?: unknown
}

/**
 * A failure with an HTTP status but no code of the catalogue. Its message reaches the client in debug mode only.
 *
 * @example
 * ```ts
 * throw new HttpError(401, 'The token has expired.', { headers: ['WWW-Authenticate', 'Bearer'] })
 * ```
 */
export class HttpError extends Error {
  // oxlint-disable-next-line no-unused-private-class-members -- `is` looks for it
  readonly #brand = true
  override readonly name: string = 'HttpError'
  readonly status: number
  readonly headers: readonly string[]

  constructor(status: number, message = '', options: HttpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    markError(this, 'http')
    this.status = status
    this.headers = Object.freeze([...(options.headers ?? [])])
  }

  /**
   * Like `instanceof`, but knows the errors of another copy of the package too, and a thrown proxy can neither throw from
   * it nor keep it busy.
   */
  static is(thrown: unknown): thrown is HttpError {
    return typeof thrown === 'object' && thrown !== null && (#brand in thrown || isMarked(thrown, 'http'))
  }
}
