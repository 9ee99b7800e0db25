import type { EngineName } from '../../core/util/engine-name.js'
import type { Caller } from '../../declare/resource/request/registered.js'
import type { CostPart } from '../../declare/resource/request/query-cost.js'
import type { OperationKind } from '../../declare/resource/request/request-context.js'

/**
 * A question about a read, for `server.explain()`.
 *
 * @example
 * ```ts
 * const question = { url: '/albums?include=tracks&page[size]=50', as: { id: 2 } }
 * ```
 */
export interface ReadQuestion {
  /** The path and the query of a GET request, or its whole URL. */
  readonly url: string
  /** The caller. Default: `null`, an anonymous request. */
  readonly as?: Caller
  /** The name of the server. Default: the server of the URL. */
  readonly server?: string
  /** URIs of profiles to apply, such as that of `withCount`. Default: none. */
  readonly profiles?: readonly string[]
  /**
   * Whether to run the read, as the caller, and return the statements that it takes. A read beyond its budget is not run.
   * Default: `false`, nothing is read.
   */
  readonly statements?: boolean
}

/**
 * The cost of a read, as `server.explain()` returns it.
 *
 * @example
 * ```ts
 * const { cost, budget, parts } = await server.explain({ url: '/albums?include=artist' })
 * console.log(`${cost} of ${budget ?? 'any'}`, parts)
 * ```
 */
export interface ReadExplanation {
  readonly operation: Extract<OperationKind, `Fetch${string}`>
  /** The type that the URL begins with. */
  readonly type: string
  /** The sum of the parts. */
  readonly cost: number
  /** The largest cost that the caller may have; `null` if there is no limit. */
  readonly budget: number | null
  /** Whether the cost is not more than the budget. */
  readonly isWithinBudget: boolean
  readonly parts: readonly CostPart[]
  /** The statements of the read, in the order in which they began; `null` if it was not run. */
  readonly statements: readonly ExplainedStatement[] | null
  /** The reason why the read has no document, such as `The requested resource does not exist.`; `null` if it has one, or was not run. */
  readonly refusal: string | null
}

/**
 * A statement of a read that was run to explain it. It has no values.
 *
 * @example
 * ```ts
 * const { statements } = await server.explain({ url: '/albums?include=artist', statements: true })
 * for (const { shape, rows, milliseconds } of statements ?? []) console.log(shape, rows, milliseconds)
 * ```
 */
export interface ExplainedStatement {
  readonly engine: EngineName
  /** The name of its shape, such as `list albums`; `null` for a statement of the application. */
  readonly shape: string | null
  /** The table that it reads first; `null` if that is unknown. */
  readonly table: string | null
  /** The text, with placeholders for its values. */
  readonly sql: string
  /** The number of rows that it returned; `null` if it failed. */
  readonly rows: number | null
  readonly milliseconds: number
}
