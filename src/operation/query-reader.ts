import type { QueryPairs } from '../parse/query-string.js'
import { lruCache } from '../util/lru-cache.js'
import { sealed } from '../util/sealed.js'
import type { FilterValue, QueryParameters } from './query-parameters.js'
import type { QueryRules } from './read-query.js'
import { readQuery } from './read-query.js'

/** Reads the query strings of one server. Clients send the same ones over and over: what one says is worked out once. */
export type QueryReader = (raw: string, profiles: readonly string[]) => QueryParameters

const REMEMBERED_QUERIES = 500
const LONGEST_REMEMBERED_QUERY = 2048
const REMEMBERED_FIELDSETS = 500

/** Is told of each query that several requests share: what is worked out of it can be cached for as long as it exists. */
export interface SharedQueries {
  add(query: QueryParameters, profiles: readonly string[]): void
}

/** @param parse splits a query string into its pairs, or refuses it */
export function queryReader(
  rules: QueryRules,
  parse: (raw: string) => QueryPairs,
  sharedQueries: SharedQueries,
): QueryReader {
  const remembered = lruCache<string, QueryParameters>(REMEMBERED_QUERIES)
  const fieldsets = lruCache<string, ReadonlySet<string>>(REMEMBERED_FIELDSETS)
  const fieldsetOf = (names: ReadonlySet<string>): ReadonlySet<string> =>
    fieldsets.getOrCreate(JSON.stringify([...names]), () => sealed(names))
  return (raw, profiles) => {
    // No query string has a line break.
    const key = profiles.length === 0 ? raw : `${profilesText(profiles)}\n${raw}`
    const known = remembered.get(key)
    if (known !== undefined) return known
    const isRemembered = raw.length <= LONGEST_REMEMBERED_QUERY
    const query = shared(readQuery(parse(raw), rules, profiles), isRemembered ? fieldsetOf : sealed)
    if (!isRemembered) return query
    sharedQueries.add(query, profiles)
    remembered.set(key, query)
    return query
  }
}

/**
 * Many requests get it: whoever changes it would change what others ask for. A copy, since all share the empty one.
 * Fieldsets that name the same are one: other queries have them too, and what is worked out of them is kept by it.
 */
function shared(
  query: QueryParameters,
  fieldsetOf: (names: ReadonlySet<string>) => ReadonlySet<string>,
): QueryParameters {
  const { filter, page, relatedQuery, custom, ...rest } = query
  const fields = new Map(Array.from(query.fields, ([type, names]) => [type, fieldsetOf(names)]))
  for (const value of filter.values()) sealValue(value)
  for (const asked of relatedQuery.values()) {
    sealed(asked.page)
    sealValue(asked.filter)
    Object.freeze(asked.sort)
  }
  for (const values of custom.values()) Object.freeze(values)
  for (const list of [rest.include, rest.sort, rest.withCount]) Object.freeze(list)
  return Object.freeze({
    ...rest,
    fields: sealed(fields),
    filter: sealed(filter),
    page: sealed(page),
    relatedQuery: sealed(relatedQuery),
    custom: sealed(custom),
  })
}

function sealValue(value: FilterValue): void {
  if (value instanceof Map) {
    for (const member of (value as ReadonlyMap<string, FilterValue>).values()) sealValue(member)
    sealed(value)
  } else Object.freeze(value)
}

/** Returns the URIs of profiles as one text. URIs have no spaces. */
export function profilesText(profiles: readonly string[]): string {
  return profiles.length === 0 ? '' : profiles.join(' ')
}
