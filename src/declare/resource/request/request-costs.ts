import type { HttpRequest } from '../../../core/http/request.js'
import type { QueryCharge } from './query-cost.js'

/*
 * The state of the cost of a request while it is handled. The keys are requests, so that the garbage collector removes both together.
 */

/** The charges of requests whose cost is not known yet. */
const pendingCharges = new WeakMap<HttpRequest, readonly QueryCharge[]>()

export function setCharges(request: HttpRequest, charges: readonly QueryCharge[]): void {
  pendingCharges.set(request, charges)
}

const noCharges: readonly QueryCharge[] = Object.freeze([])

/** Returns the charges of a request on the first call only: a request is charged once, even if its work is retried. */
export function takeCharges(request: HttpRequest | null): readonly QueryCharge[] {
  const charges = request === null ? undefined : pendingCharges.get(request)
  if (request === null || charges === undefined) return noCharges
  pendingCharges.delete(request)
  return charges
}

/** The cost of a request and its budget, as debug mode shows them. */
interface ShownCost {
  readonly cost: number
  /** Infinity for no limit. */
  readonly budget: number
}

const shownCosts = new WeakMap<HttpRequest, ShownCost>()

/** Stores the cost of a request for its response. The cost of a batch is stored before the costs of its operations, which do not replace it. */
export function showCost(request: HttpRequest, shown: ShownCost): void {
  if (!shownCosts.has(request)) shownCosts.set(request, shown)
}

/** Returns the cost of a request; `null` if it is not known, or not to be shown. */
export function shownCost(request: HttpRequest): ShownCost | null {
  return shownCosts.get(request) ?? null
}
