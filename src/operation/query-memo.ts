import type { QueryParameters } from './query-parameters.js'

/** A query, with the profiles that it was sent under. */
export interface SentQuery {
  readonly query: QueryParameters
  readonly profiles: readonly string[]
}

/** Queries that nobody changes any more, with the profiles that they were read under. */
const settled = new WeakMap<QueryParameters, string>()

/** Says that a query stays as it is, so that what it means may be kept as long as the query is. */
export function noteSettled({ query, profiles }: SentQuery): void {
  settled.set(query, profilesText(profiles))
}

/** What was worked out of queries, for one type or relation each. A program's own queries are looked at anew every time. */
export interface QueryMemo<Key extends object, Found> {
  recall(sent: SentQuery, key: Key): Found | undefined
  keep(sent: SentQuery, key: Key, found: Found): void
}

export function queryMemo<Key extends object, Found>(): QueryMemo<Key, Found> {
  const memo = new WeakMap<QueryParameters, Map<Key, Found>>()
  return Object.freeze<QueryMemo<Key, Found>>({
    recall: (sent, key) => (isSettled(sent) ? memo.get(sent.query)?.get(key) : undefined),
    keep(sent, key, found) {
      if (!isSettled(sent)) return
      const known = memo.get(sent.query) ?? new Map<Key, Found>()
      memo.set(sent.query, known)
      known.set(key, found)
    },
  })
}

function isSettled({ query, profiles }: SentQuery): boolean {
  return settled.get(query) === profilesText(profiles)
}

/** URIs have no spaces. */
export function profilesText(profiles: readonly string[]): string {
  return profiles.length === 0 ? '' : profiles.join(' ')
}
