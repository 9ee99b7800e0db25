import type { RowCondition } from '../../resource/querying/row-condition.js'
import type { RowOrder } from '../../resource/querying/row-order.js'
import type { RelationLink } from '../../resource/relations/relation-link.js'

/**
 * Whether a query looks at rows of a type with a scope on its way: others who send the same ask something else then.
 * Which rows of the queried type itself are there is no part of it.
 */
export function passesScope({
  conditions,
  orders,
}: {
  readonly conditions: readonly RowCondition[]
  readonly orders: readonly RowOrder[]
}): boolean {
  return conditions.some(looksAtScoped) || orders.some(leadsToScoped)
}

/** Whether which members of a relation are there is for scopes to say. */
export function isScoped({ targets }: RelationLink): boolean {
  return targets.some(({ scope }) => scope !== null)
}

function looksAtScoped(condition: RowCondition): boolean {
  switch (condition.kind) {
    case 'related':
      return isScoped(condition.relation) || (condition.condition !== null && looksAtScoped(condition.condition))
    case 'all':
    case 'any':
      return condition.conditions.some(looksAtScoped)
    default:
      return false
  }
}

function leadsToScoped(order: RowOrder): boolean {
  return order.kind === 'column' && order.path.some(({ relation }) => isScoped(relation))
}
