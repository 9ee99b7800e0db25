import type { CallContext } from '../../serve/operation/extension-call.js'
import type { Route } from '../../serve/route/route-table.js'
import type { Target } from '../../serve/route/target.js'
import type { ExtensionHost } from '../assembly/declared/extension.js'

/** Returns the target of a URL on the server of the request; `null` if no operation can write it. */
export type ResolveHref = (href: string) => Target | null

/**
 * Resolves URLs like links in the document: they may be absolute, like the links of the server, or relative to the URL
 * of the endpoint. The HTTP methods of a path do not matter here.
 */
export function hrefResolver(
  { routes, baseUri }: Pick<ExtensionHost, 'routes' | 'baseUri'>,
  { server, request }: CallContext,
): ResolveHref {
  const requestOrigin = request !== null && URL.canParse(request.origin) ? request.origin : 'http://localhost'
  const base = baseUri === '' ? requestOrigin + (request?.prefix ?? '') : baseUri
  const root = new URL(base)
  const prefix = root.pathname.replace(/\/$/, '')
  return (href) => {
    const document = `${base}${request?.path ?? '/'}`
    if (!URL.canParse(href, document)) return null
    const { origin, pathname } = new URL(href, document)
    // Clients may reach a server under another host name than the one in its links.
    if (origin !== root.origin && origin !== new URL(requestOrigin).origin) return null
    const withoutPrefix = pathname.startsWith(`${prefix}/`)
      ? targetAt(routes.matchOn(server, pathname.slice(prefix.length)))
      : null
    return withoutPrefix ?? targetAt(routes.matchOn(server, pathname))
  }
}

/** Returns the target of a route. Actions and related resources are no targets, because no operation writes them. */
function targetAt(route: Route): Target | null {
  if (route.kind !== 'match' || route.shape === 'related') return null
  const { type, id, relationship, shape } = route
  return { type: type.type, id, relationship, isRelationshipEndpoint: shape === 'relationship' }
}
