import type { FrameworkServer } from './framework-server.js'

/** A path of a server that the application places in its own router. */
export interface PlacedRoute {
  /** `/albums/{id}` */
  readonly path: string
  /** `['albums', '{id}']` */
  readonly segments: readonly string[]
}

/**
 * Returns the different paths of a server, in the order in which a router must try them. Throws if there is no such server, or if its
 * routing is automatic: then the routes would be served twice, and without the middleware of the group.
 */
export function placedRoutes({ routes, paths }: FrameworkServer, server: string): readonly PlacedRoute[] {
  const found = paths.find((path) => path.server === server)
  if (found === undefined) throw new TypeError(`Nothing can be placed: the server '${server}' has no routes.`)
  if (found.routing === 'automatic') {
    throw new TypeError(
      `Nothing can be placed: the routing of the server '${server}' is automatic. Set servers.${server}.routing to 'manual'.`,
    )
  }
  const placed = routes.filter((route) => route.server === server)
  return [...new Set(placed.map(({ path }) => path))].map((path) => ({ path, segments: path.slice(1).split('/') }))
}

/** A request target, divided where the path of a placed route begins. */
export interface DividedTarget {
  /** The path of the group: `/api/v1`. */
  readonly prefix: string
  /** The path after it, with the query. */
  readonly text: string
}

/** Divides a target in front of the last segments of its path. */
export function dividedTarget(target: string, { segments }: Pick<PlacedRoute, 'segments'>): DividedTarget {
  const mark = target.indexOf('?')
  const [path, query] = mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark)]
  // A router may ignore a slash at the end.
  const trimmed = path.replace(/\/$/, '')
  let start = trimmed.length
  for (let count = 0; count < segments.length; count += 1) start = trimmed.lastIndexOf('/', start - 1)
  return { prefix: trimmed.slice(0, start), text: trimmed.slice(start) + query }
}
