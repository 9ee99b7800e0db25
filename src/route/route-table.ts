import type { CompiledAction } from '../resource/actions/compiled-action.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { ActionRoutes, AddressedAction } from './action-routes.js'
import { actionAt, actionRoutes, actionSegment, addressedAction } from './action-routes.js'
import type { PathShape, RouteDescription, ServedMethods } from './route-description.js'
import { describeExtension, describeType } from './route-description.js'
import type { ExtensionTarget, Target } from './target.js'

/** A named server: its own prefix and, where it has one, its own host. */
export interface RouteServer {
  readonly name: string
  /** Empty, or starting with a slash and not ending with one. */
  readonly prefix: string
  /** `null` answers on every host. */
  readonly host: string | null
}

/** What a path addresses. */
export interface RouteMatch {
  readonly kind: 'match'
  readonly server: RouteServer
  readonly type: CompiledType
  readonly shape: PathShape
  readonly id: string | null
  /** The relation's name, or the path segment that names none, which the handler answers. */
  readonly relationship: string | null
  /** The methods that the type serves on this shape, `OPTIONS` included. */
  readonly methods: readonly string[]
  /** Whether a caller's own router has found it. */
  readonly placed: boolean
}

/** An action that a path addresses. */
export interface ActionMatch {
  readonly kind: 'action'
  readonly server: RouteServer
  readonly type: CompiledType
  readonly action: CompiledAction
  /** `null` on the collection. */
  readonly id: string | null
  /** The methods that the action serves, `OPTIONS` included. */
  readonly methods: readonly string[]
}

/** Where an extension of the format has its endpoint, on every server. */
export interface ExtensionRoute {
  readonly uri: string
  /** After the prefix of the server. */
  readonly path: string
  /** The end of the route's name. */
  readonly name: string
}

/** The endpoint of an extension. */
export interface ExtensionMatch {
  readonly kind: 'extension'
  readonly server: RouteServer
  readonly extension: ExtensionRoute
  /** `POST` and `OPTIONS`. */
  readonly methods: readonly string[]
}

export type Route =
  | RouteMatch
  | ActionMatch
  | ExtensionMatch
  /** A path of nobody's here. */
  | { readonly kind: 'stranger' }
  /** Lies under a type that is served, and names nothing of it, or no action of it; or cannot be read at all. */
  | {
      readonly kind: 'miss' | 'unknownAction' | 'undecodable'
      readonly server: RouteServer
      readonly type: CompiledType
    }
  /** A caller's own router has let a request through without a target that there is. */
  | { readonly kind: 'unplaced'; readonly server: RouteServer }

export interface RouteTable {
  match(path: string, host: string): Route
  /** What a path names on one server, whichever host was asked, and whether or not any method is served there. */
  matchOn(server: string, path: string): Route
  /** For a target that a caller's own router has found. */
  placed(target: Target | ExtensionTarget | null | undefined, server: string): Route
  /** Every route with its name, for listings. */
  readonly descriptions: readonly RouteDescription[]
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

const stranger: Route = Object.freeze({ kind: 'stranger' })

/** Built once; a match costs one split of the path and one look-up. */
export function routeTable(
  servers: readonly RouteServer[],
  types: readonly CompiledType[],
  extensions: readonly ExtensionRoute[] = [],
): RouteTable {
  const endpoints = new Map(extensions.map((extension) => [extension.path, extension]))
  const matchIn = (routes: ServerRoutes, path: string, isUnserved = false): Route => {
    const { prefix } = routes.server
    if (!path.startsWith(prefix) || path.charCodeAt(prefix.length) !== SLASH) return stranger
    const rest = prefix === '' ? path : path.slice(prefix.length)
    const extension = endpoints.size === 0 ? undefined : endpoints.get(rest)
    return extension === undefined ? matchTypes(routes, rest, isUnserved) : matchedExtension(routes.server, extension)
  }
  const all: readonly ServerRoutes[] = servers
    .map((server) => ({ server, types: typeRoutes(types.filter((type) => type.servers.includes(server.name))) }))
    // The most particular server first: a host of its own, then the longer prefix.
    .toSorted(
      (a, b) =>
        Number(b.server.host !== null) - Number(a.server.host !== null) ||
        b.server.prefix.length - a.server.prefix.length,
    )
  return Object.freeze({
    match(path: string, host: string): Route {
      for (const routes of all) {
        const route = answersOn(routes.server, host) ? matchIn(routes, path) : stranger
        if (route.kind !== 'stranger') return route
      }
      return stranger
    },
    matchOn(server: string, path: string): Route {
      const routes = all.find(({ server: { name } }) => name === server)
      return routes === undefined ? stranger : matchIn(routes, path, true)
    },
    placed(target: Target | ExtensionTarget | null | undefined, server: string): Route {
      const routes = all.find(({ server: { name } }) => name === server)
      if (target && 'extension' in target) {
        const extension = extensions.find(({ uri }) => uri === target.extension)
        if (routes !== undefined && extension !== undefined) return matchedExtension(routes.server, extension)
        return { kind: 'unplaced', server: routes?.server ?? { name: server, prefix: '', host: null } }
      }
      const found = typeNamed(routes, target?.type)
      if (routes === undefined || found === undefined || !target) {
        return { kind: 'unplaced', server: routes?.server ?? { name: server, prefix: '', host: null } }
      }
      const { id, action } = target
      if (action !== undefined) return matchedAction(routes, found, { id, path: action })
      const route = matched(routes, found, target)
      return route.kind === 'match' ? { ...route, placed: true } : route
    },
    descriptions: Object.freeze(
      all.flatMap(({ server, types: served }) => [
        ...[...served.values()].flatMap(({ type, methods }) => describeType(type, methods, server)),
        ...extensions.map((extension) => describeExtension(extension, server)),
      ]),
    ),
  })
}

/** A host without a port answers on every port. */
function answersOn({ host: wanted }: RouteServer, asked: string): boolean {
  if (wanted === null) return true
  const host = asked.toLowerCase()
  return host === wanted || (host.startsWith(`${wanted}:`) && /^\d+$/.test(host.slice(wanted.length + 1)))
}

/** @param isUnserved whether a path is found where no method is served too */
function matchTypes(routes: ServerRoutes, path: string, isUnserved: boolean): Route {
  return matchShort(routes, path, isUnserved) ?? matchSegments(routes, path, isUnserved)
}

/** `/{type}` and `/{type}/{id}` without encoded characters, which most requests are for; `null` for any other path. */
function matchShort(routes: ServerRoutes, path: string, isUnserved: boolean): Route | null {
  const end = path.indexOf('/', 1)
  if (path.includes('%') || (end !== -1 && path.includes('/', end + 1))) return null
  const found = routes.types.get(end === -1 ? path.slice(1) : path.slice(1, end))
  if (found === undefined) return stranger
  const id = end === -1 ? null : path.slice(end + 1)
  if (id === actionSegment) return null
  return matched(
    routes,
    found,
    { type: found.type.type, id, relationship: null, isRelationshipEndpoint: false },
    isUnserved,
  )
}

function matchSegments(routes: ServerRoutes, path: string, isUnserved: boolean): Route {
  const segments = path.split('/')
  const found = routes.types.get(decoded(segments[1]) ?? '')
  if (found === undefined) return stranger
  const { type } = found
  const [, , rawId, third, fourth] = segments
  const [id, segment] = [decoded(rawId), decoded(fourth ?? third)]
  if (id === null || segment === null) return { kind: 'undecodable', server: routes.server, type }
  if (id === actionSegment || third === actionSegment) {
    const rest = segments.slice(2).map((part) => decoded(part) ?? '')
    return matchedAction(routes, found, addressedAction(rest))
  }
  const isRelationshipEndpoint = fourth !== undefined
  const misplaced =
    segments.length > 5 ||
    (isRelationshipEndpoint && third !== 'relationships') ||
    (third !== undefined && segment === '')
  if (misplaced) return { kind: 'miss', server: routes.server, type }
  const target = {
    type: type.type,
    id: rawId === undefined ? null : id,
    relationship: third === undefined ? null : (type.relationAtSegment.get(segment)?.name ?? segment),
    isRelationshipEndpoint,
  }
  return matched(routes, found, target, isUnserved)
}

/** A target of a type that is served; a miss where its id can be none, or nothing is served on its shape. */
function matched(
  { server }: ServerRoutes,
  { type, methods: served }: TypeRoutes,
  target: Target,
  isUnserved = false,
): Route {
  const { id, relationship } = target
  const shape = shapeOf(target)
  const methods = served[shape]
  if ((id !== null && !isPossibleId(type, id)) || (methods.length === 0 && !isUnserved)) {
    return { kind: 'miss', server, type }
  }
  return { kind: 'match', server, type, shape, id, relationship, methods, placed: false }
}

/** Whether a path can have an id in it. */
export function isPossibleId({ id }: CompiledType, text: string): boolean {
  return text !== actionSegment && id.matchesRoute(text)
}

/** An action of a type; a miss where the path stops short of it or goes past it. */
function matchedAction({ server }: ServerRoutes, { type, actions }: TypeRoutes, addressed: AddressedAction): Route {
  const { id, path } = addressed
  if (path === '' || path.includes('/')) return { kind: 'miss', server, type }
  const possible = id === null || type.id.matchesRoute(id)
  const found = possible ? actionAt(actions, addressed) : undefined
  if (found === undefined) return { kind: 'unknownAction', server, type }
  return { kind: 'action', server, type, id, ...found }
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

/** A type that serves nothing has no routes: to the router it is a stranger. */
function typeRoutes(types: readonly CompiledType[]): ReadonlyMap<string, TypeRoutes> {
  const served = types.filter(({ operations, actions }) => operations.size > 0 || actions.length > 0)
  return new Map(served.map((type) => [type.uriType, { type, methods: methodsOf(type), actions: actionRoutes(type) }]))
}

/** Relations are read where a single resource is, and changed where it may be updated; which there are, the handler knows. */
function methodsOf({ operations }: CompiledType): TypeRoutes['methods'] {
  const reads = operations.has('FetchOne') ? ['GET', 'HEAD'] : []
  const mutations = operations.has('Update') ? ['PATCH', 'POST', 'DELETE'] : []
  return Object.freeze({
    collection: withOptions(
      operations.has('FetchCollection') ? ['GET', 'HEAD'] : [],
      operations.has('Create') ? ['POST'] : [],
    ),
    resource: withOptions(reads, operations.has('Update') ? ['PATCH'] : [], operations.has('Delete') ? ['DELETE'] : []),
    related: withOptions(reads),
    relationship: withOptions(reads, mutations),
  })
}

function withOptions(...methods: readonly (readonly string[])[]): readonly string[] {
  const all = methods.flat()
  return Object.freeze(all.length === 0 ? [] : [...all, 'OPTIONS'])
}

/** `null` for what is not percent-encoded text. */
function decoded(segment: string | undefined): string | null {
  if (segment === undefined || !segment.includes('%')) return segment ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
