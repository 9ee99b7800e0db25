import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import type { RequestContext } from '../../resource/request-context.js'
import { conditionOf } from './condition-of.js'
import type { Trash } from './trash.js'
import { trashConditions } from './trash.js'

/**
 * What rows of a type must meet to be there in a request: not to be deleted, unless somebody asks for those that are, and
 * to be in the scope. A scope that cannot be asked throws, so that no read goes without it.
 */
export function scopeConditions(
  served: ServedType,
  context: RequestContext,
  trash: Trash = 'hidden',
): readonly RowCondition[] {
  return [...trashConditions(served.type, trash), ...ownScope(served, context)]
}

/** What the scope of a type alone asks in a request. */
export function ownScope(served: ServedType, context: RequestContext): readonly RowCondition[] {
  return conditionsWithin(served, context, [])
}

/** The types whose scopes led here: scopes that look through each other have no answer. */
type Outer = readonly string[]

function conditionsWithin(served: ServedType, context: RequestContext, outer: Outer): readonly RowCondition[] {
  const { type, scope } = served.type
  const spec = scope?.(context) ?? null
  if (spec === null) return []
  if (outer.includes(type)) {
    throw new Error(`The scopes of ${[...outer, type].map((name) => `'${name}'`).join(', ')} look through each other.`)
  }
  const condition = conditionOf({ key: '', spec }, null, {
    rows: { served, relation: null },
    scopeOf: (entered) => [
      ...trashConditions(entered.type, 'hidden'),
      ...conditionsWithin(entered, context, [...outer, type]),
    ],
  })
  return condition === null ? [] : [condition]
}
