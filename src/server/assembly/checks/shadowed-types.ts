import { shareHost } from '../declared/share-host.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'

/**
 * Checks that no type has a path where the prefix of another server begins: requests to some of its paths would reach
 * that server instead.
 */
export const shadowedTypes: BuildRule = ({ routeServers, types }) => {
  return routeServers.flatMap((outer) =>
    routeServers.flatMap((inner) => {
      if (!shareHost(outer, inner) || outer.isPlaced || !inner.prefix.startsWith(`${outer.prefix}/`)) return []
      const [segment] = inner.prefix.slice(outer.prefix.length + 1).split('/')
      return types
        .filter(({ type }) => type.servers.includes(outer.name) && type.uriType === segment)
        .map(
          ({ type }): BuildFault => ({
            type: type.type,
            member: 'uriType',
            problem: `has the path '${outer.prefix}/${segment}', where the prefix of the server '${inner.name}' begins`,
            remedy: 'give the server another prefix, or the type another uriType',
          }),
        )
    }),
  )
}
