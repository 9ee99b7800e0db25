import { fail } from '../../errors/json-api-error.js'
import { offered } from '../../errors/offered.js'
import type { QueryParameters } from '../../operation/query-parameters.js'

/** Refuses the query parameters of lists for a single resource, which cannot be filtered, sorted or paginated. */
export function refuseListQuery({ sort, filter, page }: QueryParameters): void {
  if (sort.length > 0) fail('SORTING_UNSUPPORTED', {}, { source: { parameter: 'sort' } })
  const [key] = filter.keys()
  if (key !== undefined) refuseFilter(key)
  if (page.size > 0) refuseParameter('page')
}

/** Refuses a filter where none is offered. */
export function refuseFilter(key: string): never {
  const details = { filter: key, offered: offered([]) }
  fail('FILTERING_UNRECOGNIZED', details, { source: { parameter: `filter[${key}]` } })
}

/**
 * Refuses `include` if the response cannot have included resources. https://jsonapi.org/format/1.1/#fetching-includes
 */
export function refuseInclude({ include }: QueryParameters): void {
  if (include !== null && include.length > 0) fail('INCLUSION_UNSUPPORTED', {}, { source: { parameter: 'include' } })
}

export function refuseParameter(param: string): never {
  fail('QUERY_PARAM_UNRECOGNIZED', { param, reason: '' }, { source: { parameter: param } })
}

export function refuseCount(names: readonly string[]): never {
  fail('RELATIONSHIP_COUNT_NOT_ALLOWED', { names: names.join(', ') }, { source: { parameter: 'withCount' } })
}
