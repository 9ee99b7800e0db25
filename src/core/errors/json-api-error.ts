import type { ErrorSource } from '../document/error-object.js'
import { invariant } from '../util/invariant.js'
import type { JsonValue } from '../util/types.js'
import { catalogue, type ContextOf, type ErrorCode, type MessageValues } from './catalogue.js'
import { isMarked, markError } from './error-mark.js'
import { fillTemplate } from './message-template.js'

/**
 * One error of a request, as {@link problem} creates it: a code of the catalogue, with the context, source and meta of
 * this occurrence.
 */
export interface Problem {
  readonly code: ErrorCode
  /** Values for the placeholders of the message. Responses show them only inside messages. */
  readonly context: MessageValues
  readonly source?: ErrorSource
  readonly meta?: { readonly [name: string]: JsonValue }
}

export interface ProblemOptions {
  readonly source?: ErrorSource | undefined
  readonly meta?: { readonly [name: string]: JsonValue } | undefined
}

export interface JsonApiErrorOptions {
  /** Response headers as alternating names and values. */
  readonly headers?: readonly string[] | undefined
  readonly cause?: unknown
  /** The message of the error for the application: clients see it in debug mode only. Default: the detail of the first problem. */
  readonly reason?: string | undefined
}

/** Options of {@link fail}: the source and the meta of the error, the headers of the response, the cause, and the reason. */
export interface FailOptions extends ProblemOptions, JsonApiErrorOptions {}

interface NoContext {
  readonly [name: string]: never
}

/**
 * The remaining arguments of `problem` and `fail`. The context is required only if the templates of the code have
 * placeholders.
 */
export type ProblemArguments<Code extends ErrorCode, Options> = [keyof ContextOf<Code>] extends [never]
  ? [context?: NoContext | undefined, options?: Options]
  : [context: ContextOf<Code>, options?: Options]

/**
 * Creates a problem without throwing it, for a {@link JsonApiError} with several problems.
 *
 * @example
 * ```ts
 * problem('VALIDATION_FAILED', { message: 'Must not be empty.' }, { source: { pointer: '/data/attributes/title' } })
 * ```
 */
export function problem<Code extends ErrorCode>(code: Code, ...rest: ProblemArguments<Code, ProblemOptions>): Problem {
  const [context, options] = rest as readonly [MessageValues?, ProblemOptions?]
  // A JavaScript caller can misspell a code. Without this check, the error would have no status.
  if (!Object.hasOwn(catalogue, code)) throw new TypeError(`The error catalogue has no code '${code}'.`)
  return Object.freeze({
    code,
    context: Object.freeze({ ...context }),
    ...(options?.source && { source: Object.freeze({ ...options.source }) }),
    ...(options?.meta && { meta: Object.freeze({ ...options.meta }) }),
  })
}

/**
 * The error class for every failure that has an error code. It holds one or more problems of the catalogue.
 *
 * @example
 * ```ts
 * try {
 *   await server.dispatch({ kind: 'FetchResource', type: 'albums', id: '404' })
 * } catch (thrown) {
 *   if (!JsonApiError.is(thrown)) throw thrown
 *   console.error(thrown.status, thrown.problems.map(({ code }) => code))
 * }
 * ```
 */
export class JsonApiError extends Error {
  // oxlint-disable-next-line no-unused-private-class-members -- `is` tests for it
  readonly #brand = true
  override readonly name: string = 'JsonApiError'
  readonly problems: readonly Problem[]
  readonly status: number
  readonly headers: readonly string[]
  /** The option `reason`; `null` if the message is that of the client. */
  readonly reason: string | null

  constructor(problems: readonly Problem[], options: JsonApiErrorOptions = {}) {
    const [first] = problems
    invariant(first !== undefined, 'a JsonApiError has at least one problem')
    super(
      options.reason ?? fillTemplate(catalogue[first.code].detail, first.context),
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    markError(this, 'json-api')
    this.problems = Object.freeze([...problems])
    this.status = documentStatus(problems.map((each) => catalogue[each.code].status))
    this.headers = Object.freeze([...(options.headers ?? [])])
    this.reason = options.reason ?? null
  }

  /**
   * Like `instanceof`, but also recognizes errors of another copy of the package. A thrown proxy cannot make it throw,
   * or loop over an endless prototype chain.
   */
  static is(thrown: unknown): thrown is JsonApiError {
    return typeof thrown === 'object' && thrown !== null && (#brand in thrown || isMarked(thrown, 'json-api'))
  }
}

/**
 * Throws a `JsonApiError` with one error of the catalogue.
 *
 * @example
 * ```ts
 * fail('RELATIONSHIP_NOT_EXISTS', { relationship: 'tracks' }, { source: { parameter: 'include' } })
 * ```
 */
export function fail<Code extends ErrorCode>(code: Code, ...rest: ProblemArguments<Code, FailOptions>): never {
  const [, options] = rest as readonly [MessageValues?, FailOptions?]
  throw new JsonApiError([problem(code, ...(rest as ProblemArguments<Code, ProblemOptions>))], options)
}

/** Throws a `JsonApiError` with several errors. */
export function failAll(problems: readonly Problem[], options?: JsonApiErrorOptions): never {
  throw new JsonApiError(problems, options)
}

/**
 * Returns the HTTP status of an error document whose errors have these statuses. If they differ, it is the highest
 * status rounded down to its hundred: 404 and 422 make 400, 404 and 500 make 500.
 * https://jsonapi.org/format/1.1/#errors-processing
 */
export function documentStatus(statuses: readonly number[]): number {
  const [first = 500] = statuses
  if (statuses.every((status) => status === first)) return first
  return Math.floor(Math.max(...statuses) / 100) * 100
}
