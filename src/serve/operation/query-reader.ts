import { parametersInBody } from '../parse/query-body.js'
import type { QueryPairs } from '../parse/query-string.js'
import type { LruCache } from '../../core/util/lru-cache.js'
import { lruCache } from '../../core/util/lru-cache.js'
import { sealed } from '../../core/util/sealed.js'
import type { FilterTreeLimits } from './filter-tree.js'
import { readFilterTree } from './filter-tree.js'
import { readJsonQuery } from './json-query.js'
import type { FilterNode, FilterValue, QueryParameters } from './query-parameters.js'
import type { QueryRules } from './read-query.js'
import { readQuery } from './read-query.js'

/**
 * Parses the query strings of one server. Results are cached, because clients repeat the same query
 * strings. Without this cache, and so without the plans that depend on it, one resource takes 88 % more CPU time (W1 on
 * SQLite).
 */
export interface QueryReader {
  /** @param place where the client has sent the query string. Default: the URL. */
  (raw: string, profiles: readonly string[], place?: QueryPlace): QueryParameters
  /** Reads the body of a QUERY request in JSON; `undefined` if it is empty. */
  json(document: unknown, profiles: readonly string[]): QueryParameters
  readonly cache: Pick<LruCache<string, QueryParameters>, 'values' | 'state'>
}

/** Whether a query string was sent in the URL, or in the body of a QUERY request, which may be longer. */
export type QueryPlace = 'url' | 'body'

const MAX_CACHED_QUERIES = 500
const MAX_CACHED_QUERY_LENGTH = 2048
const MAX_CACHED_FIELDSETS = 500

/**
 * Gets each cached query object. Requests share it, so that results derived from it can be cached as long as it exists.
 */
export interface SharedQueries {
  add(query: QueryParameters, profiles: readonly string[]): void
}

/** The rules of a reader. */
export interface ReaderRules extends QueryRules, FilterTreeLimits {
  /** The values of one filter in a body. Default: those in a URL. */
  readonly maxFilterValuesInBody?: number
}

/**
 * Creates a query reader with an LRU cache.
 *
 * @param parse splits a query string into pairs, or fails
 */
export function queryReader(
  rules: ReaderRules,
  parse: (raw: string) => QueryPairs,
  sharedQueries: SharedQueries,
): QueryReader {
  const cachedQueries = lruCache<string, QueryParameters>(MAX_CACHED_QUERIES)
  const cachedFieldsets = lruCache<string, ReadonlySet<string>>(MAX_CACHED_FIELDSETS)
  const fieldsetOf = (names: ReadonlySet<string>): ReadonlySet<string> =>
    cachedFieldsets.getOrCreate(JSON.stringify([...names]), () => sealed(names))
  const maxFilterValues = rules.maxFilterValuesInBody ?? rules.maxFilterValues
  const maxParameters = parametersInBody(maxFilterValues)
  const readBodyText = (raw: string, profiles: readonly string[]): QueryParameters => {
    return { ...readQuery(parse(raw), { ...rules, maxFilterValues }, profiles), maxFilterValues }
  }
  const read: (...args: Parameters<QueryReader>) => QueryParameters = (raw, profiles, place = 'url') => {
    const isOfBody = place === 'body' && maxFilterValues !== rules.maxFilterValues
    // A query string cannot contain a line break.
    const text = profiles.length === 0 ? raw : `${profilesText(profiles)}\n${raw}`
    const key = isOfBody ? `${text}\n` : text
    const cached = cachedQueries.get(key)
    if (cached !== undefined) return cached
    const isCacheable = raw.length <= MAX_CACHED_QUERY_LENGTH
    const sent = isOfBody ? readBodyText(raw, profiles) : readQuery(parse(raw), rules, profiles)
    const query = sealedQuery(sent, isCacheable ? fieldsetOf : sealed)
    if (!isCacheable) return query
    sharedQueries.add(query, profiles)
    cachedQueries.set(key, query)
    return query
  }
  const readJson: QueryReader['json'] = (document, profiles) => {
    const raw = document === undefined ? '' : JSON.stringify(document)
    // No other key begins with a line break.
    const key = `\n${profilesText(profiles)}\n${raw}`
    const cached = cachedQueries.get(key)
    if (cached !== undefined) return cached
    const { filter, pairs } = readJsonQuery(document, maxParameters)
    const filters = readFilterTree(filter ?? {}, { ...rules, maxFilterValues, maxParameters })
    const sent = { ...readQuery(pairs, { ...rules, maxFilterValues }, profiles), ...filters, maxFilterValues }
    const isCacheable = raw.length <= MAX_CACHED_QUERY_LENGTH
    const query = sealedQuery(sent, isCacheable ? fieldsetOf : sealed)
    if (!isCacheable) return query
    sharedQueries.add(query, profiles)
    cachedQueries.set(key, query)
    return query
  }
  return Object.assign(read, { json: readJson, cache: cachedQueries })
}

/**
 * Returns an immutable copy of a query. Many requests share it, so a change would affect the others. It is a copy,
 * because all requests without a query string share the empty query. Equal fieldsets become the same object, across
 * queries too, because the fieldset object is the cache key of derived results.
 */
function sealedQuery(
  query: QueryParameters,
  fieldsetOf: (names: ReadonlySet<string>) => ReadonlySet<string>,
): QueryParameters {
  const { filter, page, relatedQuery, custom, ...rest } = query
  for (const names of query.withLinkage.values()) sealed(names)
  const fields = new Map(Array.from(query.fields, ([type, names]) => [type, fieldsetOf(names)]))
  for (const value of filter.values()) sealValue(value)
  for (const node of query.filterTree?.nodes ?? []) sealNode(node)
  for (const related of relatedQuery.values()) {
    sealed(related.page)
    sealValue(related.filter)
    Object.freeze(related.sort)
  }
  for (const values of custom.values()) Object.freeze(values)
  for (const list of [rest.include, rest.sort, rest.withCount]) Object.freeze(list)
  return Object.freeze({
    ...rest,
    fields: sealed(fields),
    withLinkage: sealed(rest.withLinkage),
    filter: sealed(filter),
    page: sealed(page),
    relatedQuery: sealed(relatedQuery),
    custom: sealed(custom),
  })
}

function sealNode(node: FilterNode): void {
  Object.freeze(node)
  if (node.kind === 'filter') sealValue(node.value)
  else for (const each of node.kind === 'not' ? [node.node] : node.nodes) sealNode(each)
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
