import { refuseInclude, refuseListQuery } from '../query/refuse-query.js'
import type { ReadContext } from '../read-context.js'
import { checkFieldsets } from './check-fieldsets.js'

/** Where the answer shows no resources: nothing is done under a condition that nobody looks at. */
export function refuseResourceQuery(reading: Pick<ReadContext, 'query' | 'context' | 'services'>): void {
  const { query } = reading
  checkFieldsets(reading)
  refuseListQuery(query)
  refuseInclude(query)
}
