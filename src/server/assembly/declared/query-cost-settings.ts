import type { CallContext } from '../../../serve/operation/extension-call.js'
import type { CostRules } from '../../../serve/read/cost-rules.js'

/**
 * How much a request may cost, and how the cost is computed: before anything is read, from the page size, the include paths, the
 * filters and the sorts of the request.
 *
 * @example
 * ```ts
 * const queryCost: ServerSettings['queryCost'] = { budget: ({ caller }) => (caller === null ? 500 : 5_000), expectedMembers: 20 }
 * createServer({ resources: [albums, artists], data: memoryData(), queryCost })
 * ```
 */
export interface QueryCostSettings extends Partial<CostRules> {
  /**
   * The largest cost that a request may have, or a function that returns it; Infinity for no limit. A request beyond it gets a 400
   * response. `request` is `null` for operations that the application dispatches. Default: no limit.
   */
  readonly budget?: number | ((context: CallContext) => number)
  /** The rows of a list without pages, of a type that declares no `expectedRows`. Default: 1,000. */
  readonly expectedRows?: number
  /** The members of a to-many relation that declares no `expectedMembers()`. Default: 10. */
  readonly expectedMembers?: number
  /** The cost of each relation that a filter or a sort follows, and of each custom filter or sort. Default: 10. */
  readonly join?: number
  /** The cost of each count. Default: 10. */
  readonly count?: number
  /** The cost of an estimated total: `page[count]=estimate`. Default: 2. */
  readonly estimate?: number
  /** The cost of each write, besides that of its rows. Default: 10. */
  readonly write?: number
}
