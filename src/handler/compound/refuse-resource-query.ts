import { fail } from '../../errors/json-api-error.js'
import { refuseListQuery } from '../query/refuse-query.js'
import type { Reading } from '../reading.js'
import { checkFieldsets } from './check-fieldsets.js'

/** Where the answer shows no resources: nothing is done under a condition that nobody looks at. */
export function refuseResourceQuery(reading: Pick<Reading, 'query' | 'context' | 'services'>): void {
  const { query } = reading
  checkFieldsets(reading)
  refuseListQuery(query)
  if (query.include !== null && query.include.length > 0) {
    fail('INCLUSION_UNSUPPORTED', {}, { source: { parameter: 'include' } })
  }
}
