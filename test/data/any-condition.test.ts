import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/stores/memory/memory-store.js'
import { memoryQueryContext } from '../../src/stores/memory/memory-query-context.js'
import { rowMatcher } from '../../src/stores/row-query/row-matcher.js'
import { stringKind } from '../../src/declare/resource/fields/value-kind.js'
import type { ComparisonOperator, RowCondition } from '../../src/declare/resource/querying/row-condition.js'
import { column, context, links, lonelyWorld, seeds } from './music-rows.js'
import { anyKind, anyValue } from './stored-values.js'
import { runs } from '../support/runs.js'

const operators: readonly ComparisonOperator[] = ['=', '!=', '>', '>=', '<', '<=', 'like', 'starts', 'ends']

const anyCondition: fc.Arbitrary<RowCondition> = fc.letrec<{ condition: RowCondition }>((tie) => {
  const of = fc.constantFrom<'row' | 'pivot'>('row', 'pivot')
  const name = fc.constantFrom('a', 'b', 'missing', '__proto__', 'constructor')
  const queried = fc.record({ of, name, kind: anyKind, isKey: fc.boolean() })
  const members = fc.array(tie('condition'), { maxLength: 3 })
  return {
    condition: fc.oneof(
      { maxDepth: 3 },
      fc.record({
        kind: fc.constant('compare' as const),
        column: queried,
        operator: fc.constantFrom(...operators),
        value: anyValue,
      }),
      fc.record({ kind: fc.constant('range' as const), column: queried, min: anyValue, max: anyValue }),
      fc.record({
        kind: fc.constant('in' as const),
        column: queried,
        values: fc.array(anyValue, { maxLength: 3 }),
        negated: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('null' as const), column: queried, negated: fc.boolean() }),
      fc.record({ kind: fc.constantFrom('all' as const, 'any' as const), conditions: members }),
      fc.record({
        kind: fc.constant('related' as const),
        relation: fc.constant(links.artist),
        conditionsOf: fc.constant(new Map()),
        condition: fc.option(tie('condition')),
        negated: fc.boolean(),
      }),
    ),
  }
}).condition

describe('For any stored values and any condition', () => {
  const row = fc.record({ a: anyValue, b: anyValue, artistId: anyValue })

  it('a matcher returns a boolean and never throws', () => {
    const world = memoryQueryContext(memoryStore(seeds), { transaction: null, context })
    fc.assert(
      fc.property(anyCondition, row, fc.option(row), (condition, stored, pivot) => {
        expect(rowMatcher([condition], world)({ row: stored, pivot, type: 0 })).toBeTypeOf('boolean')
      }),
      { numRuns: runs(1000) },
    )
  })

  it('an operator and its opposite divide the rows that have a value and an order', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (stored, compared) => {
        const holds = (operator: ComparisonOperator): boolean =>
          rowMatcher(
            [{ kind: 'compare', column: column('a', stringKind), operator, value: compared }],
            lonelyWorld,
          )({ row: { a: stored }, pivot: null, type: 0 })
        expect(holds('!=')).toBe(!holds('='))
        expect(holds('>')).toBe(!holds('<='))
        expect(holds('<')).toBe(!holds('>='))
      }),
    )
  })
})
