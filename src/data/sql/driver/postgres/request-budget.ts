/** How long the statements of one request may run, all together. Time in which none of them runs does not count. */
export interface RequestBudget {
  /** Says that a statement starts, and answers the milliseconds that are left. */
  start(): number
  end(): void
}

/** The budgets of requests, by what stands for the request; what no request asks for has one of its own each time. */
export function requestBudgets(limit: number): (request: object | null) => RequestBudget {
  const budgets = new WeakMap<object, RequestBudget>()
  return (request) => {
    const known = request === null ? undefined : budgets.get(request)
    const budget = known ?? budgetOf(limit)
    if (request !== null && known === undefined) budgets.set(request, budget)
    return budget
  }
}

function budgetOf(limit: number): RequestBudget {
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
      if (running === 0) spent += performance.now() - since
    },
  }
}
