import type { Host } from '../../core/http/host.js'

/** A named server with its path prefix and an optional host. */
export interface RouteServer {
  readonly name: string
  /** Empty, or a path that starts with a slash and does not end with one. */
  readonly prefix: string
  /** `null` matches every host. One without a port matches every port. */
  readonly host: Host | null
  /** Whether the application places the routes in its own router. Then `match` never finds them, and the prefix is empty. */
  readonly isPlaced: boolean
}

/** The endpoint of a JSON:API extension. Every server has it. */
export interface ExtensionRoute {
  readonly uri: string
  /** The path after the prefix of the server. */
  readonly path: string
  /** The last part of the route name. */
  readonly name: string
}
