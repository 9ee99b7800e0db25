/**
 * An agreement beyond the format, known by its URI. A client asks for it in `Accept`; what it says is done by whoever
 * handles the operation, which names the profiles that were asked for.
 *
 * @example
 * ```ts
 * const labelled: Profile = { uri: 'https://music.example/profiles/labelled', families: ['labelLanguage'] }
 * ```
 */
export interface Profile {
  readonly uri: string
  /** The families of query parameters that it gives a meaning to; where it was not asked for they are unknown. */
  readonly families?: readonly string[]
}

/**
 * Pages that start after or end before a row. Advertised wherever such a page is rendered.
 *
 * @example
 * ```ts
 * import { createServer, cursorPaginationProfile } from 'ashlar'
 *
 * createServer({ resources: [], profiles: [cursorPaginationProfile] })
 * ```
 */
export const cursorPagination: Profile = Object.freeze({
  uri: 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/',
})

/**
 * `withCount`: totals of relationships, and of the collection as `_self_`.
 *
 * @example
 * ```ts
 * import { countableProfile } from 'ashlar'
 *
 * const accept = `application/vnd.api+json; profile="${countableProfile.uri}"`
 * await fetch('https://music.example/artists?withCount=albums', { headers: { accept } })
 * ```
 */
export const countable: Profile = Object.freeze({
  uri: 'https://haddowg.github.io/json-api/profiles/countable/',
  families: Object.freeze(['withCount']),
})

/**
 * `relatedQuery` and its short form `rQ`: filters and sorts for the linkage of a relationship.
 *
 * @example
 * ```ts
 * import { relationshipQueriesProfile } from 'ashlar'
 *
 * const accept = `application/vnd.api+json; profile="${relationshipQueriesProfile.uri}"`
 * await fetch('https://music.example/albums?include=tracks&rQ[tracks][sort]=-title', { headers: { accept } })
 * ```
 */
export const relationshipQueries: Profile = Object.freeze({
  uri: 'https://haddowg.github.io/json-api/profiles/relationship-queries/',
  families: Object.freeze(['relatedQuery', 'rQ']),
})

/**
 * What a server registers unless its settings say otherwise: cursor pagination, countable, relationship queries.
 *
 * @example
 * ```ts
 * import { createServer, defaultProfiles } from 'ashlar'
 *
 * const labelled = { uri: 'https://music.example/profiles/labelled', families: ['labelLanguage'] }
 * createServer({ resources: [], profiles: [...defaultProfiles, labelled] })
 * ```
 */
export const defaultProfiles: readonly Profile[] = Object.freeze([cursorPagination, countable, relationshipQueries])
