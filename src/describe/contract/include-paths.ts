import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import { memoize } from '../../core/util/memoize.js'
import { relationsFor, relationUses } from './relation-uses.js'

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
      if (
        !relations.every((each) => relationUses(each).has('includable')) ||
        !from.every((root) => isAllowed(longer, root))
      )
        continue
      next.set(longer, { types: [...new Set(relations.flatMap(relatedTypes))], roots: from })
    }
  }
  return next
}

/** Returns the relations of types that some request may see. Several types may have relations of the same name. */
function relationsByName(types: readonly ServedType[]): ReadonlyMap<string, readonly ServedRelation[]> {
  const byName = new Map<string, ServedRelation[]>()
  for (const relation of types.flatMap((served) => relationsFor(served, 'shown'))) {
    const same = byName.get(relation.name)
    if (same === undefined) byName.set(relation.name, [relation])
    else same.push(relation)
  }
  return byName
}

/** Whether a primary type allows the path. A listed path allows its prefixes too. */
function isAllowedPath(path: string, { type: { allowedIncludePaths } }: ServedType): boolean {
  if (allowedIncludePaths === null) return true
  return allowedIncludePaths.some((allowed) => allowed.path === path || allowed.path.startsWith(`${path}.`))
}

/** Returns the depth of include paths that a type allows: infinity for any. */
export function depthOf({ type }: ServedType, serverDepth: number): number {
  const depth = type.maxIncludeDepth ?? serverDepth
  return depth > 0 ? depth : Number.POSITIVE_INFINITY
}

export function relatedTypes({ related }: ServedRelation): readonly ServedType[] {
  return [...related.values()]
}
