import type { FrameworkServer } from './framework-server.js'

/**
 * Returns the patterns of all paths of a server, such as `/albums/:id`, in the order in which a router must try them. Throws if there is no such server, or if its
 * routing is automatic: then the routes would be served twice, and without the middleware of the group.
 */
export function placedPatterns(application: FrameworkServer, server: string): readonly string[] {
  const found = application.paths.find((path) => path.server === server)
  if (found === undefined) throw new TypeError(`Nothing can be placed: the server '${server}' has no routes.`)
  if (found.routing === 'automatic') {
    throw new TypeError(
      `Nothing can be placed: the routing of the server '${server}' is automatic. Set servers.${server}.routing to 'manual'.`,
    )
  }
  const placed = application.routes().filter((route) => route.server === server)
  return [...new Set(placed.map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1')))]
}
