import type { KeyUsage } from '../../stores/common/idempotency-store.js'
import { lruCache } from '../../core/util/lru-cache.js'

/** Limits how many keys each caller has stored. */
export interface KeyAllowances {
  readonly maxKeys: number
  /**
   * Takes one key of the allowance of a caller. Returns null if it had one, else when the first of its keys expires. Returns `'count'` if
   * the keys of the caller must be counted first.
   */
  take(caller: string, now: number): number | 'count' | null
  /** Grants a part of the keys that are left. Returns null if there are some, else when the first key expires. */
  grant(caller: string, usage: KeyUsage, now: number): number | null
}

/** What is known of a caller. */
interface Allowance {
  /** The keys that it may store before its keys are counted again. */
  left: number
  /** When the first of its keys expires; null if it may store more. */
  readonly refusedUntil: number | null
  /** Until when this is valid: other processes store keys of the caller too. */
  readonly until: number
}

/** The part of the remaining keys that a caller may store before its keys are counted again. */
const GRANTED_PART = 10

/** How long an allowance is valid, in milliseconds. */
const VALID_FOR = 60_000

/** How many callers have an allowance. */
const CALLERS = 1000

/**
 * Creates a cache of allowances. It saves the count of the keys, a read of up to `maxKeys` entries of the primary key, for most requests: a
 * caller is counted about 20 times while it uses nine tenths of its keys, and once a minute. Several processes may exceed the limit by a
 * tenth each. With few keys left, every request is counted, as without the cache.
 */
export function keyAllowances(maxKeys: number): KeyAllowances {
  const allowances = lruCache<string, Allowance>(CALLERS)
  return {
    maxKeys,
    take(caller, now) {
      const allowance = allowances.get(caller)
      if (allowance === undefined || allowance.until <= now) return 'count'
      if (allowance.refusedUntil !== null) return allowance.refusedUntil
      if (allowance.left === 0) return 'count'
      allowance.left -= 1
      return null
    },
    grant(caller, { count, firstExpiresAt }, now) {
      const until = now + VALID_FOR
      const refusedUntil = count < maxKeys ? null : (firstExpiresAt ?? until)
      const left = Math.max(0, Math.floor((maxKeys - count - 1) / GRANTED_PART))
      allowances.set(caller, { left, refusedUntil, until: Math.min(until, refusedUntil ?? until) })
      return refusedUntil
    },
  }
}
