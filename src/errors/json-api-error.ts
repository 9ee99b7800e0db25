import type { ErrorSource } from '../document/error-object.js'
import { invariant } from '../util/invariant.js'
import type { JsonValue } from '../util/types.js'
import { catalogue, type ContextOf, type ErrorCode } from './catalogue.js'
import { documentStatus } from './document-status.js'
import { isMarked, markError } from './error-mark.js'
import { fillTemplate, type MessageValues } from './message-template.js'

/** One thing wrong with a request: a code of the catalogue, and what this occurrence adds to it. */
export interface Problem {
  readonly code: ErrorCode
  /** Fills the placeholders of the message; never rendered by itself. */
  readonly context: MessageValues
  readonly source?: ErrorSource
  readonly meta?: { readonly [name: string]: JsonValue }
}

export interface ProblemOptions {
  readonly source?: ErrorSource | undefined
  readonly meta?: { readonly [name: string]: JsonValue } | undefined
}

export interface JsonApiErrorOptions {
  /** Response headers, name and value by turns. */
  readonly headers?: readonly string[] | undefined
  readonly cause?: unknown
}

export interface FailOptions extends ProblemOptions, JsonApiErrorOptions {}

interface NoContext {
  readonly [name: string]: never
}

/** The context is required exactly when the code's templates have placeholders. */
export type ProblemArguments<Code extends ErrorCode, Options> = [keyof ContextOf<Code>] extends [never]
  ? [context?: NoContext | undefined, options?: Options]
  : [context: ContextOf<Code>, options?: Options]

/**
 * Makes a problem, for `failAll` or a handler that collects several.
 *
 * @example
 * ```ts
 * problem('VALIDATION_FAILED', { message: 'Must not be empty.' }, { source: { pointer: '/data/attributes/title' } })
 * ```
 */
export function problem<Code extends ErrorCode>(code: Code, ...rest: ProblemArguments<Code, ProblemOptions>): Problem {
  const [context, options] = rest as readonly [MessageValues?, ProblemOptions?]
  // A JavaScript caller can misspell a code; better a clear fault here than an error without a status later.
  if (!Object.hasOwn(catalogue, code)) throw new TypeError(`The error catalogue has no code '${code}'.`)
  return Object.freeze({
    code,
    context: Object.freeze({ ...context }),
    ...(options?.source && { source: Object.freeze({ ...options.source }) }),
    ...(options?.meta && { meta: Object.freeze({ ...options.meta }) }),
  })
}

/** The one error of the service: what a client did wrong, as problems of the catalogue. */
export class JsonApiError extends Error {
  // oxlint-disable-next-line no-unused-private-class-members -- `is` looks for it
  readonly #brand = true
  override readonly name: string = 'JsonApiError'
  readonly problems: readonly Problem[]
  readonly status: number
  readonly headers: readonly string[]

  constructor(problems: readonly Problem[], options: JsonApiErrorOptions = {}) {
    const [first] = problems
    invariant(first !== undefined, 'a JsonApiError has at least one problem')
    super(
      fillTemplate(catalogue[first.code].detail, first.context),
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    markError(this, 'json-api')
    this.problems = Object.freeze([...problems])
    this.status = documentStatus(problems.map((each) => catalogue[each.code].status))
    this.headers = Object.freeze([...(options.headers ?? [])])
  }

  /**
   * Like `instanceof`, but knows the errors of another copy of the package too, and a thrown proxy can neither throw from
   * it nor keep it busy.
   */
  static is(thrown: unknown): thrown is JsonApiError {
    return typeof thrown === 'object' && thrown !== null && (#brand in thrown || isMarked(thrown, 'json-api'))
  }
}

/**
 * Ends the request with one error of the catalogue.
 *
 * @example
 * ```ts
 * fail('RELATIONSHIP_NOT_EXISTS', { relationship: 'tracks' })
 * ```
 */
export function fail<Code extends ErrorCode>(code: Code, ...rest: ProblemArguments<Code, FailOptions>): never {
  const [, options] = rest as readonly [MessageValues?, FailOptions?]
  throw new JsonApiError([problem(code, ...(rest as ProblemArguments<Code, ProblemOptions>))], options)
}

/** Ends the request with several errors at once. */
export function failAll(problems: readonly Problem[], options?: JsonApiErrorOptions): never {
  throw new JsonApiError(problems, options)
}
