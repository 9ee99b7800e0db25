import type { CompiledType } from '../resource/compiled-type.js'
import type { Target } from './target.js'

/** A named server: its own prefix and, where it has one, its own host. */
export interface RouteServer {
  readonly name: string
  /** Empty, or starting with a slash and not ending with one. */
  readonly prefix: string
  /** `null` answers on every host. */
  readonly host: string | null
}

/** The four shapes of a path, named after what they address. */
export type PathShape = 'collection' | 'resource' | 'related' | 'relationship'

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

export type Route =
  | RouteMatch
  /** A path of nobody's here. */
  | { readonly kind: 'stranger' }
  /** Lies under a type that is served, and names nothing of it; or, undecodable, cannot be read at all. */
  | { readonly kind: 'miss' | 'undecodable'; readonly server: RouteServer; readonly type: CompiledType }
  /** A caller's own router has let a request through without a target that there is. */
  | { readonly kind: 'unplaced'; readonly server: RouteServer }

export interface RouteTable {
  match(path: string, host: string): Route
  /** For a target that a caller's own router has found. */
  placed(target: Target | null | undefined, server: string): Route
  /** Every route with its name, for listings. */
  readonly descriptions: readonly RouteDescription[]
}

export interface RouteDescription {
  /** `jsonapi.albums.index`, `jsonapi.admin.albums.index` */
  readonly name: string
  readonly method: string
  readonly path: string
}

interface ServerRoutes {
  readonly server: RouteServer
  readonly types: ReadonlyMap<string, TypeRoutes>
}

interface TypeRoutes {
  readonly type: CompiledType
  readonly methods: Readonly<Record<PathShape, readonly string[]>>
}

const stranger: Route = Object.freeze({ kind: 'stranger' })

/** The segment of custom actions, which is never an id. */
const actionSegment = '-actions'

/** Built once; a match costs one split of the path and one look-up. */
export function routeTable(servers: readonly RouteServer[], types: readonly CompiledType[]): RouteTable {
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
        const rest = restOfPath(routes.server, path, host)
        if (rest === null) continue
        const route = matchTypes(routes, rest)
        if (route.kind !== 'stranger') return route
      }
      return stranger
    },
    placed(target: Target | null | undefined, server: string): Route {
      const routes = all.find(({ server: { name } }) => name === server)
      const found = typeNamed(routes, target?.type)
      if (routes === undefined || found === undefined || !target) {
        return { kind: 'unplaced', server: routes?.server ?? { name: server, prefix: '', host: null } }
      }
      const route = matched(routes, found, target)
      return route.kind === 'match' ? { ...route, placed: true } : route
    },
    descriptions: Object.freeze(all.flatMap(describe)),
  })
}

function restOfPath({ prefix, host: wanted }: RouteServer, path: string, host: string): string | null {
  if (wanted !== null && !answersOn(wanted, host.toLowerCase())) return null
  if (prefix === '') return path
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : null
}

/** A host without a port answers on every port. */
function answersOn(wanted: string, host: string): boolean {
  return host === wanted || (host.startsWith(`${wanted}:`) && /^\d+$/.test(host.slice(wanted.length + 1)))
}

function matchTypes(routes: ServerRoutes, path: string): Route {
  const segments = path.split('/')
  const found = routes.types.get(decoded(segments[1]) ?? '')
  if (found === undefined) return stranger
  const { type } = found
  const [, , rawId, third, fourth] = segments
  const [id, segment] = [decoded(rawId), decoded(fourth ?? third)]
  if (id === null || segment === null) return { kind: 'undecodable', server: routes.server, type }
  const isRelationshipEndpoint = fourth !== undefined
  const misplaced =
    segments.length > 5 ||
    (isRelationshipEndpoint && third !== 'relationships') ||
    (third !== undefined && segment === '')
  if (misplaced) return { kind: 'miss', server: routes.server, type }
  return matched(routes, found, {
    type: type.type,
    id: rawId === undefined ? null : id,
    relationship: third === undefined ? null : (type.relationAtSegment.get(segment)?.name ?? segment),
    isRelationshipEndpoint,
  })
}

/** A target of a type that is served; a miss where its id can be none, or nothing is served on its shape. */
function matched({ server }: ServerRoutes, { type, methods: served }: TypeRoutes, target: Target): Route {
  const { id, relationship } = target
  const shape = shapeOf(target)
  const methods = served[shape]
  const possible = id === null || (id !== actionSegment && type.id.matchesRoute(id))
  if (!possible || methods.length === 0) return { kind: 'miss', server, type }
  return { kind: 'match', server, type, shape, id, relationship, methods, placed: false }
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
  const served = types.filter((type) => type.operations.size > 0)
  return new Map(served.map((type) => [type.uriType, { type, methods: methodsOf(type) }]))
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

const actions: readonly (readonly [shape: PathShape, method: string, action: string])[] = Object.freeze([
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

function describe({ server, types }: ServerRoutes): readonly RouteDescription[] {
  const name = server.name === 'default' ? 'jsonapi' : `jsonapi.${server.name}`
  return [...types.values()].flatMap(({ type, methods }) => {
    const collection = `${server.prefix}/${type.uriType}`
    const paths: Readonly<Record<PathShape, string>> = {
      collection,
      resource: `${collection}/{id}`,
      related: `${collection}/{id}/{rel}`,
      relationship: `${collection}/{id}/relationships/{rel}`,
    }
    const shapes = type.relations.length === 0 ? ['collection', 'resource'] : Object.keys(paths)
    return actions
      .filter(([shape, method]) => shapes.includes(shape) && methods[shape].includes(method))
      .map(([shape, method, action]) => ({ name: `${name}.${type.type}.${action}`, method, path: paths[shape] }))
  })
}
