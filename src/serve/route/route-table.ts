import type { Host } from '../../core/http/host.js'
import { isHost, originReader } from '../../core/http/host.js'
import { QUERY } from '../../core/http/request-method.js'
import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import { aggregateSegment } from '../../declare/resource/aggregates/compiled-aggregate.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { ActionRoutes, AddressedAction } from './action-routes.js'
import { actionAt, actionRoutes, actionSegment, addressedAction } from './action-routes.js'
import type { DescriptionMatch, DescriptionRoute } from './description-routes.js'
import { describeDescription, matchedDescription } from './description-routes.js'
import type { DescribedRoute, ServedMethods, ServedPath } from './route-description.js'
import type { PathShape } from './route-names.js'
import type { ExtensionRoute, RouteServer } from './route-server.js'
import type { RouteTableOptions } from './served-paths.js'
import { servedPaths } from './served-paths.js'
import { describeExtension, describeType } from './route-description.js'
import type { DescriptionTarget, ExtensionTarget, Target } from './target.js'

/** A path that addresses a collection, a resource, related resources or a relationship. */
export interface RouteMatch {
  readonly kind: 'match'
  readonly server: RouteServer
  readonly type: CompiledType
  readonly shape: PathShape
  readonly id: string | null
  /**
   * The name of the relation. If the path segment names no relation, it is that segment, and the handler reports the
   * error.
   */
  readonly relationship: string | null
  /** The methods that the type serves on this kind of path, including `OPTIONS`. */
  readonly methods: readonly string[]
  /** Whether a router of the application has found the target. */
  readonly isExternallyRouted: boolean
}

/** A path that addresses an action. */
export interface ActionMatch {
  readonly kind: 'action'
  readonly server: RouteServer
  readonly type: CompiledType
  readonly action: CompiledAction
  /** `null` for an action on the collection. */
  readonly id: string | null
  /** The methods that the action serves, including `OPTIONS`. */
  readonly methods: readonly string[]
}

/** A path that addresses the endpoint of an extension. */
export interface ExtensionMatch {
  readonly kind: 'extension'
  readonly server: RouteServer
  readonly extension: ExtensionRoute
  /** `POST` and `OPTIONS`. */
  readonly methods: readonly string[]
}

/** The root of a server. */
export interface RootMatch {
  readonly kind: 'root'
  readonly server: RouteServer
  /** The types of the server that have routes. */
  readonly types: readonly CompiledType[]
  readonly methods: readonly string[]
}

export type Route =
  | RouteMatch
  | RootMatch
  | DescriptionMatch
  | ActionMatch
  | ExtensionMatch
  /** The path belongs to no type and no extension, so this server does not serve it. */
  | { readonly kind: 'notServed' }
  /**
   * The path belongs to a type, but not to a route of it (`unknownPath`) or to an action of it (`unknownAction`), or its
   * percent-encoding is malformed (`undecodable`).
   */
  | {
      readonly kind: 'unknownPath' | 'unknownAction' | 'undecodable'
      readonly server: RouteServer
      readonly type: CompiledType
    }
  /** A router of the application has passed a request without a valid target. */
  | { readonly kind: 'invalidTarget'; readonly server: RouteServer }

/** The route of a path of a server. */
export type ServedRoute = Exclude<Route, { readonly kind: 'notServed' }>

/** A target that a router of the application passes. */
export type AnyTarget = Target | ExtensionTarget | DescriptionTarget

export interface RouteTable {
  /** @param originOf returns the origin of a request; it is called only if a server has a host */
  match(path: string, originOf: () => string): Route
  /** Matches a path on one server, for any host. It also matches a path that serves no method. */
  matchOn(server: string, path: string): Route
  /** Matches a path after the group of the application in which the routes of a server are placed. */
  matchPlaced(server: string, path: string): Route
  /** Returns the route of a target that a router of the application has found. */
  matchTarget(target: AnyTarget | null | undefined, server: string): Route
  /** Every route with its name, for a list of routes. */
  readonly described: readonly DescribedRoute[]
  /** A route by its name, or by the default name of an action. An action has the same path for all of its methods. */
  readonly named: ReadonlyMap<string, DescribedRoute>
  /** The paths of all servers. */
  readonly paths: readonly ServedPath[]
}

interface ServerRoutes {
  readonly server: RouteServer
  readonly types: ReadonlyMap<string, TypeRoutes>
}

interface TypeRoutes {
  readonly type: CompiledType
  readonly methods: ServedMethods
  readonly actions: ActionRoutes
}

const SLASH = 47

const notServed: Route = Object.freeze({ kind: 'notServed' })

/** Builds the route table, once for a server. A match takes one split of the path and one map lookup. */
export function routeTable(
  servers: readonly RouteServer[],
  types: readonly CompiledType[],
  { extensions = [], hasRoots = true, descriptions = [] }: RouteTableOptions = {},
): RouteTable {
  const matchesOf = matchesByServer(descriptions)
  const described = (path: string, server: RouteServer): Route | null => {
    return matchesOf.get(server.name)?.get(path) ?? null
  }
  const endpoints = new Map(extensions.map((extension) => [extension.path, extension]))
  const matchIn = (routes: ServerRoutes, path: string, includeUnserved = false): Route => {
    const { prefix } = routes.server
    if (!path.startsWith(prefix) || path.charCodeAt(prefix.length) !== SLASH) return notServed
    const rest = prefix === '' ? path : path.slice(prefix.length)
    const extension = endpoints.size === 0 ? undefined : endpoints.get(rest)
    return extension === undefined
      ? (matchShort(routes, rest, includeUnserved) ?? matchSegments(routes, rest, includeUnserved))
      : matchedExtension(routes.server, extension)
  }
  const all: readonly ServerRoutes[] = servers
    .map((server) => ({ server, types: typeRoutes(types.filter((type) => type.servers.includes(server.name))) }))
    // The most specific server first: one with a host and a port, one with a host, then the one with the longer prefix.
    .toSorted(
      (a, b) => hostRank(b.server.host) - hostRank(a.server.host) || b.server.prefix.length - a.server.prefix.length,
    )
  const listed = Object.freeze(
    all.flatMap(({ server, types: served }) => [
      ...[...served.values()].flatMap(({ type, methods }) => describeType(type, methods, server)),
      ...extensions.map((extension) => describeExtension(extension, server)),
      ...descriptions.filter((route) => route.server.name === server.name).map(describeDescription),
    ]),
  )
  const automatic = all.filter(({ server }) => !server.isPlaced)
  const hostOf = originReader()
  return Object.freeze({
    match(path: string, originOf: () => string): Route {
      for (const routes of automatic) {
        if (routes.server.host !== null && !isHost(hostOf(originOf()), routes.server.host)) continue
        if (hasRoots && isRoot(routes.server, path)) return matchedRoot(routes)
        const description = descriptions.length === 0 ? null : described(path, routes.server)
        const route = description ?? matchIn(routes, path)
        if (route.kind !== 'notServed') return route
      }
      return notServed
    },
    matchOn(server: string, path: string): Route {
      const routes = all.find(({ server: { name } }) => name === server)
      return routes === undefined ? notServed : matchIn(routes, path, true)
    },
    matchPlaced(server: string, path: string): Route {
      const routes = all.find(({ server: { name, isPlaced } }) => isPlaced && name === server)
      return routes === undefined ? notServed : (described(path, routes.server) ?? matchIn(routes, path))
    },
    matchTarget(target: AnyTarget | null | undefined, server: string): Route {
      const routes = all.find(({ server: { name } }) => name === server)
      if (target && 'description' in target) {
        const { description, file = null } = target
        const found = descriptions.find(
          (each) => each.server.name === server && each.description === description && each.file === file,
        )
        if (found !== undefined) return matchedDescription(found)
        return { kind: 'invalidTarget', server: routes?.server ?? unknownServer(server) }
      }
      if (target && 'extension' in target) {
        const extension = extensions.find(({ uri }) => uri === target.extension)
        if (routes !== undefined && extension !== undefined) return matchedExtension(routes.server, extension)
        return { kind: 'invalidTarget', server: routes?.server ?? unknownServer(server) }
      }
      const found = typeNamed(routes, target?.type)
      if (routes === undefined || found === undefined || !target) {
        return { kind: 'invalidTarget', server: routes?.server ?? unknownServer(server) }
      }
      const { id, action } = target
      if (action !== undefined) return matchedAction(routes, found, { id, path: action })
      const route = matched(routes, found, target)
      return route.kind === 'match' ? { ...route, isExternallyRouted: true } : route
    },
    described: listed,
    named: routesByName(listed, servers),
    paths: Object.freeze(
      all.flatMap((routes) => {
        // Aggregates are below the path of their type.
        const segments = new Set([...routes.types.keys()].map((path) => path.split('/', 1)[0] ?? path))
        return servedPaths(routes.server, [...segments], { extensions, hasRoots, descriptions })
      }),
    ),
  })
}

function matchesByServer(
  descriptions: readonly DescriptionRoute[],
): ReadonlyMap<string, ReadonlyMap<string, DescriptionMatch>> {
  const servers = new Set(descriptions.map(({ server }) => server.name))
  const ofServer = (name: string): readonly DescriptionRoute[] =>
    descriptions.filter(({ server }) => server.name === name)
  return new Map(
    [...servers].map((name) => [name, new Map(ofServer(name).map((route) => [route.path, matchedDescription(route)]))]),
  )
}

/** If an action with a declared name is on several servers, the name refers to the first of them: `default`, if it has the action. */
function routesByName(
  described: readonly DescribedRoute[],
  servers: readonly RouteServer[],
): ReadonlyMap<string, DescribedRoute> {
  const order = new Map(servers.map(({ name }, index) => [name, index]))
  const orderOf = ({ description }: DescribedRoute): number => order.get(description.server) ?? 0
  // A map retains the last of several routes with the same name.
  const sorted = described.toSorted((one, other) => orderOf(other) - orderOf(one))
  const byDefaultName = sorted.flatMap((route) =>
    route.defaultName === null ? [] : [[route.defaultName, route] as const],
  )
  return new Map([...byDefaultName, ...sorted.map((route) => [route.description.name, route] as const)])
}

function unknownServer(name: string): RouteServer {
  return { name, prefix: '', host: null, isPlaced: false }
}

function hostRank(host: Host | null): number {
  if (host === null) return 0
  return host.port === null ? 1 : 2
}

/**
 * Fast path for most requests: matches `/{type}` and `/{type}/{id}` without percent-encoding. Returns `null` for any
 * other path.
 *
 * @param includeUnserved whether a path that serves no method matches too
 */
function matchShort(routes: ServerRoutes, path: string, includeUnserved: boolean): Route | null {
  const end = path.indexOf('/', 1)
  if (path.includes('%') || (end !== -1 && path.includes('/', end + 1))) return null
  const found = routes.types.get(end === -1 ? path.slice(1) : path.slice(1, end))
  if (found === undefined) return notServed
  const id = end === -1 ? null : path.slice(end + 1)
  if (id === actionSegment || id === aggregateSegment) return null
  return matched(
    routes,
    found,
    { type: found.type.type, id, relationship: null, isRelationshipEndpoint: false },
    includeUnserved,
  )
}

function matchSegments(routes: ServerRoutes, path: string, includeUnserved: boolean): Route {
  const segments = path.split('/')
  const found = routes.types.get(decoded(segments[1]) ?? '')
  if (decoded(segments[2]) === aggregateSegment) return matchedAggregate(routes, segments, found)
  if (found === undefined) return notServed
  const { type } = found
  const [, , rawId, third, fourth] = segments
  const [id, segment] = [decoded(rawId), decoded(fourth ?? third)]
  if (id === null || segment === null) return { kind: 'undecodable', server: routes.server, type }
  if (id === actionSegment || third === actionSegment) {
    const rest = segments.slice(2).map((part) => decoded(part) ?? '')
    return matchedAction(routes, found, addressedAction(rest))
  }
  const isRelationshipEndpoint = fourth !== undefined
  const matchesNoRoute =
    segments.length > 5 ||
    (isRelationshipEndpoint && third !== 'relationships') ||
    (third !== undefined && segment === '')
  if (matchesNoRoute) return { kind: 'unknownPath', server: routes.server, type }
  const target = {
    type: type.type,
    id: rawId === undefined ? null : id,
    relationship: third === undefined ? null : (type.relationAtSegment.get(segment)?.name ?? segment),
    isRelationshipEndpoint,
  }
  return matched(routes, found, target, includeUnserved)
}

/** Returns the match of a target; `unknownPath` if the id is not possible, or if this kind of path serves no method. */
function matched(
  { server }: ServerRoutes,
  { type, methods: served }: TypeRoutes,
  target: Target,
  includeUnserved = false,
): Route {
  const { id, relationship } = target
  const shape = shapeOf(target)
  const methods = served[shape]
  if ((id !== null && !isPossibleId(type, id)) || (methods.length === 0 && !includeUnserved)) {
    return { kind: 'unknownPath', server, type }
  }
  return { kind: 'match', server, type, shape, id, relationship, methods, isExternallyRouted: false }
}

/** Returns the match of an aggregate; its type has the path `{type}/-aggregates/{name}`. */
function matchedAggregate(routes: ServerRoutes, segments: readonly string[], owner: TypeRoutes | undefined): Route {
  const found = routes.types.get(
    segments
      .slice(1)
      .map((segment) => decoded(segment) ?? '')
      .join('/'),
  )
  if (found === undefined) {
    return owner === undefined ? notServed : { kind: 'unknownPath', server: routes.server, type: owner.type }
  }
  return matched(routes, found, { type: found.type.type, id: null, relationship: null, isRelationshipEndpoint: false })
}

/** Returns whether a path segment can be an id of the type. */
export function isPossibleId({ id }: CompiledType, text: string): boolean {
  return text !== actionSegment && text !== aggregateSegment && id.matchesRoute(text)
}

/** Returns the match of an action; `unknownPath` if the path ends before the name of the action or continues after it. */
function matchedAction({ server }: ServerRoutes, { type, actions }: TypeRoutes, addressed: AddressedAction): Route {
  const { id, path } = addressed
  if (path === '' || path.includes('/')) return { kind: 'unknownPath', server, type }
  const possible = id === null || type.id.matchesRoute(id)
  const found = possible ? actionAt(actions, addressed) : undefined
  if (found === undefined) return { kind: 'unknownAction', server, type }
  return { kind: 'action', server, type, id, ...found }
}

const rootMethods: readonly string[] = Object.freeze(['GET', 'HEAD', 'OPTIONS'])

/** Returns whether a path is the prefix of a server, with or without a slash at the end. */
function isRoot({ prefix }: RouteServer, path: string): boolean {
  return path.length <= prefix.length + 1 && path.startsWith(prefix) && (path === prefix || path === `${prefix}/`)
}

function matchedRoot({ server, types }: ServerRoutes): RootMatch {
  return { kind: 'root', server, types: [...types.values()].map(({ type }) => type), methods: rootMethods }
}

const extensionMethods: readonly string[] = Object.freeze(['POST', 'OPTIONS'])

function matchedExtension(server: RouteServer, extension: ExtensionRoute): ExtensionMatch {
  return { kind: 'extension', server, extension, methods: extensionMethods }
}

function typeNamed(routes: ServerRoutes | undefined, name: string | undefined): TypeRoutes | undefined {
  return [...(routes?.types.values() ?? [])].find(({ type }) => type.type === name)
}

function shapeOf({ id, relationship, isRelationshipEndpoint }: Target): PathShape {
  if (id === null) return 'collection'
  if (relationship === null) return 'resource'
  return isRelationshipEndpoint ? 'relationship' : 'related'
}

/** Returns the routes of all types that have operations or actions. The router does not know any other type. */
function typeRoutes(types: readonly CompiledType[]): ReadonlyMap<string, TypeRoutes> {
  const served = types.filter(({ operations, actions }) => operations.size > 0 || actions.length > 0)
  return new Map(served.map((type) => [type.uriType, { type, methods: methodsOf(type), actions: actionRoutes(type) }]))
}

const readMethods: readonly string[] = Object.freeze(['GET', 'HEAD', QUERY])

/**
 * Returns the methods of a type. Relationships can be read if a single resource can, and changed if it can be updated.
 * The handler checks whether the relation exists.
 */
function methodsOf({ operations }: CompiledType): TypeRoutes['methods'] {
  const reads = operations.has('FetchOne') ? readMethods : []
  const mutations = operations.has('Update') ? ['PATCH', 'POST', 'DELETE'] : []
  return Object.freeze({
    collection: withOptions(
      operations.has('FetchCollection') ? readMethods : [],
      operations.has('Create') ? ['POST'] : [],
    ),
    resource: withOptions(
      reads,
      operations.has('Update') ? ['PATCH'] : [],
      operations.has('Upsert') ? ['PUT'] : [],
      operations.has('Delete') ? ['DELETE'] : [],
    ),
    related: withOptions(reads),
    relationship: withOptions(reads, mutations),
  })
}

function withOptions(...methods: readonly (readonly string[])[]): readonly string[] {
  const all = methods.flat()
  return Object.freeze(all.length === 0 ? [] : [...all, 'OPTIONS'])
}

/** Decodes percent-encoding. Returns `null` if it is malformed. */
function decoded(segment: string | undefined): string | null {
  if (segment === undefined || !segment.includes('%')) return segment ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
