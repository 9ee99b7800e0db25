/** The total time that the statements of one request may run. Time in which none of them runs does not count. */
export interface RequestBudget {
  /** Records that a statement starts, and returns the milliseconds that are left. */
  start(): number
  /** Records that a statement has ended. */
  end(): void
}

/**
 * Returns a function that returns the budget of a request. A statement without a request has a separate, full budget.
 */
export function requestBudgets(limit: number): (request: object | null) => RequestBudget {
  const budgets = new WeakMap<object, RequestBudget>()
  return (request) => {
    if (request === null) return budgetOf(limit, false)
    const known = budgets.get(request)
    if (known !== undefined) return known
    const budget = budgetOf(limit, true)
    budgets.set(request, budget)
    return budget
  }
}

function budgetOf(limit: number, addsUp: boolean): RequestBudget {
  let spent = 0
  let running = 0
  let since = 0
  return {
    start() {
      const now = performance.now()
      if (running === 0) since = now
      running += 1
      return limit - spent - (now - since)
    },
    end() {
      running -= 1
      if (running === 0 && addsUp) spent += performance.now() - since
    },
  }
}
