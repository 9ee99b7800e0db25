import type { Server } from '../journey/create-server.js'
import type { HandleOptions } from '../journey/handle-options.js'
import type { Awaitable } from '../../core/util/types.js'

/** The members of a built server that the adapters of frameworks use. */
export type FrameworkServer = Pick<
  Server,
  'handle' | 'serves' | 'errorResponse' | 'routes' | 'paths' | 'typesWithoutPolicy'
>

/** Options of the adapters. `Request` is the request of the framework. */
export interface FrameworkOptions<Request> {
  /**
   * Returns the caller that the application has found, for policies and hooks: `(request) => request.user`; `null` for anonymous requests. If it
   * returns `undefined`, or is missing, the middleware of the server finds the caller.
   */
  readonly caller?: (request: Request) => Awaitable<HandleOptions['caller']>
  /**
   * The request headers that `caller` depends on. Responses name them in `Vary`, and are private. Default: `Authorization` and
   * `Cookie` if `caller` is set.
   */
  readonly callerHeaders?: readonly string[]
}

/** Options of `placeRoutes()`. */
export interface PlacementOptions<Request> extends FrameworkOptions<Request> {
  /** The name of the server, whose setting is `routing: 'manual'`. Default: `default`. */
  readonly server?: string
}
