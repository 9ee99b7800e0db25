import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { invariant } from '../../util/invariant.js'
import { isKnownRelation } from '../query/known-relation.js'
import type { ReadContext } from '../read-context.js'
import type { Expansion, Inclusion, InclusionStep } from './inclusion.js'
import { isAllowedPath, isIncludable, maxDepth } from './inclusion.js'

/**
 * What is included when a request does not say: the default includes of the primary types, then those of what they
 * include, and so on. What may not be included, or lies too deep, is left out without a word. Without a limit of depth a
 * relation is followed on the first level that it is met on and not again further down, so that types which include each
 * other come to an end.
 */
export function defaultInclusion(roots: readonly ServedType[], reading: ReadContext): Inclusion | null {
  if (!roots.some((served) => hasDefaults(served))) return null
  return {
    start() {
      const expansions = new Map<ServedType, Expansion>()
      const expansion = (root: ServedType): Expansion => {
        const known = expansions.get(root) ?? expansionAt([], { root, reading, levels: new Map() })
        expansions.set(root, known)
        return known
      }
      return { follow: (served, row) => expansion(served).follow(served, row), isEnd: false }
    },
    leadsTo: () => true,
    isMetOnce: () => false,
    followedFrom(served) {
      const { defaultIncludes } = served.type
      if (typeof defaultIncludes === 'function') return null
      return defaultIncludes.flatMap((name) => served.relations.get(name) ?? [])
    },
  }
}

function hasDefaults({ type }: ServedType): boolean {
  return typeof type.defaultIncludes === 'function' || type.defaultIncludes.length > 0
}

interface Cascade {
  /** The type whose document it is: its limits hold for all that follows. */
  readonly root: ServedType
  readonly reading: ReadContext
  /** The level on which each relation was met first: added to while the levels are followed, one after the other. */
  readonly levels: Map<ServedRelation, number>
}

/**
 * What is included after these names. Only allowed paths care which names they were; else all ways of one length share
 * what follows, since there are more ways than anybody could walk where types include each other.
 */
function expansionAt(names: readonly string[], cascade: Cascade): Expansion {
  const { allowedIncludePaths } = cascade.root.type
  const following = new Map<string, Expansion>()
  const after = (name: string): Expansion => {
    const way = allowedIncludePaths === null ? '' : name
    const next = following.get(way) ?? expansionAt([...names, name], cascade)
    following.set(way, next)
    return next
  }
  return {
    isEnd: false,
    follow(served: ServedType, row: () => RowObject): readonly InclusionStep[] {
      const { defaultIncludes } = served.type
      const included = typeof defaultIncludes === 'function' ? defaultIncludes(row()) : defaultIncludes
      return included.flatMap((name) => {
        const relation = served.relations.get(name)
        return relation === undefined || !mayFollow(relation, names, cascade) ? [] : [{ relation, next: after(name) }]
      })
    },
  }
}

function mayFollow(relation: ServedRelation, names: readonly string[], { root, reading, levels }: Cascade): boolean {
  const limit = maxDepth(root, reading)
  if (limit > 0 && names.length >= limit) return false
  const path = [...names, relation.name].join('.')
  if (!isKnownRelation(relation, reading) || !isIncludable(relation, reading) || !isAllowedPath(root, path))
    return false
  if (limit > 0) return true
  const first = levels.get(relation) ?? names.length
  invariant(first <= names.length, `'${relation.name}' was followed below before it was followed here`)
  levels.set(relation, first)
  return first === names.length
}
