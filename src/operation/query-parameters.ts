/** A filter's value as sent: text, a list of texts, or values by key. */
export type FilterValue = string | readonly string[] | ReadonlyMap<string, FilterValue>

/** A query of one relationship, from a request for its owner. */
export interface RelatedQuery {
  /** The name that the client used, for errors: `relatedQuery[tracks]` or `rQ[tracks]`. */
  readonly parameter: string
  /** The same for the parts, which may have been sent under the other name. */
  readonly sortParameter: string
  readonly filterParameter: string
  readonly sort: readonly string[] | null
  readonly filter: ReadonlyMap<string, FilterValue>
  readonly page: ReadonlyMap<string, string>
}

/** The query of an operation, by family; maps, so that no name a client chooses can reach a prototype. */
export interface QueryParameters {
  /** The wanted members by type; a type without an entry renders its usual ones. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
  /** `null` when the request does not say; an empty list includes nothing. */
  readonly include: readonly string[] | null
  /** In order of weight, with `-` for descending. */
  readonly sort: readonly string[]
  readonly filter: ReadonlyMap<string, FilterValue>
  readonly page: ReadonlyMap<string, string>
  /** Of the countable profile: names of relationships, and `_self_`; each once. */
  readonly withCount: readonly string[]
  /** Of the relationship-queries profile, by the path of the relationship. */
  readonly relatedQuery: ReadonlyMap<string, RelatedQuery>
  /** Families that the application, or a profile of its own, registered, as sent. */
  readonly custom: ReadonlyMap<string, readonly string[]>
}

export const noQuery: QueryParameters = Object.freeze({
  fields: new Map(),
  include: null,
  sort: Object.freeze([]),
  filter: new Map(),
  page: new Map(),
  withCount: Object.freeze([]),
  relatedQuery: new Map(),
  custom: new Map(),
})
