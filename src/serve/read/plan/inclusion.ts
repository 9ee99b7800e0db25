import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { isUsable } from '../../../declare/resource/request/use-guard.js'
import { isKnownRelation } from '../query/known-relation.js'
import type { ReadContext } from '../read-context.js'

/**
 * The relations that are included from a resource on. Expansions are followed level by level: all resources of one
 * level before the first of the next, because a relation may be left out if it occurred closer to the primary
 * resources.
 */
export interface Expansion {
  /** Returns the relations to follow from a resource, each with the expansion of its members. */
  follow(served: ServedType, row: () => RowObject): readonly InclusionStep[]
  /** Returns the relations that may be followed from resources of a type, whatever their rows contain. */
  followable(served: ServedType): readonly InclusionStep[]
  /** Whether nothing is included from any resource on. */
  readonly isEnd: boolean
}

export interface InclusionStep {
  readonly relation: ServedRelation
  readonly next: Expansion
}

/** The relations that a document includes, as requested or by default. */
export interface Inclusion {
  /**
   * Returns the expansion of the primary resources. Each document needs a new one, since expansions may have state.
   */
  start(): Expansion
  /**
   * Returns the relations that may be followed from resources of a type, at any depth; `null` if it depends on their
   * rows.
   */
  followedFrom(served: ServedType): readonly ServedRelation[] | null
  /** Whether included relations may reach resources of a type. */
  leadsTo(served: ServedType): boolean
  /** Whether only one path leads to resources of a type, so that no resource can be reached twice. */
  hasSinglePathTo(served: ServedType): boolean
}

/** Whether `include` of a request knows a relation: it is not hidden, and the request meets its `includableIf()`. */
export function isKnownToInclude(relation: ServedRelation, request: ReadContext): boolean {
  return isUsable(relation.spec, request.context) && isKnownRelation(relation, request)
}

/** Whether a request may include a relation: the declaration allows it, and this server can read the related types. */
export function isIncludable({ spec, complete }: ServedRelation, { context }: Pick<ReadContext, 'context'>): boolean {
  if (!complete || spec.cannotBeIncluded === true) return false
  return spec.includeGuard === null || spec.includeGuard.allows(context)
}

/** Returns the maximum depth of include paths from a type; 0 for no limit. */
export function maxDepth({ type }: ServedType, { services }: Pick<ReadContext, 'services'>): number {
  return Math.max(0, type.maxIncludeDepth ?? services.maxIncludeDepth)
}

/**
 * Whether a type allows an include path in a request. A listed path also allows its prefixes, but no longer or other
 * paths.
 */
export function isAllowedPath({ type }: ServedType, path: string, { context }: Pick<ReadContext, 'context'>): boolean {
  const { allowedIncludePaths } = type
  if (allowedIncludePaths === null) return true
  return allowedIncludePaths.some((allowed) => {
    const covers = allowed.path === path || allowed.path.startsWith(`${path}.`)
    return covers && isUsable(allowed, context)
  })
}
