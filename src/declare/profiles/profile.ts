/**
 * A JSON:API profile, identified by its URI. A client requests it in `Accept`. The handler of the operation implements
 * it; the operation lists the profiles that the client requested.
 *
 * @example
 * ```ts
 * const labelled: Profile = { uri: 'https://music.example/profiles/labelled', families: ['labelLanguage'] }
 * ```
 */
export interface Profile {
  readonly uri: string
  /**
   * The query parameter families that the profile defines. They are unknown if the client does not request the profile.
   */
  readonly families?: readonly string[]
}

/** The profile of cursor pagination. Every response with a cursor page names it. */
export const cursorPaginationProfile: Profile = Object.freeze({
  uri: 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/',
})

/** The profile of `withCount`: totals of relationships, and of the collection as `_self_`. */
export const countableProfile: Profile = Object.freeze({
  uri: 'https://haddowg.github.io/json-api/profiles/countable/',
  families: Object.freeze(['withCount']),
})

/** The profile of `relatedQuery` and its short form `rQ`: filters and sorts for the linkage of a relationship. */
export const relationshipQueriesProfile: Profile = Object.freeze({
  uri: 'https://haddowg.github.io/json-api/profiles/relationship-queries/',
  families: Object.freeze(['relatedQuery', 'rQ']),
})

// Its type is not `Profile`, so that the compiler finds it in a list with others.
/**
 * The profile of filter trees: the body of a QUERY request in JSON, whose filters may be combined by `and`, `or` and `not`. A server
 * registers it by its setting: `profiles: [...defaultProfiles, filterTreeProfile]`.
 *
 * @example
 * ```ts
 * import { createServer, defaultProfiles, filterTreeProfile } from 'ashlar'
 *
 * createServer({ resources: [], profiles: [...defaultProfiles, filterTreeProfile] })
 * ```
 */
export const filterTreeProfile: { readonly uri: 'https://ashlar.dev/profiles/filter-tree/' } = Object.freeze({
  uri: 'https://ashlar.dev/profiles/filter-tree/',
})

/**
 * The profiles that a server registers by default: cursor pagination, countable, relationship queries.
 *
 * @example
 * ```ts
 * import { createServer, defaultProfiles } from 'ashlar'
 *
 * const labelled = { uri: 'https://music.example/profiles/labelled', families: ['labelLanguage'] }
 * createServer({ resources: [], profiles: [...defaultProfiles, labelled] })
 * ```
 */
export const defaultProfiles: readonly Profile[] = Object.freeze([
  cursorPaginationProfile,
  countableProfile,
  relationshipQueriesProfile,
])
