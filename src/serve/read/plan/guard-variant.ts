import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { FieldGuard } from '../../../declare/resource/fields/field-guard.js'
import { guardsOf } from '../../../declare/resource/fields/field-guard.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { memoize } from '../../../core/util/memoize.js'
import type { ReadContext } from '../read-context.js'
import type { ReadTarget } from './read-target.js'
import { isOfRelation } from './read-target.js'
import { reachableTypes } from './reachable-types.js'
import type { ReachableUses } from './reachable-uses.js'
import { usesOf } from './reachable-uses.js'

/*
 * A caller who has an ability for no row cannot name the fields that need it. So callers who have the abilities of guards
 * for all, none or some of the rows have different plans in the cache. So have callers who may use different filters,
 * sorts and include paths, of those that a query names.
 */

/** Returns a text that is equal for callers who share plans of a target for a query; empty if all callers do. */
export function guardVariant(target: ReadTarget, { query, context }: Pick<ReadContext, 'query' | 'context'>): string {
  const { fields, uses } = reachableGuards(rootOf(target))
  const visible = fields.length === 0 ? '' : fields.map((guard) => guard.visibilityIn(context)).join()
  if (uses === null) return visible
  const used = uses.namedBy(query)
  return used.length === 0 ? visible : `${visible} ${used.map((guard) => (guard.allows(context) ? 1 : 0)).join('')}`
}

/**
 * Copies the decisions of guards for the caller of a request to a context without a caller, in which a plan is made.
 * Copies those of all keys, since an error lists the keys that the caller may use.
 */
export function assumeGuards(target: ReadTarget, from: RequestContext, to: RequestContext): void {
  const { fields, uses } = reachableGuards(rootOf(target))
  for (const guard of fields) guard.assume(to, guard.visibilityIn(from))
  for (const guard of uses?.all ?? []) guard.assume(to, guard.allows(from))
}

function rootOf(target: ReadTarget): ServedType {
  return isOfRelation(target) ? target.owner : target.subject
}

interface ReachableGuards {
  readonly fields: readonly FieldGuard[]
  readonly uses: ReachableUses | null
}

const reachableGuards: (root: ServedType) => ReachableGuards = memoize((root) => {
  const types = reachableTypes(root).map(({ type }) => type)
  const fields = types.flatMap(({ attributes, relations }) => [...attributes, ...relations])
  return { fields: [...new Set(fields.flatMap(({ spec }) => guardsOf(spec)))], uses: usesOf(types) }
})
