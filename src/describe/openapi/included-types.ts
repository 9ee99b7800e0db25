import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Steps } from '../../core/util/in-slices.js'
import { memoize } from '../../core/util/memoize.js'
import { isShown } from './shown-fields.js'
import type { Api } from './described-server.js'
import { resourceSchema } from './resource-schemas.js'

/** Whether some request may include a relation. */
function isIncludable({ spec, complete }: ServedRelation): boolean {
  return complete && isShown(spec) && spec.cannotBeIncluded !== true
}

/** Returns the depth of include paths that a type allows: infinity for any. */
function depthOf({ type }: ServedType, serverDepth: number): number {
  const depth = type.maxIncludeDepth ?? serverDepth
  return depth > 0 ? depth : Number.POSITIVE_INFINITY
}

/** Returns the types that resources of a type can include, by the paths that it allows. */
function reachableTypes(served: ServedType, serverDepth: number): ReadonlySet<ServedType> {
  return reachOf(served, serverDepth).included
}

/** The types that documents with resources of a type may show. */
interface Reach {
  readonly included: ReadonlySet<ServedType>
  /** These types and the type itself, sorted by name. */
  readonly shown: readonly ServedType[]
}

/** Returns the types of documents. Many operations show the same, so they are computed once for each type. */
function reachOf(served: ServedType, serverDepth: number): Reach {
  const byDepth = reachByDepth(served)
  const known = byDepth.get(serverDepth)
  if (known !== undefined) return known
  const included = searchedTypes(served, depthOf(served, serverDepth))
  const reach = { included, shown: sortedTypes([served, ...included]) }
  byDepth.set(serverDepth, reach)
  return reach
}

const reachByDepth = memoize((_served: ServedType): Map<number, Reach> => new Map())

function searchedTypes(root: ServedType, depth: number): ReadonlySet<ServedType> {
  const { allowedIncludePaths } = root.type
  if (allowedIncludePaths === null) return typesWithin(root, depth)
  return new Set(allowedIncludePaths.flatMap(({ path }) => [...typesAlong(root, path.split('.').slice(0, depth))]))
}

function typesWithin(root: ServedType, depth: number): ReadonlySet<ServedType> {
  const reached = new Set<ServedType>()
  let level = [root]
  for (let hops = 0; hops < depth && level.length > 0; hops += 1) {
    const next: ServedType[] = []
    for (const related of level.flatMap(includableTypes)) {
      if (reached.has(related)) continue
      reached.add(related)
      next.push(related)
    }
    level = next
  }
  return reached
}

/** The types that resources of a type can include directly. */
const includableTypes = memoize((served: ServedType): readonly ServedType[] => [
  ...new Set([...served.relations.values()].filter(isIncludable).flatMap(relatedTypes)),
])

function typesAlong(root: ServedType, names: readonly string[]): ReadonlySet<ServedType> {
  const reached = new Set<ServedType>()
  let level: readonly ServedType[] = [root]
  for (const name of names) {
    const relations = level.flatMap(({ relations: all }) => all.get(name) ?? []).filter(isIncludable)
    level = relations.flatMap(relatedTypes)
    for (const served of level) reached.add(served)
  }
  return reached
}

function relatedTypes({ related }: ServedRelation): readonly ServedType[] {
  return [...related.values()]
}

/** Returns the schema of `included` in documents whose primary resources have these types. An empty `include` has an empty list. */
export function includedMember(api: Api, primary: readonly ServedType[]): { readonly included: JsonSchema } {
  const { maxIncludeDepth } = api.server
  const schemas = primary
    .filter((served) => reachableTypes(served, maxIncludeDepth).size > 0)
    .map((served) => includedSchema(api, served))
  const [only] = schemas
  if (only === undefined) return { included: { type: 'array', items: { type: 'object' }, maxItems: 0 } }
  return { included: { type: 'array', items: schemas.length === 1 ? only : { anyOf: schemas } } }
}

/**
 * The maximum number of types that are listed for each operation. If more can be included, operations share one list: if 200 types
 * include each other, the document would otherwise have 46 MB instead of 8.
 */
export const MAX_LISTED_TYPES = 30

/**
 * Creates the schemas of all types that documents may include, one by one. In documents of many types, the first document would otherwise
 * create all of them in one step.
 */
export function* includableSchemas(api: Api): Steps<void> {
  const { types, maxIncludeDepth } = api.server
  const created = new Set<ServedType>()
  for (const served of types) {
    if (served.type.operations.size === 0) continue
    for (const related of reachableTypes(served, maxIncludeDepth)) {
      if (created.has(related)) continue
      created.add(related)
      resourceSchema(api, related)
      yield
    }
    yield
  }
}

function includedSchema(api: Api, served: ServedType): JsonSchema {
  const { components, names, server } = api
  const { maxIncludeDepth } = server
  const reached = reachableTypes(served, maxIncludeDepth)
  const anyOf = (types: Iterable<ServedType>): JsonSchema => {
    const schemas = sortedTypes(types).map((related) => resourceSchema(api, related))
    const [only] = schemas
    return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas }
  }
  if (reached.size <= MAX_LISTED_TYPES) {
    return components.schema(`${names.ofType(served.type.type)}Included`, () => anyOf(reached))
  }
  return components.schema('Included', () =>
    anyOf(server.types.flatMap((each) => [...reachableTypes(each, maxIncludeDepth)])),
  )
}

/** The maximum number of include paths that are listed in one parameter. */
const MAX_LISTED_PATHS = 100
const MAX_LISTED_DEPTH = 4

/** The include paths of primary resources of some types. */
export interface IncludePaths {
  readonly paths: readonly string[]
  /** Whether clients may send longer paths, which are not listed. */
  readonly hasMore: boolean
}

/**
 * Returns the include paths by depth. Only complete levels are listed, so that the list does not depend on the order of
 * declarations. Types that include each other have infinitely many paths unless a depth is declared.
 */
export function includePaths(roots: readonly ServedType[], serverDepth: number): IncludePaths {
  const [first, ...others] = roots
  if (first === undefined || others.length > 0) return searchedPaths(roots, serverDepth)
  const known = pathsOfType(first)
  const paths = known.get(serverDepth) ?? searchedPaths(roots, serverDepth)
  known.set(serverDepth, paths)
  return paths
}

/** The include paths of a type by the depth that its server allows: many operations have the same. */
const pathsOfType = memoize((_served: ServedType): Map<number, IncludePaths> => new Map())

function searchedPaths(roots: readonly ServedType[], serverDepth: number): IncludePaths {
  const paths: string[] = []
  let level: Level = new Map([['', { types: roots, roots }]])
  for (let depth = 1; ; depth += 1) {
    const room = depth === 1 ? Number.POSITIVE_INFINITY : depth > MAX_LISTED_DEPTH ? 0 : MAX_LISTED_PATHS - paths.length
    const isAllowed = (path: string, root: ServedType): boolean =>
      depth <= depthOf(root, serverDepth) && isAllowedPath(path, root)
    level = nextLevel(level, room, isAllowed)
    if (level.size === 0) return { paths, hasMore: false }
    if (level.size > room) return { paths, hasMore: true }
    paths.push(...level.keys())
  }
}

/** The paths of one length, each with the types that it leads to, and with the primary types that it begins at. */
type Level = ReadonlyMap<string, { readonly types: readonly ServedType[]; readonly roots: readonly ServedType[] }>

/**
 * Returns the paths that are one relation longer. All primary types that have the first relation of a path must allow it, and all relations
 * of the same name must be includable. The search stops as soon as there are more paths than can be listed.
 */
function nextLevel(level: Level, room: number, isAllowed: (path: string, root: ServedType) => boolean): Level {
  const next = new Map<string, { types: readonly ServedType[]; roots: readonly ServedType[] }>()
  for (const [path, { types, roots }] of level) {
    if (next.size > room) break
    for (const [name, relations] of relationsByName(types)) {
      const longer = path === '' ? name : `${path}.${name}`
      const from =
        path === '' ? roots.filter((root) => relations.some((each) => root.relations.get(name) === each)) : roots
      if (!relations.every(isIncludable) || !from.every((root) => isAllowed(longer, root))) continue
      next.set(longer, { types: [...new Set(relations.flatMap(relatedTypes))], roots: from })
    }
  }
  return next
}

/** Returns the relations of types that some request may see. Several types may have relations of the same name. */
function relationsByName(types: readonly ServedType[]): ReadonlyMap<string, readonly ServedRelation[]> {
  const byName = new Map<string, ServedRelation[]>()
  for (const { relations } of types) {
    for (const relation of relations.values()) {
      if (!isShown(relation.spec)) continue
      const same = byName.get(relation.name)
      if (same === undefined) byName.set(relation.name, [relation])
      else same.push(relation)
    }
  }
  return byName
}

/** Whether a primary type allows the path. A listed path allows its prefixes too. */
function isAllowedPath(path: string, { type: { allowedIncludePaths } }: ServedType): boolean {
  if (allowedIncludePaths === null) return true
  return allowedIncludePaths.some((allowed) => allowed.path === path || allowed.path.startsWith(`${path}.`))
}

/** Returns the types whose resources a document may show: the primary types, and those that they include. */
export function shownTypes({ server }: Api, primary: readonly ServedType[]): readonly ServedType[] {
  const [first, ...others] = primary.map((served) => reachOf(served, server.maxIncludeDepth).shown)
  return first !== undefined && others.length === 0 ? first : sortedTypes([...(first ?? []), ...others.flat()])
}

function sortedTypes(types: Iterable<ServedType>): readonly ServedType[] {
  return [...new Set(types)].toSorted((a, b) => (a.type.type < b.type.type ? -1 : 1))
}
