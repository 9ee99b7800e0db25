import type { IncludeContract, RelationContract, TypeContract } from './contract.js'
import { relationsFor } from './relation-uses.js'

/** The maximum number of include paths that are listed in one parameter. */
const MAX_LISTED_PATHS = 100
const MAX_LISTED_DEPTH = 4

/** Returns a type of the server; `null` if it does not have it. */
export type FindType = (type: string) => TypeContract | null

/**
 * Returns the include paths of primary resources of some types, by depth. Only complete levels are listed, so that the list does not depend on
 * the order of declarations. Types that include each other have infinitely many paths unless a depth is declared.
 */
export function includePaths(
  roots: readonly TypeContract[],
  find: FindType,
): Pick<IncludeContract, 'paths' | 'hasMore'> {
  const paths: string[] = []
  let level: Level = new Map([['', { types: roots, roots }]])
  for (let depth = 1; ; depth += 1) {
    const room = depth === 1 ? Number.POSITIVE_INFINITY : depth > MAX_LISTED_DEPTH ? 0 : MAX_LISTED_PATHS - paths.length
    const isAllowed = (path: string, root: TypeContract): boolean => depth <= depthOf(root) && isAllowedPath(path, root)
    level = nextLevel(level, room, { isAllowed, find })
    if (level.size === 0) return { paths, hasMore: false }
    if (level.size > room) return { paths, hasMore: true }
    paths.push(...level.keys())
  }
}

/** The paths of one length, each with the types that it leads to, and with the primary types that it begins at. */
type Level = ReadonlyMap<string, { readonly types: readonly TypeContract[]; readonly roots: readonly TypeContract[] }>

interface Search {
  readonly isAllowed: (path: string, root: TypeContract) => boolean
  readonly find: FindType
}

/**
 * Returns the paths that are one relation longer. All primary types that have the first relation of a path must allow it, and all relations
 * of the same name must be includable. The search stops as soon as there are more paths than can be listed.
 */
function nextLevel(level: Level, room: number, { isAllowed, find }: Search): Level {
  const next = new Map<string, { types: readonly TypeContract[]; roots: readonly TypeContract[] }>()
  for (const [path, { types, roots }] of level) {
    if (next.size > room) break
    for (const [name, relations] of relationsByName(types)) {
      const longer = path === '' ? name : `${path}.${name}`
      const from = path === '' ? roots.filter(({ type }) => relations.some(({ owner }) => owner === type)) : roots
      if (!relations.every(({ uses }) => uses.includes('includable')) || !from.every((root) => isAllowed(longer, root)))
        continue
      next.set(longer, { types: [...new Set(relations.flatMap((each) => relatedTypes(each, find)))], roots: from })
    }
  }
  return next
}

/** Returns the relations of types that some request may see. Several types may have relations of the same name. */
function relationsByName(types: readonly TypeContract[]): ReadonlyMap<string, readonly RelationContract[]> {
  const byName = new Map<string, RelationContract[]>()
  for (const relation of types.flatMap((type) => relationsFor(type, 'shown'))) {
    const same = byName.get(relation.name)
    if (same === undefined) byName.set(relation.name, [relation])
    else same.push(relation)
  }
  return byName
}

/** Whether a primary type allows the path. A listed path allows its prefixes too. */
function isAllowedPath(path: string, { includes: { allowed } }: TypeContract): boolean {
  return allowed === null || allowed.some((each) => each === path || each.startsWith(`${path}.`))
}

/** Returns the depth of include paths that a type allows: infinity for any. */
export function depthOf({ includes: { depth } }: TypeContract): number {
  return depth > 0 ? depth : Number.POSITIVE_INFINITY
}

/** Returns the related types of a relation that the server has. */
export function relatedTypes({ related }: RelationContract, find: FindType): readonly TypeContract[] {
  return related.flatMap((type) => find(type) ?? [])
}
