import type { Caller } from '../resource/capabilities/registered.js'
import type { CostPart } from '../resource/query-cost.js'
import type { OperationKind } from '../resource/request-context.js'

/**
 * A question about a read, for `server.explain()`.
 *
 * @example
 * ```ts
 * const question: ReadQuestion = { url: '/albums?include=tracks&page[size]=50', as: { id: 2 } }
 * ```
 */
export interface ReadQuestion {
  /** The path and the query of a GET request, or its whole URL. */
  readonly url: string
  /** The caller. Default: `null`, nobody. */
  readonly as?: Caller
  /** The name of the server. Default: the one that the URL leads to. */
  readonly server?: string
  /** URIs of profiles to apply, such as that of `withCount`. Default: none. */
  readonly profiles?: readonly string[]
}

/**
 * What a read costs, as `server.explain()` returns it.
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
}
