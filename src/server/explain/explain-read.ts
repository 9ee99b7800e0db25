import type { Operation } from '../../serve/operation/operation.js'
import type { QueryCostRules } from '../../serve/read/cost-rules.js'
import { costDefaults } from '../../serve/read/cost-rules.js'
import { planCache } from '../../serve/read/plan-cache.js'
import { findRelation } from '../../serve/read/plan/find-relation.js'
import { planRead } from '../../serve/read/plan/read-plan.js'
import type { ReadTarget } from '../../serve/read/plan/read-target.js'
import type { ReadContext, RequestServices } from '../../serve/read/read-context.js'
import { readContextOf, servedType } from '../../serve/read/read-context.js'
import { invariant } from '../../core/util/invariant.js'
import type { ReadExplanation } from './read-explanation.js'

/** The part of the explanation of a read that comes from its plan. */
export type PlanExplanation = Omit<ReadExplanation, 'statements' | 'refusal'>

type Fetch = Extract<Operation, { kind: `Fetch${string}` }>

export function isFetch(operation: Operation): operation is Fetch {
  return operation.kind.startsWith('Fetch')
}

/** Plans a read as its handler would, and returns its cost. Nothing is read. Fails with the errors of the query. */
export async function explainRead(operation: Fetch, services: RequestServices): Promise<PlanExplanation> {
  const request = readContextOf(operation, withCosts(services))
  const { cost } = await planRead(targetOf(operation, request), request)
  invariant(cost !== null, 'a plan has no cost, though the server computes it')
  const budget = services.queryCost?.budgetOf(operation.context) ?? Number.POSITIVE_INFINITY
  return {
    operation: operation.kind,
    type: operation.type,
    cost: cost.total,
    budget: Number.isFinite(budget) ? budget : null,
    isWithinBudget: cost.total <= budget,
    parts: cost.parts,
  }
}

/** Returns services that compute costs: the plans of a server without the setting `queryCost` have none. */
function withCosts(services: RequestServices): RequestServices {
  if (services.queryCost !== null) return services
  return { ...services, queryCost: defaultRules, plans: planCache() }
}

const defaultRules: QueryCostRules = Object.freeze({
  ...costDefaults,
  budgetOf: () => Number.POSITIVE_INFINITY,
  isShown: false,
})

function targetOf(operation: Fetch, request: ReadContext): ReadTarget {
  const served = servedType(request.services, operation.context)
  if (operation.kind === 'FetchResource') {
    return { kind: operation.id === null ? 'collection' : 'one', subject: served }
  }
  const isLinkage = operation.kind === 'FetchRelationship'
  const relation = findRelation(served, operation.relationship, isLinkage ? 'relationship' : 'related', request)
  return { kind: isLinkage ? 'linkage' : 'related', subject: relation, owner: served }
}
