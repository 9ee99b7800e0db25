import { isMarked, markError } from './error-mark.js'

/** Options of {@link HttpError}: the headers of the response, and the cause. */
export interface HttpErrorOptions {
  /** Response headers as alternating names and values: `['Allow', 'GET, POST']`. */
  readonly headers?: readonly string[] | undefined
  readonly cause?: unknown
}

/**
 * An error with an HTTP status but without an error code. The client sees its message in debug mode only.
 *
 * @example
 * ```ts
 * throw new HttpError(401, 'The token has expired.', { headers: ['WWW-Authenticate', 'Bearer'] })
 * ```
 */
export class HttpError extends Error {
  // oxlint-disable-next-line no-unused-private-class-members -- `is` tests for it
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
   * Like `instanceof`, but also recognizes errors of another copy of the package. A thrown proxy cannot make it throw,
   * or loop over an endless prototype chain.
   */
  static is(thrown: unknown): thrown is HttpError {
    return typeof thrown === 'object' && thrown !== null && (#brand in thrown || isMarked(thrown, 'http'))
  }
}
