import type { ClientContext } from './call-server.js'

/** The URLs of a type. */
export interface TypeAddress {
  readonly collection: string
  readonly aggregate: (name: string) => string
  readonly resource: (id: string) => string
  readonly related: (id: string, relation: string) => string
  readonly relationship: (id: string, relation: string) => string
  /** Converts a `Location` to a URL of the server of the client, so that no other server gets the headers. */
  readonly sameServer: (location: string) => string
}

export function typeAddress({ url, paths }: ClientContext, type: string): TypeAddress {
  const collection = `${url}/${encodeURIComponent(paths.get(type) ?? type)}`
  const aggregate = (name: string): string => `${collection}/-aggregates/${encodeURIComponent(name)}`
  const resource = (id: string): string => `${collection}/${idSegment(id)}`
  const relationSegment = (relation: string): string => encodeURIComponent(paths.get(`${type}.${relation}`) ?? relation)
  return {
    collection,
    aggregate,
    resource,
    related: (id, relation) => `${resource(id)}/${relationSegment(relation)}`,
    relationship: (id, relation) => `${resource(id)}/relationships/${relationSegment(relation)}`,
    sameServer(location) {
      const [origin = ''] = /^[^/]*\/\/[^/]*/.exec(url) ?? []
      const prefix = url.slice(origin.length)
      const { pathname, search } = new URL(location, `http://server${prefix}/`)
      // A proxy may have removed the prefix from the path of the request.
      return `${origin}${pathname.startsWith(`${prefix}/`) ? '' : prefix}${pathname}${search}`
    },
  }
}

/** Returns the query string of a link, which may be relative; `null` if there is no link. */
export function queryOf(link: unknown): string | null {
  // A link is a URL, or an object with one.
  const href = typeof link === 'string' ? link : ((link ?? {}) as { readonly href?: unknown }).href
  return typeof href === 'string' ? new URL(href, 'http://server/').search : null
}

/** Encodes an id. Refuses ids that would change the path, for example to that of the collection. */
function idSegment(id: string): string {
  if (['', '.', '..'].includes(id)) throw new TypeError(`'${id}' is not the id of a resource.`)
  return encodeURIComponent(id)
}
