import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import { actionTemplate } from './action-routes.js'
import type { PathShape } from './route-names.js'
import {
  actionRouteName,
  namePrefix,
  operationNames,
  pathTemplate,
  routeName,
  defaultActionName,
} from './route-names.js'
import type { DescriptionTarget, ExtensionTarget, Target } from './target.js'

/** The methods that a type serves on each kind of path. */
export type ServedMethods = Readonly<Record<PathShape, readonly string[]>>

/**
 * The parameters in the path of a route, without percent-encoding.
 *
 * @example
 * ```ts
 * const parameters: RouteParameters = { id: '1', rel: 'tracks' }
 * server.url('jsonapi.albums.related.show', parameters)
 * ```
 */
export interface RouteParameters {
  readonly id?: string | undefined
  /** The relation: its name in `server.url()`, its segment of the path in `target()`. They differ only if the relation declares a path segment. */
  readonly rel?: string | undefined
}

/**
 * A route of a server, with its name. `server.routes()` lists all of them.
 *
 * @example
 * ```ts
 * const named = (name: string): RouteDescription | undefined => server.routes().find((route) => route.name === name)
 * named('jsonapi.albums.index')
 * ```
 */
export interface RouteDescription {
  /** `jsonapi.albums.index`, `jsonapi.admin.albums.index` */
  readonly name: string
  readonly method: string
  /** `/albums/{id}` */
  readonly path: string
  /** The name of its server. */
  readonly server: string
  /** Returns the target of a request for `server.handleAt()`, if a router of the application has matched the parameters. */
  readonly target: (parameters?: RouteParameters) => Target | ExtensionTarget | DescriptionTarget
}

/** A route with the type that it belongs to; `null` for the endpoint of an extension, and for a description. */
export interface DescribedRoute {
  readonly description: RouteDescription
  readonly type: CompiledType | null
  /** The default name of the route of an action that also declares a name; `null` for other routes. */
  readonly defaultName: string | null
}

/** A path that a server serves. `server.paths` lists all of them, for routers that need to know which requests to pass on. */
export interface ServedPath {
  /** The name of its server. */
  readonly server: string
  /** A type has the paths below its own path, too. An extension, the root and a description of a server have none. */
  readonly kind: 'type' | 'extension' | 'root' | 'description'
  /** The path with the prefix of the server: `/admin/albums`; `/` for a root without a prefix. */
  readonly path: string
  /** Whether the application places the routes of the server: its setting `routing`. */
  readonly routing: 'automatic' | 'manual'
}

interface DescribedServer {
  readonly name: string
  readonly prefix: string
}

/** Returns the routes of a type on a server. Actions come first, because they are matched first. */
export function describeType(
  type: CompiledType,
  methods: ServedMethods,
  server: DescribedServer,
): readonly DescribedRoute[] {
  const shapes = type.relations.length === 0 ? withoutRelations : pathShapes
  const ofActions = type.actions.flatMap((action) => {
    const name = actionRouteName(server.name, type, action)
    const path = actionTemplate(action, type, server.prefix)
    const target = targetOf(type, action.scope, { action: action.path })
    const defaultName = action.name === null ? null : defaultActionName(server.name, type, action)
    return action.methods.map((method) => ({
      type,
      defaultName,
      description: { name, method, path, server: server.name, target },
    }))
  })
  const ofOperations = operationNames
    .filter(([shape, method]) => shapes.includes(shape) && methods[shape].includes(method))
    .map(([shape, method, action]) => {
      const name = routeName(server.name, type, action)
      const target = targetOf(type, shape)
      const path = pathTemplate(shape, type, server.prefix)
      return { type, defaultName: null, description: { name, method, path, server: server.name, target } }
    })
  return [...ofActions, ...ofOperations]
}

const withoutRelations: readonly PathShape[] = Object.freeze(['collection', 'resource'])
const pathShapes: readonly PathShape[] = Object.freeze([...withoutRelations, 'related', 'relationship'])

/** Returns a function that converts the parameters of a path to its target. */
function targetOf(type: CompiledType, shape: PathShape, action?: Pick<Target, 'action'>): RouteDescription['target'] {
  return ({ id, rel } = {}) => ({
    type: type.type,
    id: shape === 'collection' ? null : (id ?? ''),
    relationship:
      shape === 'related' || shape === 'relationship'
        ? (type.relationAtSegment.get(rel ?? '')?.name ?? rel ?? '')
        : null,
    isRelationshipEndpoint: shape === 'relationship',
    ...action,
  })
}

/** Returns the route of an extension on a server. */
export function describeExtension(
  { name, path, uri }: { readonly name: string; readonly path: string; readonly uri: string },
  server: DescribedServer,
): DescribedRoute {
  return {
    type: null,
    defaultName: null,
    description: {
      name: `${namePrefix(server.name)}.${name}`,
      method: 'POST',
      path: `${server.prefix}${path}`,
      server: server.name,
      target: () => ({ extension: uri }),
    },
  }
}
