import type { QueryParameters } from '../../serve/operation/query-parameters.js'
import { planRead } from '../../serve/read/plan/read-plan.js'
import { spendCost } from '../../serve/read/plan/spend-cost.js'
import type { RequestServices } from '../../serve/read/read-context.js'
import { readContextOf } from '../../serve/read/read-context.js'
import type { CallContext } from '../../serve/operation/extension-call.js'
import type { QueryCost } from '../../declare/resource/request/query-cost.js'
import { sumOfParts } from '../../declare/resource/request/query-cost.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { writeCost } from '../../serve/write/write-cost.js'
import type { PlannedOperation } from './plan-batch.js'

/** A batch before it runs. */
interface PaidBatch {
  readonly operations: readonly PlannedOperation[]
  readonly services: RequestServices
  readonly context: CallContext
  /** The query and the profiles of each operation. */
  readonly query: QueryParameters
  readonly profiles: readonly string[]
}

/** Spends the cost of a batch, which is the sum of its operations, before the first one runs. The parts of the sum are its types. */
export async function spendBatch(batch: PaidBatch): Promise<void> {
  const { operations, services, context } = batch
  const { queryCost } = services
  if (queryCost === null) return
  const shares = new Map<string, number>()
  const responses = new Map<RequestContext, QueryCost | null>()
  for (const operation of operations) {
    const { context: shared, data } = operation
    if (!responses.has(shared)) responses.set(shared, await responseCost(operation, batch))
    const { total } = writeCost(shared.type, { data, response: responses.get(shared) ?? null }, queryCost)
    shares.set(shared.type, (shares.get(shared.type) ?? 0) + total)
  }
  const parts = Array.from(shares, ([name, cost]) => ({ kind: 'write', name, parameter: null, cost }) as const)
  await spendCost(sumOfParts(parts), { services, context }, '/atomic:operations')
}

/** Returns the cost of the resource in a result, which operations of one kind on one type share; `null` if there is none. */
async function responseCost(
  { kind, served, context }: PlannedOperation,
  { services, query, profiles }: PaidBatch,
): Promise<QueryCost | null> {
  if (kind !== 'CreateResource' && kind !== 'UpdateResource') return null
  const request = readContextOf({ query, profiles, context }, services)
  return (await planRead({ kind: 'one', subject: served }, request)).cost
}
