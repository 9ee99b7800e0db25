import { sql } from 'kysely'
import type { EstimateRules } from '../dialect.js'

/** The planner's numbers of rows: https://www.postgresql.org/docs/current/row-estimation-examples.html */
export const postgresEstimates: EstimateRules = Object.freeze<EstimateRules>({
  explain: (query) => sql`explain (format json) ${query}`,
  rowsIn: (plan) => {
    const [first] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as readonly ExplainedPlan[]
    return first?.Plan['Plan Rows'] ?? null
  },
})

interface ExplainedPlan {
  readonly Plan: { readonly 'Plan Rows'?: number }
}
