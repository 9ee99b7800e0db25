import { refuseInclude, refuseListQuery } from '../query/refuse-query.js'
import type { ReadContext } from '../read-context.js'
import { checkFieldsets } from './check-fieldsets.js'

/**
 * Refuses the query parameters for resources, if the response shows no resources: an operation must not run while a
 * parameter of its request is ignored.
 */
export function refuseResourceQuery(request: Pick<ReadContext, 'query' | 'context' | 'services'>): void {
  const { query } = request
  checkFieldsets(request)
  refuseListQuery(query)
  refuseInclude(query)
}
