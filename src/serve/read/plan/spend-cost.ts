import { fail } from '../../../core/errors/json-api-error.js'
import type { CallContext } from '../../operation/extension-call.js'
import type { QueryCost } from '../../../declare/resource/request/query-cost.js'
import { showCost, takeCharges } from '../../../declare/resource/request/request-costs.js'
import type { ReadContext } from '../read-context.js'

/** The context of a request, and the services of its server. */
interface Spending {
  readonly services: Pick<ReadContext['services'], 'queryCost'>
  readonly context: CallContext
}

/**
 * Spends the cost of a request before it reads or writes anything. Fails with 400 if it exceeds the budget, and with the
 * errors that charges of middleware throw. Operations that a program dispatches have a budget, but no charges.
 *
 * @param pointer where the body of the request causes the cost; `null` if its query does
 */
export async function spendCost(
  cost: QueryCost,
  { services: { queryCost }, context }: Spending,
  pointer: string | null = null,
): Promise<void> {
  if (queryCost === null) return
  const { request } = context
  const charges = takeCharges(request)
  const budget = charges.reduce((least, { most }) => Math.min(least, most), queryCost.budgetOf(context))
  if (queryCost.isShown && request !== null) showCost(request, { cost: cost.total, budget })
  if (cost.total > budget) refuse(cost, budget, pointer)
  for (const charge of charges) await charge.take(cost.total)
}

/** Fails with an error that names the parameter that costs most, of those by which the client can lower the cost. */
function refuse({ total, parts }: QueryCost, budget: number, pointer: string | null): never {
  const shares = new Map<string, number>()
  for (const { kind, name, parameter, cost } of parts) {
    const subject = parameter ?? `the ${kind} of '${name}'`
    shares.set(subject, (shares.get(subject) ?? 0) + cost)
  }
  const parameters = new Set(parts.flatMap(({ parameter }) => parameter ?? []))
  const ranked = [...shares].toSorted(([, a], [, b]) => b - a)
  const [subject, share] = ranked.find(([each]) => parameters.has(each)) ?? ranked[0] ?? ['', 0]
  const source = pointer === null ? (parameters.has(subject) ? { parameter: subject } : undefined) : { pointer }
  const meta = { cost: total, budget, parts: parts.map((part) => ({ ...part })) }
  fail('QUERY_TOO_EXPENSIVE', { cost: total, budget, subject, share }, { source, meta })
}
