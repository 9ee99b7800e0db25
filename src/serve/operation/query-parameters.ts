/**
 * The value of a filter as the client sent it: a string, a list of strings, or a map of values by key. See
 * {@link QueryParameters}.
 */
export type FilterValue = string | readonly string[] | ReadonlyMap<string, FilterValue>

/** A declared filter with a value, or filters that are combined. Each has the JSON Pointer of its place in the body. */
export type FilterNode =
  | { readonly kind: 'filter'; readonly key: string; readonly value: FilterValue; readonly pointer: string }
  | { readonly kind: 'all' | 'any'; readonly nodes: readonly FilterNode[]; readonly pointer: string }
  | { readonly kind: 'not'; readonly node: FilterNode; readonly pointer: string }

/** The part of the filters of a JSON query that the parameters of a URL cannot express. All nodes must match. */
export interface FilterTree {
  readonly nodes: readonly FilterNode[]
  /** The operators at its top, and the keys of all filters in it. */
  readonly keys: readonly string[]
}

/** The query parameters for one relationship, sent in a request for its owner. */
export interface RelatedQuery {
  /** The parameter name that the client used, for error messages: `relatedQuery[tracks]` or `rQ[tracks]`. */
  readonly parameter: string
  /** The parameter name of the sort keys. The client may mix `relatedQuery` and `rQ` for one relationship. */
  readonly sortParameter: string
  /** The parameter name of the filters. */
  readonly filterParameter: string
  /** The parameter name of the page. */
  readonly pageParameter: string
  readonly sort: readonly string[] | null
  readonly filter: ReadonlyMap<string, FilterValue>
  readonly page: ReadonlyMap<string, string>
}

/**
 * The query parameters of an operation, by family. The values are maps, not objects, so that a name chosen by the
 * client (such as `__proto__`) cannot reach a prototype.
 */
export interface QueryParameters {
  /** The sparse fieldsets by type. A type without an entry renders its default members. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
  /** The relationships whose linkage is requested, by type. */
  readonly withLinkage: ReadonlyMap<string, ReadonlySet<string>>
  /** `null` if the request has no `include`. An empty list includes nothing. */
  readonly include: readonly string[] | null
  /** The sort keys, most significant first, with `-` for descending. */
  readonly sort: readonly string[]
  readonly filter: ReadonlyMap<string, FilterValue>
  readonly page: ReadonlyMap<string, string>
  /** Relationship names and `_self_`, without duplicates. From the countable profile. */
  readonly withCount: readonly string[]
  /** Queries by the path of the relationship. From the relationship-queries profile. */
  readonly relatedQuery: ReadonlyMap<string, RelatedQuery>
  /** The filters of a JSON query that are combined by operators. Missing in all other queries. */
  readonly filterTree?: FilterTree
  /** The maximum number of values in one filter. Default: that of the server for URLs. */
  readonly maxFilterValues?: number
  /** Values as sent, by family, of the families that the application or one of its profiles registered. */
  readonly custom: ReadonlyMap<string, readonly string[]>
}

/** The parameters of a request without a query string. */
export const noQuery: QueryParameters = Object.freeze({
  fields: new Map(),
  withLinkage: new Map(),
  include: null,
  sort: Object.freeze([]),
  filter: new Map(),
  page: new Map(),
  withCount: Object.freeze([]),
  relatedQuery: new Map(),
  custom: new Map(),
})
