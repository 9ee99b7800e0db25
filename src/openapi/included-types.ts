import type { ServedRelation, ServedType } from '../resource/capabilities/served-type.js'
import type { JsonSchema } from '../resource/json-schema.js'
import { memoize } from '../util/memoize.js'
import { isShown } from './attributes-schema.js'
import type { Api } from './described-server.js'
import { resourceSchema } from './resource-schemas.js'

/** Whether some request may include a relation. */
function isIncludable({ spec, complete }: ServedRelation): boolean {
  return complete && isShown(spec) && spec.cannotBeIncluded !== true
}

/** Returns the types that resources of a type can include, at any depth. */
const reachableTypes = memoize((served: ServedType): ReadonlySet<ServedType> => {
  const reached = new Set<ServedType>()
  const pending = [served]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const relation of next.relations.values()) {
      if (!isIncludable(relation)) continue
      for (const related of relation.related.values()) {
        if (reached.has(related)) continue
        reached.add(related)
        pending.push(related)
      }
    }
  }
  return reached
})

/** Returns the schema of `included` in documents whose primary resources have these types. An empty `include` has an empty list. */
export function includedMember(api: Api, primary: readonly ServedType[]): { readonly included: JsonSchema } {
  const schemas = primary
    .filter((served) => reachableTypes(served).size > 0)
    .map((served) => includedSchema(api, served))
  const [only] = schemas
  if (only === undefined) return { included: { type: 'array', maxItems: 0 } }
  return { included: { type: 'array', items: schemas.length === 1 ? only : { anyOf: schemas } } }
}

/**
 * Up to so many types are listed for each operation. Where more of them can be included, operations share one list: if 200 types include
 * each other, the document would otherwise have 46 MB instead of 8.
 */
export const MAX_LISTED_TYPES = 30

function includedSchema(api: Api, served: ServedType): JsonSchema {
  const { components, names, server } = api
  const reached = reachableTypes(served)
  const anyOf = (types: Iterable<ServedType>): JsonSchema => {
    const schemas = sortedTypes(types).map((related) => resourceSchema(api, related))
    const [only] = schemas
    return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas }
  }
  if (reached.size <= MAX_LISTED_TYPES) {
    return components.schema(`${names.ofType(served.type.type)}Included`, () => anyOf(reached))
  }
  return components.schema('Included', () => anyOf(server.types.flatMap((each) => [...reachableTypes(each)])))
}

/** How many include paths are listed in one parameter. */
const MAX_LISTED_PATHS = 100
const MAX_LISTED_DEPTH = 4

/** The include paths of primary resources of some types. */
export interface IncludePaths {
  readonly paths: readonly string[]
  /** Whether clients may send longer paths, which are not listed. */
  readonly hasMore: boolean
}

/**
 * Returns the include paths by depth. A whole level is listed or none of it, so that the list does not depend on the order of
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
  const limits = roots.map(({ type }) => Math.max(0, type.maxIncludeDepth ?? serverDepth))
  const limit = limits.every((depth) => depth > 0) ? Math.max(...limits) : Number.POSITIVE_INFINITY
  const paths: string[] = []
  let level = new Map<string, readonly ServedType[]>([['', roots]])
  for (let depth = 1; depth <= limit; depth += 1) {
    const room = depth === 1 ? Number.POSITIVE_INFINITY : depth > MAX_LISTED_DEPTH ? 0 : MAX_LISTED_PATHS - paths.length
    level = nextLevel(level, roots, room)
    if (level.size === 0) return { paths, hasMore: false }
    if (level.size > room) return { paths, hasMore: true }
    paths.push(...level.keys())
  }
  return { paths, hasMore: false }
}

/** Returns the paths that are one relation longer. It stops as soon as there are more than can be listed. */
function nextLevel(
  level: ReadonlyMap<string, readonly ServedType[]>,
  roots: readonly ServedType[],
  room: number,
): Map<string, readonly ServedType[]> {
  const next = new Map<string, readonly ServedType[]>()
  for (const [path, types] of level) {
    if (next.size > room) break
    for (const relation of types.flatMap((served) => [...served.relations.values()])) {
      const longer = path === '' ? relation.name : `${path}.${relation.name}`
      if (!isIncludable(relation) || !isAllowed(longer, roots)) continue
      next.set(longer, [...new Set([...(next.get(longer) ?? []), ...relation.related.values()])])
    }
  }
  return next
}

/** Whether a primary type allows the path. A listed path allows its prefixes too. */
function isAllowed(path: string, roots: readonly ServedType[]): boolean {
  return roots.some(({ type: { allowedIncludePaths } }) => {
    if (allowedIncludePaths === null) return true
    return allowedIncludePaths.some((allowed) => allowed.path === path || allowed.path.startsWith(`${path}.`))
  })
}

/** Returns the types whose resources a document may show: the primary types, and those that they include. */
export function shownTypes(primary: readonly ServedType[]): readonly ServedType[] {
  const [first, ...others] = primary
  if (first !== undefined && others.length === 0) return typesOfDocument(first)
  return sortedTypes([...primary, ...primary.flatMap((served) => [...reachableTypes(served)])])
}

/** The types that documents with resources of a type may show. */
const typesOfDocument = memoize((served: ServedType): readonly ServedType[] =>
  sortedTypes([served, ...reachableTypes(served)]),
)

function sortedTypes(types: Iterable<ServedType>): readonly ServedType[] {
  return [...new Set(types)].toSorted((a, b) => (a.type.type < b.type.type ? -1 : 1))
}
