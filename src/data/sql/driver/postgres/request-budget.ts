/** How long the statements of one request may run, all together. Time in which none of them runs does not count. */
export interface RequestBudget {
  /** Says that a statement starts, and answers the milliseconds that are left. */
  start(): number
  end(): void
}

/** The budgets of requests, by what stands for the request. What no request asks for may take the whole of it each time. */
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
