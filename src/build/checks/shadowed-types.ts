import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'

/** No type lies where another server's prefix begins: part of its paths would lead there. */
export const shadowedTypes: BuildRule = ({ places, types }) => {
  return places.flatMap((outer) =>
    places.flatMap((inner) => {
      const meet = outer.host === null || inner.host === null || outer.host === inner.host
      if (!meet || !inner.prefix.startsWith(`${outer.prefix}/`)) return []
      const [segment] = inner.prefix.slice(outer.prefix.length + 1).split('/')
      return types
        .filter(({ type }) => type.servers.includes(outer.name) && type.uriType === segment)
        .map(
          ({ type }): BuildFault => ({
            type: type.type,
            member: 'uriType',
            problem: `lies at '${outer.prefix}/${segment}', where the server '${inner.name}' has its prefix`,
            remedy: 'give the server another prefix, or the type another uriType',
          }),
        )
    }),
  )
}
