import { refuse } from '../../core/errors/refuse.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { Awaitable } from '../../core/util/types.js'
import type { Caller } from '../../declare/resource/request/registered.js'
import type { Middleware, Next } from '../../declare/resource/request/middleware.js'
import { isPromise } from '../../core/util/awaitable.js'

/** The options of {@link authenticate}. */
export interface AuthenticateOptions {
  /** The header `WWW-Authenticate` of every 401 response: the scheme, and its parameters. */
  readonly challenge: string
  /**
   * Whether a request without credentials gets a 401, also for a resource that does not exist. A caller that earlier
   * middleware has set is enough. Default: false.
   */
  readonly required?: boolean
  /** The request header with the credentials, or all headers that `caller` reads. Responses name them in `Vary`. Default: `Authorization`. */
  readonly header?: string | readonly string[]
  /**
   * Returns the caller; `null` if the request has no credentials. For wrong credentials, call `fail('UNAUTHENTICATED')`.
   */
  readonly caller: (request: HttpRequest) => Awaitable<Caller>
}

/**
 * Returns middleware that authenticates the sender of a request. Everything after it has the caller as `context.caller`. If
 * several such middleware are in the list, a request needs the credentials of one of them. An OPTIONS request passes
 * without a caller, because browsers send it without credentials.
 *
 * @example
 * ```ts
 * const tokens = new Map([['7f3a', { id: 1, admin: false }]])
 * const bearer = authenticate({
 *   challenge: 'Bearer realm="music"',
 *   caller(request) {
 *     const header = request.header('authorization')
 *     if (header === undefined) return null
 *     const caller = tokens.get(header.replace(/^Bearer /i, ''))
 *     if (caller === undefined) fail('UNAUTHENTICATED')
 *     return caller
 *   },
 * })
 * createServer({ resources: [albums, artists], data: memoryData(), middleware: [bearer] })
 * ```
 */
export function authenticate({
  challenge,
  required = false,
  header = 'Authorization',
  caller: identify,
}: AuthenticateOptions): Middleware {
  const middleware: Middleware = ({ request, caller: known, isCallerGiven }, next) => {
    if (request.method === 'OPTIONS') return next()
    const withCaller = (caller: Caller): ReturnType<Next> => {
      if (caller === undefined) {
        throw new TypeError("authenticate(): 'caller' must return null for a request without credentials.")
      }
      if (caller !== null) return next({ caller })
      if (required && known === null) refuse(true, 'The request has no credentials.')
      return next()
    }
    const caller = isCallerGiven ? known : identify(request)
    return isPromise(caller) ? caller.then(withCaller) : withCaller(caller)
  }
  return Object.assign(middleware, { challenge, vary: header, requiresCredentials: required })
}
