import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { Expansion, Inclusion, Step } from './inclusion.js'
import { isAllowedPath, isIncludable, isKnown, maxDepth } from './inclusion.js'
import type { Reading } from './reading.js'

/**
 * What is included when a request does not say: the default includes of the primary types, then those of what they
 * include, and so on. What may not be included, or lies too deep, is left out without a word. Without a limit of depth no
 * relation is followed twice on one way, so that types which include each other come to an end.
 */
export function defaultInclusion(roots: readonly ServedType[], reading: Reading): Inclusion | null {
  if (!roots.some((served) => hasDefaults(served))) return null
  const expansions = new Map<ServedType, Expansion>()
  const expansion = (root: ServedType): Expansion => {
    const known = expansions.get(root) ?? cascade({ root, reading, names: [], trail: [] })
    expansions.set(root, known)
    return known
  }
  return {
    root: { follow: (served, row) => expansion(served).follow(served, row) },
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

interface Way {
  /** The type whose document it is: its limits hold for all that follows. */
  readonly root: ServedType
  readonly reading: Reading
  /** The names of the relations that led here. */
  readonly names: readonly string[]
  readonly trail: readonly ServedRelation[]
}

function cascade(way: Way): Expansion {
  const following = new Map<ServedRelation, Expansion>()
  const after = (relation: ServedRelation): Expansion => {
    const { root, reading, names, trail } = way
    const next =
      following.get(relation) ??
      cascade({ root, reading, names: [...names, relation.name], trail: [...trail, relation] })
    following.set(relation, next)
    return next
  }
  return {
    follow(served: ServedType, row: () => RowObject): readonly Step[] {
      const { defaultIncludes } = served.type
      const names = typeof defaultIncludes === 'function' ? defaultIncludes(row()) : defaultIncludes
      return names.flatMap((name) => {
        const relation = served.relations.get(name)
        return relation === undefined || !mayFollow(relation, way) ? [] : [{ relation, next: after(relation) }]
      })
    },
  }
}

function mayFollow(relation: ServedRelation, { root, reading, names, trail }: Way): boolean {
  const limit = maxDepth(root, reading)
  if (limit > 0 ? names.length >= limit : trail.includes(relation)) return false
  const path = [...names, relation.name].join('.')
  return isKnown(relation, reading) && isIncludable(relation, reading) && isAllowedPath(root, path)
}
