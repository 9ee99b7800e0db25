import type { CallContext } from '../operation/extension-call.js'

/** The numbers from which the cost of a request is computed. */
export interface CostRules {
  /** The rows of a list without pages, for types that declare no `expectedRows`. */
  readonly expectedRows: number
  /** The members of a to-many relation, for relations that declare no `expectedMembers()`. */
  readonly expectedMembers: number
  /** The cost of each relation that a filter or a sort follows, and of each custom filter or sort. */
  readonly join: number
  /** The cost of each count. */
  readonly count: number
  /** The cost of an estimated total. */
  readonly estimate: number
  /** The cost of each write, besides that of its rows. */
  readonly write: number
}

/** The defaults of the setting `queryCost`. */
export const costDefaults: CostRules = Object.freeze({
  expectedRows: 1000,
  expectedMembers: 10,
  join: 10,
  count: 10,
  estimate: 2,
  write: 10,
})

/** The setting `queryCost` of a server. */
export interface QueryCostRules extends CostRules {
  /** Returns the largest cost that a request may have; Infinity for no limit. */
  budgetOf(context: CallContext): number
  /** Whether responses show the cost. */
  readonly isShown: boolean
}
