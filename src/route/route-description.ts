import type { CompiledAction } from '../resource/actions/compiled-action.js'
import type { CompiledType } from '../resource/compiled-type.js'
import { actionSegment } from './action-routes.js'

/** The four kinds of paths, named after the resource or relationship that they address. */
export type PathShape = 'collection' | 'resource' | 'related' | 'relationship'

/** The methods that a type serves on each kind of path. */
export type ServedMethods = Readonly<Record<PathShape, readonly string[]>>

/**
 * A route of a server, with its name. `server.routes` lists all of them.
 *
 * @example
 * ```ts
 * const named = (name: string): RouteDescription | undefined => server.routes.find((route) => route.name === name)
 * named('jsonapi.albums.index')
 * ```
 */
export interface RouteDescription {
  /** `jsonapi.albums.index`, `jsonapi.admin.albums.index` */
  readonly name: string
  readonly method: string
  readonly path: string
  /** The name of its server. */
  readonly server: string
}

/**
 * A path that a server serves. `server.paths` lists all of them, for routers that need to know which requests to pass on.
 *
 * @example
 * ```ts
 * const everything = ({ kind, path }: ServedPath): string => (kind === 'type' ? `${path}/*` : path)
 * ```
 */
export interface ServedPath {
  /** The name of its server. */
  readonly server: string
  /** A type has the paths below its own path, too. An extension and the root of a server have none. */
  readonly kind: 'type' | 'extension' | 'root'
  /** The path with the prefix of the server: `/admin/albums`; `/` for a root without a prefix. */
  readonly path: string
  /** Whether the application places the routes of the server: its setting `routing`. */
  readonly routing: 'automatic' | 'manual'
}

const names: readonly (readonly [shape: PathShape, method: string, name: string])[] = Object.freeze([
  ['collection', 'GET', 'index'],
  ['collection', 'POST', 'create'],
  ['resource', 'GET', 'show'],
  ['resource', 'PATCH', 'update'],
  ['resource', 'DELETE', 'delete'],
  ['related', 'GET', 'related.show'],
  ['relationship', 'GET', 'relationship.show'],
  ['relationship', 'PATCH', 'relationship.update'],
  ['relationship', 'POST', 'relationship.add'],
  ['relationship', 'DELETE', 'relationship.remove'],
])

interface DescribedServer {
  readonly name: string
  readonly prefix: string
}

/** Returns the routes of a type on a server. Actions come first, because they are matched first. */
export function describeType(
  type: CompiledType,
  methods: ServedMethods,
  server: DescribedServer,
): readonly RouteDescription[] {
  const collection = `${server.prefix}/${type.uriType}`
  const paths: Readonly<Record<PathShape, string>> = {
    collection,
    resource: `${collection}/{id}`,
    related: `${collection}/{id}/{rel}`,
    relationship: `${collection}/{id}/relationships/{rel}`,
  }
  const shapes = type.relations.length === 0 ? ['collection', 'resource'] : Object.keys(paths)
  const ofActions = type.actions.flatMap((action) => {
    const name = actionRouteName(server.name, type, action)
    const path = `${paths[action.scope]}/${actionSegment}/${action.path}`
    return action.methods.map((method) => ({ name, method, path, server: server.name }))
  })
  const ofOperations = names
    .filter(([shape, method]) => shapes.includes(shape) && methods[shape].includes(method))
    .map(([shape, method, name]) => ({
      name: routeName(server.name, type, name),
      method,
      path: paths[shape],
      server: server.name,
    }))
  return [...ofActions, ...ofOperations]
}

/** Returns the route of an extension on a server. */
export function describeExtension(
  { name, path }: { readonly name: string; readonly path: string },
  server: DescribedServer,
): RouteDescription {
  return {
    name: `${namePrefix(server.name)}.${name}`,
    method: 'POST',
    path: `${server.prefix}${path}`,
    server: server.name,
  }
}

/** Returns the route name of an action on a server: the declared name, or one derived from its scope and path. */
export function actionRouteName(server: string, type: CompiledType, { name, scope, path }: CompiledAction): string {
  return name ?? routeName(server, type, `action.${scope}.${path}`)
}

function routeName(server: string, { type }: CompiledType, name: string): string {
  return `${namePrefix(server)}.${type}.${name}`
}

/** Returns the prefix of all route names of a server. */
function namePrefix(server: string): string {
  return server === 'default' ? 'jsonapi' : `jsonapi.${server}`
}
