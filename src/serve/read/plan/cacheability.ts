import { relationshipQueriesProfile } from '../../../declare/profiles/profile.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { FieldSpec } from '../../../declare/resource/fields/field-spec.js'
import type { FilterSpec, FilterSpecs } from '../../../declare/resource/filters/filter-spec.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import { memoize } from '../../../core/util/memoize.js'
import { filteredKeys } from '../../operation/filter-tree.js'
import { primaryVocabulary, relatedVocabulary } from '../query/query-vocabulary.js'
import type { ReadContext } from '../read-context.js'
import { reachableTypes } from './reachable-types.js'
import type { ReadTarget } from './read-target.js'
import { isOfRelation, rootsOf } from './read-target.js'

/**
 * Returns why the plan of a read cannot be cached, `null` if it can. A plan can be cached if every request with the
 * same query string has the same plan. Scopes do not matter: they are slots of a plan, and each request fills them. Guards
 * do not matter either: their decisions are a part of the cache key (`guardVariant`).
 *
 * @param isShared whether requests share the query. A query that is very long, or that the application has created, is used once, and
 * could be changed.
 */
export function uncacheableReason(
  target: ReadTarget,
  { query, profiles }: Pick<ReadContext, 'query' | 'profiles'>,
  isShared: boolean,
): string | null {
  if (!isShared) return 'the query is not shared with other requests'
  const roots = rootsOf(target)
  const types = isOfRelation(target) ? [...roots, target.owner] : roots
  for (const served of types) {
    const reason = visibilityReason(served)
    if (reason !== null) return reason
  }
  const list = listFilters(target)
  const reason = list === null ? null : filterReason(list, new Set(filteredKeys(query)))
  if (reason !== null) return reason
  // Each relation of the primary resources may be filtered by the request, or have filters with a default.
  const queriesRelations = query.relatedQuery.size > 0 || query.withCount.length > 0
  if (!queriesRelations && !profiles.includes(relationshipQueriesProfile.uri)) return null
  for (const relation of roots.flatMap(({ relations }) => [...relations.values()])) {
    const found = relationFilterReason(relation, query.relatedQuery.get(relation.name)?.filter ?? noFilter)
    if (found !== null) return found
  }
  return null
}

/** Returns why the filters of a relation that is shown with its owner prevent caching; `null` if they do not. */
export function relationFilterReason(relation: ServedRelation, sent: ReadonlyMap<string, unknown>): string | null {
  return relation.related.size === 1 ? filterReason(relatedVocabulary(relation).filters, sent) : null
}

export const noFilter: ReadonlyMap<string, never> = new Map<string, never>()

/** Returns the filters of the list that the URL names; `null` if it names none. */
function listFilters(target: ReadTarget): FilterSpecs | null {
  if (isOfRelation(target)) return target.subject.related.size === 1 ? relatedVocabulary(target.subject).filters : null
  return target.kind === 'one' ? null : primaryVocabulary(target.subject).filters
}

/**
 * Returns the reason if the type, or a type that its relations reach, has a predicate: it is evaluated for each
 * request.
 */
const visibilityReason: (root: ServedType) => string | null = memoize((root) => {
  for (const { type } of reachableTypes(root)) {
    const name = predicateIn(type)
    if (name !== null) return `a function decides whether '${type.type}.${name}' is visible`
  }
  return null
})

/** Returns the name of the first field with a predicate; `null` if there is none. */
function predicateIn({ attributes, relations }: CompiledType): string | null {
  const attribute = attributes.find(({ spec }) => hasPredicate(spec))
  if (attribute !== undefined) return attribute.name
  const relation = relations.find(({ spec }) => hasPredicate(spec) || Object.values(spec.pivot).some(hasPredicate))
  return relation?.name ?? null
}

function hasPredicate({ hidden, writeOnly }: FieldSpec): boolean {
  return typeof hidden === 'function' || typeof writeOnly === 'function'
}

/** Returns the reason if a filter that was sent, or that has a default, has a function: its result may differ for each request. */
function filterReason(filters: FilterSpecs, sent: Pick<ReadonlySet<string>, 'has'>): string | null {
  const used = Object.entries(filters).filter(([key, spec]) => sent.has(key) || spec.default !== null)
  const dynamic = used.find(([, spec]) => hasFunction(withoutGuard(spec)))
  return dynamic === undefined ? null : `the filter '${dynamic[0]}' has a function`
}

/** Ignores the guard of a filter: it is evaluated for each request, before a plan is looked up. */
function withoutGuard(spec: FilterSpec): FilterSpec {
  return { ...spec, usableIf: null, useGuard: null }
}

function hasFunction(value: unknown): boolean {
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) return false
  if (!Array.isArray(value) && !isPlainObject(value)) return true
  return Object.values(value).some(hasFunction)
}
