import { ignoreRejection } from '../../core/errors/ignore-rejection.js'
import type { QueryCostRules } from '../../serve/read/cost-rules.js'
import { costDefaults } from '../../serve/read/cost-rules.js'
import type { QueryCostSettings } from './declared/query-cost-settings.js'

/** Returns the setting `queryCost`; `null` if the cost of requests is not computed. */
export function serveQueryCost(
  setting: QueryCostSettings | false | undefined,
  { debug }: { readonly debug: boolean },
): QueryCostRules | null {
  if (setting === undefined || setting === false) return null
  const { budget = Number.POSITIVE_INFINITY, ...given } = setting
  const declared = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.freeze<QueryCostRules>({
    ...costDefaults,
    ...Object.fromEntries(declared),
    budgetOf: typeof budget === 'function' ? (context) => checkedBudget(budget(context)) : () => budget,
    isShown: debug,
  })
}

/** Throws unless the budget is a number: any other value would let every request pass. */
function checkedBudget(budget: unknown): number {
  if (typeof budget === 'number' && budget >= 0) return budget
  ignoreRejection(budget)
  throw new TypeError("The function 'budget' of the setting 'queryCost' must return a number, 0 or more.")
}
