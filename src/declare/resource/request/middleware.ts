import type { HttpRequest } from '../../../core/http/request.js'
import type { HttpResponse } from '../../../core/http/response.js'
import type { Awaitable } from '../../../core/util/types.js'
import type { Caller } from './registered.js'
import type { QueryCharge } from './query-cost.js'

/**
 * A request before it reaches its route, with the caller that earlier middleware has set.
 *
 * @example
 * ```ts
 * const isRead = ({ request }: MiddlewareContext) => request.method === 'GET' || request.method === 'HEAD'
 * ```
 */
export interface MiddlewareContext {
  readonly request: HttpRequest
  /** The name of the server that the route belongs to. */
  readonly server: string
  /** The sender of the request; `null` for an anonymous caller, and until a middleware has set it. */
  readonly caller: Caller
  /**
   * Whether the application has named the caller itself, in the options of `server.handle()` or of the adapter of a framework.
   * Middleware that authenticates callers must then ignore the credentials of the request.
   */
  readonly isCallerGiven: boolean
}

/**
 * Continues with the next middleware, and with the route after the last one. Returns the response, which is an error
 * document if something failed. It may be called only once.
 *
 * @example
 * ```ts
 * const asGuest: Middleware = (_context, next) => next({ caller: null })
 * ```
 */
export type Next = (changes?: {
  /** The caller for the next middleware and the route; `null` for an anonymous caller. */
  readonly caller?: Caller
  /** Takes the cost of the request when it is known, on a server with the setting `queryCost`. */
  readonly charge?: QueryCharge
}) => Promise<HttpResponse>

/**
 * A function in front of the routes of a server. It returns the response of `next()`, or another one. An error that it
 * throws becomes an error document.
 *
 * @example
 * ```ts
 * const timed: Middleware = async ({ request }, next) => {
 *   const start = performance.now()
 *   const response = await next()
 *   console.log(request.method, request.path, response.status, performance.now() - start)
 *   return { ...response, headers: [...response.headers, 'Server-Timing', `app;dur=${performance.now() - start}`] }
 * }
 * createServer({ resources: [albums, artists], data: memoryData(), middleware: [timed] })
 * ```
 */
export interface Middleware {
  (context: MiddlewareContext, next: Next): Awaitable<HttpResponse>
  /** The header `WWW-Authenticate` of every 401 response of the server, if it authenticates callers. */
  readonly challenge?: string | undefined
  /**
   * The request headers by which it finds the caller. Responses of the server name them in `Vary`, and are private. If no middleware
   * declares them, `Authorization` and `Cookie` are assumed for types with a policy.
   */
  readonly vary?: string | readonly string[] | undefined
  /** Whether it passes a `charge` to `next()`, so that it needs the setting `queryCost`. */
  readonly needsQueryCost?: boolean | undefined
  /** The response headers that it adds, which web pages of other origins may read: see the setting `cors`. */
  readonly exposes?: readonly string[] | undefined
  /** Whether a request without credentials is refused. `authenticate()` sets it, for API descriptions. */
  readonly requiresCredentials?: boolean | undefined
  /** Whether it refuses requests with 429. `rateLimit()` sets it, for API descriptions. */
  readonly limitsRate?: boolean | undefined
}
