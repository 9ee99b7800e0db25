import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { ReadContext } from '../read-context.js'

/**
 * What is included from a resource on. Expansions are followed level by level: all resources of one level before the
 * first of the next, since what is included may depend on what was met nearer to the primary resources.
 */
export interface Expansion {
  /** The relations to follow from a resource, and what is included from their members on. */
  follow(served: ServedType, row: () => RowObject): readonly InclusionStep[]
  /** Whether nothing is included from here on, whatever the resource. */
  readonly isEnd: boolean
}

export interface InclusionStep {
  readonly relation: ServedRelation
  readonly next: Expansion
}

/** What a document includes, as requested or by default. */
export interface Inclusion {
  /** Starts to follow the inclusion. Each document starts anew, since an expansion may hold state while it is followed. */
  start(): Expansion
  /** The relations that may be followed from resources of a type, at whatever depth; `null` when their rows decide. */
  followedFrom(served: ServedType): readonly ServedRelation[] | null
  /** Whether resources of a type can be met on the way. */
  leadsTo(served: ServedType): boolean
  /** Whether they can be met on one way only, so that no two of them are one. */
  isMetOnce(served: ServedType): boolean
}

/** A relation that a request may include: the author and the server let it be. */
export function isIncludable({ spec, complete }: ServedRelation, { context }: ReadContext): boolean {
  const { cannotBeIncluded } = spec
  return complete && !(typeof cannotBeIncluded === 'function' ? cannotBeIncluded(context) : cannotBeIncluded)
}

/** The deepest path that may be included from a type; 0 for any depth. */
export function maxDepth({ type }: ServedType, { services }: ReadContext): number {
  return Math.max(0, type.maxIncludeDepth ?? services.maxIncludeDepth)
}

/** A listed path implies the ways to it, and nothing beside or beyond it. */
export function isAllowedPath({ type }: ServedType, path: string): boolean {
  const { allowedIncludePaths } = type
  if (allowedIncludePaths === null) return true
  return allowedIncludePaths.some((allowed) => allowed === path || allowed.startsWith(`${path}.`))
}
