/** An agreement beyond the format, known by its URI. */
export interface Profile {
  readonly uri: string
  /** The families of query parameters that it gives a meaning to; without it they are unknown. */
  readonly families?: readonly string[]
}

/** Pages that start after or end before a row. Advertised wherever such a page is rendered. */
export const cursorPagination: Profile = Object.freeze({
  uri: 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/',
})

/** `withCount`: totals of relationships, and of the collection as `_self_`. */
export const countable: Profile = Object.freeze({
  uri: 'https://haddowg.github.io/json-api/profiles/countable/',
  families: Object.freeze(['withCount']),
})

/** `relatedQuery` and its short form `rQ`: filters and sorts for the linkage of a relationship. */
export const relationshipQueries: Profile = Object.freeze({
  uri: 'https://haddowg.github.io/json-api/profiles/relationship-queries/',
  families: Object.freeze(['relatedQuery', 'rQ']),
})

/** What a server registers unless its settings say otherwise. */
export const defaultProfiles: readonly Profile[] = Object.freeze([cursorPagination, countable, relationshipQueries])
