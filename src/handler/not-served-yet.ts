import { fail } from '../errors/json-api-error.js'
import { HttpError } from '../errors/http-error.js'
import type { QueryParameters } from '../operation/query-parameters.js'
import type { ResourceDocument } from './steps/resource-document.js'
import type { CompiledType } from '../resource/compiled-type.js'

/** Reading beyond fieldsets: refused in the words for endpoints that do not offer it, so that no answer is silently wrong. */
export function refuseUnservedQuery({ include, sort, filter }: QueryParameters): void {
  if (include !== null && include.length > 0) fail('INCLUSION_UNSUPPORTED', {}, { source: { parameter: 'include' } })
  if (sort.length > 0) fail('SORTING_UNSUPPORTED', {}, { source: { parameter: 'sort' } })
  const [key] = filter.keys()
  if (key !== undefined) fail('FILTERING_UNRECOGNIZED', { filter: key }, { source: { parameter: `filter[${key}]` } })
}

/** Writing relationships: refused, because leaving them out of account would lose what the client asked for. */
export function refuseUnservedRelationships(
  { relationNamed }: CompiledType,
  { relationships }: ResourceDocument,
): void {
  if (Object.keys(relationships).some((name) => relationNamed.has(name))) notServedYet('Writing relationships')
}

export function notServedYet(feature: string): never {
  throw new HttpError(501, `${feature} is not served yet.`)
}
