import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { FieldGuard } from '../../resource/fields/field-guard.js'
import { guardsOf } from '../../resource/fields/field-guard.js'
import type { RequestContext } from '../../resource/request-context.js'
import { memoize } from '../../util/memoize.js'
import type { ReadTarget } from './read-target.js'
import { isOfRelation } from './read-target.js'
import { reachableTypes } from './reachable-types.js'

/*
 * A caller who has an ability for no row cannot name the fields that need it. So callers who have the abilities of guards
 * for all, none or some of the rows have different plans, which the cache of plans keeps apart.
 */

/** Returns a text that is equal for callers who share plans of a target; empty if all callers do. */
export function guardVariant(target: ReadTarget, context: RequestContext): string {
  const guards = reachableGuards(rootOf(target))
  return guards.length === 0 ? '' : guards.map((guard) => guard.visibilityIn(context)).join()
}

/** Lets a context without a caller have the visibilities of the caller of a request, while a plan is made. */
export function assumeVisibilities(target: ReadTarget, from: RequestContext, to: RequestContext): void {
  for (const guard of reachableGuards(rootOf(target))) guard.assume(to, guard.visibilityIn(from))
}

function rootOf(target: ReadTarget): ServedType {
  return isOfRelation(target) ? target.owner : target.subject
}

const reachableGuards: (root: ServedType) => readonly FieldGuard[] = memoize((root) => {
  const fields = reachableTypes(root).flatMap(({ type: { attributes, relations } }) => [...attributes, ...relations])
  return [...new Set(fields.flatMap(({ spec }) => guardsOf(spec)))]
})
