import type { Service } from '../assembly/service.js'
import type { RouteParameters } from '../../serve/route/route-description.js'
import { routePath } from '../../serve/route/route-path.js'
import { withoutSlashesAtEnd } from '../../core/util/without-slashes-at-end.js'

/**
 * The options of `server.url()`: the URL before the path.
 *
 * @example
 * ```ts
 * const options = { base: 'https://api.example.com' }
 * server.url('jsonapi.albums.show', { id: '1' }, options)
 * ```
 */
export interface UrlOptions {
  /**
   * The URL before the path. A server whose routes the application places needs the group, too.
   * Default: the setting `baseUri`; without it, the result is only a path.
   */
  readonly base?: string
}

/** Returns the URL of a route by its name. Throws a `TypeError` if there is no such route, or if a parameter is wrong. */
export function serverUrl(
  service: Service,
  name: string,
  { parameters, base }: UrlOptions & { readonly parameters: RouteParameters },
): string {
  const route = service.routes.named.get(name)
  if (route === undefined) throw new TypeError(`There is no route '${name}'. server.routes() lists the names.`)
  const start = base === undefined ? service.forServer(route.description.server).baseUri : withoutSlashesAtEnd(base)
  return start + routePath(route, parameters)
}
