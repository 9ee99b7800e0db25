import { fail } from '../../core/errors/json-api-error.js'
import { defaultCallerKey } from '../../declare/resource/request/caller-key.js'
import type { Middleware, MiddlewareContext } from '../../declare/resource/request/middleware.js'

/**
 * The part of a limiter of the package `rate-limiter-flexible` that {@link rateLimit} uses: a limiter in memory, in Redis, in
 * PostgreSQL, or of any other kind.
 */
export interface RateLimiter {
  /** The number of points that a key may use. */
  readonly points: number
  /** The number of seconds in which it may use them. */
  readonly duration: number
  /** Rejects with the same object if the key has used up its points, and with an error if the limiter does not work. */
  consume(key: string, points?: number): Promise<RateLimiterState>
  /** Returns points. Without it, a request that is refused because of its cost still consumes its points. */
  reward?(key: string, points?: number): Promise<RateLimiterState>
}

/** The remaining points of a key, and the milliseconds until it gets new points. */
interface RateLimiterState {
  readonly remainingPoints: number
  readonly msBeforeNext: number
}

interface CommonOptions {
  readonly limiter: RateLimiter
  /** The name of the limit in the headers `RateLimit` and `RateLimit-Policy`. Default: `default`. */
  readonly name?: string
  /** Returns the key that a request counts for; `null` if it does not count. Default: the caller, or the address if there is none. */
  readonly key?: (context: MiddlewareContext) => string | null
  /** Whether requests are served if the limiter does not work: for example, its database cannot be reached. Default: `serve`. */
  readonly whenUnavailable?: 'serve' | 'fail'
}

/** The options of {@link rateLimit}. */
export type RateLimitOptions = CommonOptions &
  (
    | {
        /**
         * `cost` takes as many points as the request costs by the setting `queryCost`, and at least 1. Default: `request`, which takes
         * the same for each request.
         */
        readonly unit?: 'request'
        /** Returns how many points a request takes. Default: 1. */
        readonly points?: (context: MiddlewareContext) => number
      }
    | { readonly unit: 'cost'; readonly points?: never }
  )

/**
 * Returns middleware that limits how many requests a caller may send, or how much they may cost. Requests beyond the limit get a 429 response with
 * `Retry-After`. All responses have the headers `RateLimit` and `RateLimit-Policy`. After middleware that authenticates, it counts
 * callers; before, addresses.
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
export function rateLimit(options: RateLimitOptions): Middleware {
  const { limiter, name = 'default', key = defaultKey, unit = 'request', points = () => 1 } = options
  checkOptions(name, unit, options.points)
  const consumed = consumer(limiter, options.whenUnavailable ?? 'serve')
  const headersOf = ({ remainingPoints, msBeforeNext }: RateLimiterState): readonly string[] => [
    'RateLimit-Policy',
    `"${name}";q=${limiter.points};w=${limiter.duration}`,
    'RateLimit',
    `"${name}";r=${Math.max(0, remainingPoints)};t=${secondsOf(msBeforeNext)}`,
  ]
  const limited: Middleware = async (context, next) => {
    const counted = key(context)
    if (counted === null) return next()
    // If the cost counts, one point is consumed first: requests that fail before their cost is known count too, and a caller without
    // points is refused early.
    const first = await consumed(counted, unit === 'cost' ? 1 : points(context))
    let { state } = first
    if (first.isRefused) exceeded(limiter, first.state, headersOf(first.state))
    const take = async (cost: number): Promise<void> => {
      if (cost <= 1) return
      const rest = await consumed(counted, cost - 1)
      state = rest.isRefused ? await givenBack(limiter, counted, { count: cost - 1, state: rest.state }) : rest.state
      // The middleware adds the other headers to the response.
      if (rest.isRefused) exceeded(limiter, rest.state, [])
    }
    const response = await (unit === 'cost' ? next({ charge: { most: limiter.points, take } }) : next())
    return state === null ? response : { ...response, headers: [...response.headers, ...headersOf(state)] }
  }
  return Object.assign(limited, { exposes, limitsRate: true, needsQueryCost: unit === 'cost' })
}

function checkOptions(name: string, unit: string, points: unknown): void {
  if (!/^[\w-]+$/.test(name)) {
    throw new TypeError(`rateLimit(): the name '${name}' must consist of letters, digits, '_' and '-'.`)
  }
  if (unit !== 'request' && unit !== 'cost') {
    throw new TypeError(`rateLimit(): the unit '${unit}' must be 'request' or 'cost'.`)
  }
  if (unit === 'cost' && points !== undefined) {
    throw new TypeError("rateLimit(): leave 'points' out: with the unit 'cost', a request takes what it costs.")
  }
}

type Consumed =
  | { readonly state: RateLimiterState; readonly isRefused: boolean }
  /** The limiter does not work, and the request is served nevertheless. */
  | { readonly state: null; readonly isRefused: false }

function consumer(
  limiter: RateLimiter,
  whenUnavailable: 'serve' | 'fail',
): (key: string, count: number) => Promise<Consumed> {
  return async (key, count) => {
    try {
      return { state: await limiter.consume(key, count), isRefused: false }
    } catch (thrown) {
      if (isState(thrown)) return { state: thrown, isRefused: true }
      if (whenUnavailable === 'serve') return { state: null, isRefused: false }
      throw thrown
    }
  }
}

/** Returns the points of a refused request to the limiter, so that cheaper requests are still served. Returns the remaining points. */
async function givenBack(
  limiter: RateLimiter,
  key: string,
  { count, state }: { readonly count: number; readonly state: RateLimiterState },
): Promise<RateLimiterState> {
  try {
    const { remainingPoints } = (await limiter.reward?.(key, count)) ?? state
    return { remainingPoints, msBeforeNext: state.msBeforeNext }
  } catch {
    // Without `reward`, the limit is only stricter.
    return state
  }
}

function exceeded(
  { points, duration }: RateLimiter,
  { msBeforeNext }: RateLimiterState,
  headers: readonly string[],
): never {
  const wait = secondsOf(msBeforeNext)
  const values = { limit: String(points), seconds: String(duration), wait: String(wait) }
  return fail('RATE_LIMIT_EXCEEDED', values, { headers: ['Retry-After', String(wait), ...headers] })
}

const exposes: readonly string[] = Object.freeze(['RateLimit', 'RateLimit-Policy'])

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
