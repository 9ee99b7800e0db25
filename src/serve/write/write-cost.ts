import type { CostRules } from '../read/cost-rules.js'
import type { PlanOf, ReadPlan } from '../read/plan/read-plan.js'
import { planRead } from '../read/plan/read-plan.js'
import type { ReadTarget } from '../read/plan/read-target.js'
import { spendCost } from '../read/plan/spend-cost.js'
import type { ReadContext } from '../read/read-context.js'
import type { CostPart, QueryCost } from '../../declare/resource/request/query-cost.js'
import { sumOfParts } from '../../declare/resource/request/query-cost.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { Awaitable } from '../../core/util/types.js'

/*
 * The cost of a write is the sum of a fixed number, the rows that its body names, and the cost of everything in its response besides
 * the resource. It is computed before the body is checked.
 */

/**
 * Returns the cost of a write.
 *
 * @param write the data of its document, and the cost of the document in its response
 */
export function writeCost(
  type: string,
  { data, response }: { readonly data: unknown; readonly response: QueryCost | null },
  rules: CostRules,
): QueryCost {
  const part: CostPart = { kind: 'write', name: type, parameter: null, cost: rules.write + rowsIn(data) }
  // The row of the resource is written, and counted above.
  return sumOfParts([part, ...(response?.parts ?? []).filter(({ kind }) => kind !== 'rows')])
}

/** Counts the rows that the data of a document names: those of a list of identifiers, or a resource and its to-many linkage. */
function rowsIn(data: unknown): number {
  if (Array.isArray(data)) return Math.max(1, data.length)
  const relationships = isPlainObject(data) ? data['relationships'] : undefined
  if (!isPlainObject(relationships)) return 1
  return Object.values(relationships).reduce((sum: number, relationship) => {
    const linkage = isPlainObject(relationship) ? relationship['data'] : undefined
    return sum + (Array.isArray(linkage) ? linkage.length : 0)
  }, 1)
}

/**
 * Plans the response to a write, and spends the cost of the write: a write that exceeds the budget of the request is refused
 * before anything is written.
 */
export function planPaidWrite<Kind extends 'one' | 'linkage'>(
  target: ReadTarget & { readonly kind: Kind },
  document: unknown,
  request: ReadContext,
): Awaitable<PlanOf[Kind]> {
  const planning = planRead<Kind>(target, request)
  return paid(planning, target.kind, document, request)
}

async function paid<Plan extends ReadPlan>(
  planning: Awaitable<Plan>,
  kind: ReadTarget['kind'],
  document: unknown,
  request: ReadContext,
): Promise<Plan> {
  const plan = await planning
  // The response to a write of identifiers shows those that are written, and counted above.
  await spendWrite(document, request, kind === 'one' ? plan.cost : null)
  return plan
}

/**
 * Spends the cost of a write.
 *
 * @param response the cost of the document in the response
 */
export function spendWrite(
  document: unknown,
  request: ReadContext,
  response: QueryCost | null = null,
): Awaitable<void> {
  const { services, context } = request
  if (services.queryCost === null) return
  const data = isPlainObject(document) ? document['data'] : undefined
  return spendCost(writeCost(context.type, { data, response }, services.queryCost), request)
}
