import type { QueryParameters } from '../operation/query-parameters.js'
import type { SharedQueries } from '../operation/query-reader.js'
import { profilesText } from '../operation/query-reader.js'
import type { CacheState } from '../../core/util/lru-cache.js'

/**
 * The cache of read plans of a server: by the parsed query, which all requests with the same query string share,
 * and by the target. The query reader drops the least recently used query, and its plans, with all that stores have
 * cached by their cache keys, are collected with it.
 */
export interface PlanCache extends SharedQueries {
  /** Whether plans for a query can be cached: not for a very long query, nor for one that the application has created. */
  isShared(sent: SentQuery): boolean
  get(key: PlanKey, sent: SentQuery): object | undefined
  /** Counts a read without a cached plan. */
  countMiss(): void
  set(key: PlanKey, sent: SentQuery, plan: object): void
  /** @param queries the cached queries: the cache has no list of them */
  state(queries: Iterable<QueryParameters>): CacheState
}

/** A query, with the profiles that were negotiated for it. */
interface SentQuery {
  readonly query: QueryParameters
  readonly profiles: readonly string[]
}

/** The target of a read: the type or the relation, and the kind of the read. */
export interface PlanKey {
  readonly subject: object
  readonly kind: string
}

interface Entry {
  /** The profiles under which the query was parsed: the list, and as a text. */
  readonly list: readonly string[]
  readonly profiles: string
  /** By subject and kind. */
  readonly plans: Map<object, Map<string, object>>
}

export function planCache(): PlanCache {
  const entries = new WeakMap<QueryParameters, Entry>()
  let [hits, misses] = [0, 0]
  const entryOf = ({ query, profiles }: SentQuery): Entry | undefined => {
    const entry = entries.get(query)
    if (entry === undefined || entry.list === profiles) return entry
    return entry.profiles === profilesText(profiles) ? entry : undefined
  }
  return {
    add(query, profiles) {
      entries.set(query, { list: profiles, profiles: profilesText(profiles), plans: new Map() })
    },
    isShared: (sent) => entryOf(sent) !== undefined,
    get({ subject, kind }, sent) {
      const plan = entryOf(sent)?.plans.get(subject)?.get(kind)
      if (plan !== undefined) hits += 1
      return plan
    },
    countMiss() {
      misses += 1
    },
    set({ subject, kind }, sent, plan) {
      const plans = entryOf(sent)?.plans
      const ofSubject = plans?.get(subject) ?? new Map<string, object>()
      plans?.set(subject, ofSubject.set(kind, plan))
    },
    state(queries) {
      let count = 0
      for (const query of queries) for (const plans of entries.get(query)?.plans.values() ?? []) count += plans.size
      return { entries: count, capacity: null, hits, misses }
    },
  }
}
