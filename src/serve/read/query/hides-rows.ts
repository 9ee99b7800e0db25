import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'

/**
 * Whether a condition certainly hides no rows from the caller: it has no scope, enters no type with hidden rows, and is not
 * user-defined. It only filters by values that the client sent.
 */
export function hidesNoRow(condition: RowCondition): boolean {
  switch (condition.kind) {
    case 'scope':
    case 'custom':
      return false
    case 'related':
      return (
        [...condition.conditionsOf.values()].every((conditions) => conditions.length === 0) &&
        (condition.condition === null || hidesNoRow(condition.condition))
      )
    case 'all':
    case 'any':
      return condition.conditions.every(hidesNoRow)
    case 'not':
      return hidesNoRow(condition.condition)
    case 'compare':
    case 'range':
    case 'in':
    case 'null':
    case 'search':
      return true
  }
}
