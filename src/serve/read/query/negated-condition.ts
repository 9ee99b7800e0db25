import type { ComparisonOperator, QueryColumn, RowCondition } from '../../../declare/resource/querying/row-condition.js'

/** A condition that no row meets, and whose negation no row meets: a missing value must not permit anything. */
export const missingValue: RowCondition = Object.freeze({ kind: 'any', conditions: Object.freeze([]) })

/**
 * Returns the negation of a condition: exactly the other rows meet it. Null meets no comparison, so rows without a value
 * meet the negation. It consists of conditions that every store knows: no store has to negate anything.
 */
export function negatedCondition(condition: RowCondition): RowCondition {
  if (condition === missingValue) return condition
  switch (condition.kind) {
    case 'compare': {
      const { column, operator, value } = condition
      return orNull(column, [{ kind: 'compare', column, operator: opposite(operator), value }])
    }
    case 'range': {
      const { column, min, max } = condition
      return orNull(column, [
        ...(isOpen(min) ? [] : [{ kind: 'compare', column, operator: '<', value: min } as const]),
        ...(isOpen(max) ? [] : [{ kind: 'compare', column, operator: '>', value: max } as const]),
      ])
    }
    case 'in':
      return orNull(condition.column, [{ ...condition, negated: !condition.negated }])
    case 'null':
    case 'related':
      return { ...condition, negated: !condition.negated }
    case 'all':
    case 'any':
      return {
        kind: condition.kind === 'all' ? 'any' : 'all',
        conditions: condition.conditions.map((each) => negatedCondition(each)),
      }
    case 'search':
      return { kind: 'not', condition }
    case 'not':
      return condition.condition
    case 'custom':
      throw new TypeError('not() cannot negate a user-defined condition: negate it in its own function.')
    case 'scope':
      throw new TypeError('not() cannot negate a scope.')
  }
}

function orNull(column: QueryColumn, conditions: readonly RowCondition[]): RowCondition {
  return { kind: 'any', conditions: [{ kind: 'null', column, negated: false }, ...conditions] }
}

function isOpen(bound: unknown): boolean {
  return bound === null || bound === undefined
}

function opposite(operator: ComparisonOperator): ComparisonOperator {
  const found = opposites.get(operator)
  if (found === undefined) throw new TypeError(`not() cannot negate the operator '${operator}'.`)
  return found
}

const opposites: ReadonlyMap<ComparisonOperator, ComparisonOperator> = new Map([
  ['=', '!='],
  ['!=', '='],
  ['<', '>='],
  ['<=', '>'],
  ['>', '<='],
  ['>=', '<'],
])
