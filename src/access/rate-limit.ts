import { fail } from '../errors/json-api-error.js'
import { defaultCallerKey } from '../resource/caller-key.js'
import type { Middleware, MiddlewareContext } from '../resource/middleware.js'

/**
 * What {@link rateLimit} uses of a limiter of the package `rate-limiter-flexible`: in memory, in Redis, in PostgreSQL, or of any other
 * kind that it has.
 */
export interface RateLimiter {
  /** How much a key may use. */
  readonly points: number
  /** In how many seconds. */
  readonly duration: number
  /** Rejects with the same object if the key has used up its points, and with an error if the limiter does not work. */
  consume(key: string, points?: number): Promise<RateLimiterState>
}

/** How much is left for a key, and in how many milliseconds it gets new points. */
interface RateLimiterState {
  readonly remainingPoints: number
  readonly msBeforeNext: number
}

/** The options of {@link rateLimit}. */
export interface RateLimitOptions {
  readonly limiter: RateLimiter
  /** The name of the limit in the headers `RateLimit` and `RateLimit-Policy`. Default: `default`. */
  readonly name?: string
  /** Returns whom a request counts for; `null` if it does not count. Default: the caller, or the address if there is none. */
  readonly key?: (context: MiddlewareContext) => string | null
  /** Returns how many points a request takes. Default: 1. */
  readonly points?: (context: MiddlewareContext) => number
  /** Whether requests are served if the limiter does not work: its database cannot be reached, say. Default: `serve`. */
  readonly whenUnavailable?: 'serve' | 'fail'
}

/**
 * Returns middleware that limits how many requests a caller may send. Beyond it there is a 429 response with `Retry-After`. All
 * responses have the headers `RateLimit` and `RateLimit-Policy`. After middleware that authenticates, it counts callers; before, addresses.
 *
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 *
 * @example
 * ```ts
 * import { createServer, rateLimit } from 'ashlar'
 * import { memoryData } from 'ashlar/memory'
 * import { RateLimiterMemory } from 'rate-limiter-flexible'
 *
 * const limiter = new RateLimiterMemory({ points: 100, duration: 60 })
 * createServer({ resources: [], data: memoryData(), middleware: [rateLimit({ limiter })] })
 * ```
 */
export function rateLimit({
  limiter,
  name = 'default',
  key = defaultKey,
  points = () => 1,
  whenUnavailable = 'serve',
}: RateLimitOptions): Middleware {
  if (!/^[\w-]+$/.test(name)) {
    throw new TypeError(`rateLimit(): the name '${name}' must consist of letters, digits, '_' and '-'.`)
  }
  const policy = ['RateLimit-Policy', `"${name}";q=${limiter.points};w=${limiter.duration}`]
  const headersOf = ({ remainingPoints, msBeforeNext }: RateLimiterState): readonly string[] => [
    ...policy,
    'RateLimit',
    `"${name}";r=${Math.max(0, remainingPoints)};t=${secondsOf(msBeforeNext)}`,
  ]
  const consumed = async (counted: string, count: number): Promise<RateLimiterState | null> => {
    try {
      return await limiter.consume(counted, count)
    } catch (thrown) {
      if (!isState(thrown)) {
        if (whenUnavailable === 'serve') return null
        throw thrown
      }
      const wait = secondsOf(thrown.msBeforeNext)
      const values = { limit: String(limiter.points), seconds: String(limiter.duration), wait: String(wait) }
      return fail('RATE_LIMIT_EXCEEDED', values, { headers: ['Retry-After', String(wait), ...headersOf(thrown)] })
    }
  }
  const middleware: Middleware = async (context, next) => {
    const counted = key(context)
    if (counted === null) return next()
    const state = await consumed(counted, points(context))
    const response = await next()
    return state === null ? response : { ...response, headers: [...response.headers, ...headersOf(state)] }
  }
  return Object.assign(middleware, { limitsRate: true })
}

function defaultKey({ caller, request }: MiddlewareContext): string {
  return caller === null || caller === undefined
    ? `address ${request.address ?? 'unknown'}`
    : `caller ${defaultCallerKey(caller)}`
}

function isState(thrown: unknown): thrown is RateLimiterState {
  return typeof thrown === 'object' && thrown !== null && 'msBeforeNext' in thrown && 'remainingPoints' in thrown
}

function secondsOf(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000))
}
