import type { CallContext } from '../operation/extension-call.js'
import type { Route } from '../route/route-table.js'
import type { Target } from '../route/target.js'
import type { ExtensionHost } from '../build/declared/extension.js'

/** What an address means on the server that was asked; `null` for nothing that an operation can write. */
export type ResolveHref = (href: string) => Target | null

/**
 * Addresses mean what they would mean in the document: they may be whole, as the server's own links are, or go on from the
 * address of the endpoint. Which methods a path serves makes no difference here.
 */
export function hrefResolver(
  { routes, baseUri }: Pick<ExtensionHost, 'routes' | 'baseUri'>,
  { server, request }: CallContext,
): ResolveHref {
  const asked = request !== null && URL.canParse(request.origin) ? request.origin : 'http://localhost'
  const base = baseUri === '' ? asked : baseUri
  const root = new URL(base)
  const prefix = root.pathname.replace(/\/$/, '')
  return (href) => {
    const document = `${base}${request?.path ?? '/'}`
    if (!URL.canParse(href, document)) return null
    const { origin, pathname } = new URL(href, document)
    // A server may be known by another name than the one that its links have.
    if (origin !== root.origin && origin !== new URL(asked).origin) return null
    const below = pathname.startsWith(`${prefix}/`)
      ? targetAt(routes.matchOn(server, pathname.slice(prefix.length)))
      : null
    return below ?? targetAt(routes.matchOn(server, pathname))
  }
}

/** Actions and the ends of relationships are no targets: nothing is written there. */
function targetAt(route: Route): Target | null {
  if (route.kind !== 'match' || route.shape === 'related') return null
  const { type, id, relationship, shape } = route
  return { type: type.type, id, relationship, isRelationshipEndpoint: shape === 'relationship' }
}
