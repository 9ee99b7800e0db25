import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { invariant } from '../../../core/util/invariant.js'
import type { ReadContext } from '../read-context.js'
import type { Expansion, Inclusion, InclusionStep } from './inclusion.js'
import { isAllowedPath, isIncludable, isKnownToInclude, maxDepth } from './inclusion.js'

/**
 * Returns the inclusion of a request without `include`: the default includes of the primary types, then those of the
 * included types, and so on. Relations that may not be included, or lie too deep, are left out without an error. If
 * there is no depth limit, a relation is followed only on the first level where it occurs, so that types which include
 * each other do not recurse forever.
 */
export function defaultInclusion(roots: readonly ServedType[], request: ReadContext): Inclusion | null {
  if (!roots.some((served) => hasDefaults(served))) return null
  return {
    start() {
      const expansions = new Map<ServedType, Expansion>()
      const expansion = (root: ServedType): Expansion => {
        const known = expansions.get(root) ?? expansionAt([], { root, request, levels: new Map() })
        expansions.set(root, known)
        return known
      }
      return {
        follow: (served, row) => expansion(served).follow(served, row),
        followable: (served) => expansion(served).followable(served),
        isEnd: false,
      }
    },
    leadsTo: () => true,
    hasSinglePathTo: () => false,
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
  /** The type of the primary resource. Its limits apply to all levels. */
  readonly root: ServedType
  readonly request: ReadContext
  /** The first level on which each relation occurs. It is filled while the levels are followed one after the other. */
  readonly levels: Map<ServedRelation, number>
}

/**
 * Returns the expansion after a path of relation names. The names matter only if the type lists allowed paths.
 * Otherwise all paths of one length share an expansion, because the number of paths grows exponentially if types
 * include each other.
 */
function expansionAt(names: readonly string[], cascade: Cascade): Expansion {
  const { allowedIncludePaths } = cascade.root.type
  const following = new Map<string, Expansion>()
  const after = (name: string): Expansion => {
    const key = allowedIncludePaths === null ? '' : name
    const next = following.get(key) ?? expansionAt([...names, name], cascade)
    following.set(key, next)
    return next
  }
  const steps = (served: ServedType, included: readonly string[]): readonly InclusionStep[] =>
    included.flatMap((name) => {
      const relation = served.relations.get(name)
      return relation === undefined || !mayFollow(relation, names, cascade) ? [] : [{ relation, next: after(name) }]
    })
  return {
    isEnd: false,
    follow(served, row) {
      const { defaultIncludes } = served.type
      return steps(served, typeof defaultIncludes === 'function' ? defaultIncludes(row()) : defaultIncludes)
    },
    followable(served) {
      const { defaultIncludes } = served.type
      return steps(served, typeof defaultIncludes === 'function' ? [...served.relations.keys()] : defaultIncludes)
    },
  }
}

function mayFollow(relation: ServedRelation, names: readonly string[], { root, request, levels }: Cascade): boolean {
  const limit = maxDepth(root, request)
  if (limit > 0 && names.length >= limit) return false
  const path = [...names, relation.name].join('.')
  const isKnown = isKnownToInclude(relation, request) && isIncludable(relation, request)
  if (!isKnown || !isAllowedPath(root, path, request)) return false
  if (limit > 0) return true
  const first = levels.get(relation) ?? names.length
  invariant(first <= names.length, `'${relation.name}' was followed on a deeper level first`)
  levels.set(relation, first)
  return first === names.length
}
