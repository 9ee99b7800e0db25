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

function includedSchema(api: Api, served: ServedType): JsonSchema {
  const { components, names } = api
  return components.schema(`${names.ofType(served.type.type)}Included`, () => {
    const schemas = [...reachableTypes(served)]
      .toSorted((a, b) => (a.type.type < b.type.type ? -1 : 1))
      .map((related) => resourceSchema(api, related))
    const [only] = schemas
    return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas }
  })
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
  const [only] = roots
  if (only === undefined || roots.length > 1) return listedPaths(roots, serverDepth)
  const known = knownPaths(only)
  const paths = known.get(serverDepth) ?? listedPaths(roots, serverDepth)
  known.set(serverDepth, paths)
  return paths
}

/** Cache: the paths of a type by the depth of the server. All operations that show one type have the same paths. */
const knownPaths = memoize((_served: ServedType) => new Map<number, IncludePaths>())

function listedPaths(roots: readonly ServedType[], serverDepth: number): IncludePaths {
  const limits = roots.map(({ type }) => Math.max(0, type.maxIncludeDepth ?? serverDepth))
  const limit = limits.every((depth) => depth > 0) ? Math.max(...limits) : Number.POSITIVE_INFINITY
  const paths: string[] = []
  let level = new Map<string, readonly ServedType[]>([['', roots]])
  for (let depth = 1; depth <= limit; depth += 1) {
    // One more than can be listed shows that the level is not.
    const room = depth === 1 ? Number.POSITIVE_INFINITY : depth > MAX_LISTED_DEPTH ? 0 : MAX_LISTED_PATHS - paths.length
    level = nextLevel(level, roots, room + 1)
    if (level.size === 0) return { paths, hasMore: false }
    const isListed = level.size <= room
    if (!isListed) return { paths, hasMore: true }
    paths.push(...level.keys())
  }
  return { paths, hasMore: false }
}

function nextLevel(
  level: ReadonlyMap<string, readonly ServedType[]>,
  roots: readonly ServedType[],
  maxPaths: number,
): Map<string, readonly ServedType[]> {
  const next = new Map<string, readonly ServedType[]>()
  for (const [path, types] of level) {
    for (const relation of types.flatMap((served) => [...served.relations.values()])) {
      const longer = path === '' ? relation.name : `${path}.${relation.name}`
      if (!isIncludable(relation) || !isAllowed(longer, roots)) continue
      if (next.size >= maxPaths) return next
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
  const all = new Set([...primary, ...primary.flatMap((served) => [...reachableTypes(served)])])
  return [...all].toSorted((a, b) => (a.type.type < b.type.type ? -1 : 1))
}
