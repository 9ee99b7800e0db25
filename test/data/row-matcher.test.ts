import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/stores/memory/memory-store.js'
import { memoryQueryContext } from '../../src/stores/memory/memory-query-context.js'
import type { QueryContext } from '../../src/stores/row-query/query-context.js'
import { rowMatcher, typedRowMatcher } from '../../src/stores/row-query/row-matcher.js'
import type { RowObject } from '../../src/declare/resource/fields/field-spec.js'
import { dateTimeKind } from '../../src/declare/resource/fields/moment-kind.js'
import { integerKind } from '../../src/declare/resource/fields/value-kind.js'
import type { ComparisonOperator, RowCondition } from '../../src/declare/resource/querying/row-condition.js'
import { expectLinear, type Sized } from '../support/growth.js'
import { albums, artists, candidates, column, context, links, lonelyWorld, seeds, whereEqual } from './music-rows.js'

const operators: readonly ComparisonOperator[] = ['=', '!=', '>', '>=', '<', '<=', 'like', 'starts', 'ends']
const world = (): QueryContext => memoryQueryContext(memoryStore(seeds), { transaction: null, context })

/** The stored values among these that meet a condition on their column. */
function matching(condition: RowCondition, values: readonly unknown[]): readonly unknown[] {
  const matches = rowMatcher([condition], lonelyWorld)
  return candidates(values.map((value) => ({ value }))).flatMap((each) => (matches(each) ? [each.row['value']] : []))
}

const compare = (operator: ComparisonOperator, value: unknown): RowCondition => ({
  kind: 'compare',
  column: column('value'),
  operator,
  value,
})

const range = (min: unknown, max: unknown): RowCondition => ({ kind: 'range', column: column('value'), min, max })

const within = (values: readonly unknown[], negated = false): RowCondition => ({
  kind: 'in',
  column: column('value'),
  values,
  negated,
})

const isNull = (negated: boolean): RowCondition => ({ kind: 'null', column: column('value'), negated })

const hasArtist = (negated: boolean): RowCondition => ({
  kind: 'related',
  relation: links.artist,
  conditionsOf: new Map(),
  condition: null,
  negated,
})

/** The titles of the albums that meet a condition. */
function titles(condition: RowCondition): readonly unknown[] {
  const matches = rowMatcher([condition], world())
  return candidates(seeds['albums'] as readonly RowObject[])
    .filter(matches)
    .map(({ row }) => row['title'])
}

describe('A comparison', () => {
  it.each<[ComparisonOperator, unknown, readonly unknown[]]>([
    ['=', 2, [2, '2']],
    ['!=', 2, [1, 3]],
    ['>', '1', [2, 3, '2']],
    ['>=', 2, [2, 3, '2']],
    ['<', 2, [1]],
    ['<=', 2, [1, 2, '2']],
  ])('with %s %s', (operator, value, expected) => {
    expect(matching(compare(operator, value), [1, 2, 3, '2', null, undefined])).toEqual(expected)
  })

  it('never holds for null, and never with null', () => {
    for (const operator of operators) {
      expect(matching(compare(operator, 'a'), [null, undefined, Number.NaN])).toEqual([])
      expect(matching(compare(operator, null), ['a', 1, null])).toEqual([])
    }
  })

  it('of text knows no difference between the cases of ASCII letters, and no wildcards', () => {
    const texts = ['Straße 100%', 'STRASSE', 'a_b', 'aXb', 'Ärger', 100]
    expect(matching(compare('like', 'strA'), texts)).toEqual(['Straße 100%', 'STRASSE'])
    expect(matching(compare('like', '0%'), texts)).toEqual(['Straße 100%'])
    expect(matching(compare('like', 'A_B'), texts)).toEqual(['a_b'])
    expect(matching(compare('starts', 'är'), texts)).toEqual([])
    expect(matching(compare('ends', 'SE'), texts)).toEqual(['STRASSE'])
    expect(matching(compare('like', 100), texts)).toEqual([])
    expect(matching(compare('starts', ''), texts)).toHaveLength(5)
  })

  it('with a list holds where one member does, and is different where none is', () => {
    const lists = [['rock', 'pop'], ['jazz'], [], null]
    expect(matching(compare('=', 'pop'), lists)).toEqual([['rock', 'pop']])
    expect(matching(compare('!=', 'pop'), lists)).toEqual([['jazz'], []])
    expect(matching(compare('<', 'zzz'), lists)).toEqual([])
    expect(matching(compare('like', 'ja'), lists)).toEqual([])
  })
})

describe('A range', () => {
  it('has both of its bounds, and may be open', () => {
    const values = [1, 2, 3, 4, null]
    expect(matching(range(2, 3), values)).toEqual([2, 3])
    expect(matching(range(null, 2), values)).toEqual([1, 2])
    expect(matching(range(3, null), values)).toEqual([3, 4])
    expect(matching(range(null, null), values)).toEqual([1, 2, 3, 4])
    expect(matching(range('x', null), values)).toEqual([])
  })

  it('of moments holds for instants, however they are held', () => {
    const condition: RowCondition = {
      kind: 'range',
      column: column('value', dateTimeKind),
      min: new Date('2026-01-01T00:00:00Z'),
      max: new Date('2026-01-31T00:00:00Z'),
    }
    const values = [new Date('2026-01-31'), '2026-01-01 00:00:00', '2026-01-01T00:30:00+01:00', 'soon', null]
    expect(matching(condition, values)).toEqual([new Date('2026-01-31'), '2026-01-01 00:00:00'])
  })
})

describe('A set', () => {
  it('holds what is in it, and negated what is not; null is in neither', () => {
    const values = [1, '2', 3n, true, ['3', 'x'], null]
    expect(matching(within(['1', 2, '3']), values)).toEqual([1, '2', 3n, true, ['3', 'x']])
    expect(matching(within(['1', 2, '3'], true), values)).toEqual([])
    expect(matching(within([9, null], true), values)).toEqual([1, '2', 3n, true, ['3', 'x']])
    expect(matching(within([null]), values)).toEqual([])
  })

  it('that is empty holds nothing', () => {
    expect(matching(within([]), [1, null])).toEqual([])
    expect(matching(within([], true), [1, null])).toEqual([1])
  })

  it('of many values is compared with as many rows in linear time', async () => {
    await expectLinear(manyRows, { small: 1500 })
  })
})

describe('Conditions', () => {
  it('match null, or anything else', () => {
    const values = [0, '', false, [], null, undefined]
    expect(matching(isNull(false), values)).toEqual([null, undefined])
    expect(matching(isNull(true), values)).toEqual([0, '', false, []])
  })

  it('are grouped: all of none holds, any of none does not', () => {
    const [two, three] = [compare('>=', 2), compare('<=', 3)]
    expect(matching({ kind: 'all', conditions: [two, three] }, [1, 2, 3, 4])).toEqual([2, 3])
    expect(matching({ kind: 'any', conditions: [compare('<', 2), compare('>', 3)] }, [1, 2, 3, 4])).toEqual([1, 4])
    expect(matching({ kind: 'all', conditions: [] }, [1])).toEqual([1])
    expect(matching({ kind: 'any', conditions: [] }, [1])).toEqual([])
  })

  it('may look at the join row', () => {
    const matches = rowMatcher(
      [{ kind: 'compare', column: column('position', integerKind, 'pivot'), operator: '>', value: 1 }],
      lonelyWorld,
    )
    expect(matches({ row: { position: 0 }, pivot: { position: 2 }, type: 0 })).toBe(true)
    expect(matches({ row: { position: 2 }, pivot: null, type: 0 })).toBe(false)
  })

  it('of one type apply only to the rows of that type', () => {
    const matches = typedRowMatcher(
      { types: [albums, artists], conditions: [], conditionsOf: new Map([['artists', [whereEqual('name', 'Björk')]]]) },
      lonelyWorld,
    )
    expect(matches({ row: { title: 'Kid A' }, pivot: null, type: 0 })).toBe(true)
    expect(matches({ row: { name: 'Radiohead' }, pivot: null, type: 1 })).toBe(false)
    expect(matches({ row: { name: 'Björk' }, pivot: null, type: 1 })).toBe(true)
  })

  it('that are user-defined get the row, the value and the context', () => {
    const seen: unknown[] = []
    const custom = {
      matches: (...given: readonly unknown[]) => {
        seen.push(given)
        return true
      },
    }
    expect(matching({ kind: 'custom', custom, value: 'x' }, [1])).toEqual([1])
    expect(seen).toEqual([[{ value: 1 }, 'x', context]])
  })

  it('that are user-defined but cannot be applied to rows are refused with a sentence', () => {
    expect(() => rowMatcher([{ kind: 'custom', custom: { apply: 'sql' }, value: 1 }], lonelyWorld)).toThrow(
      'A custom filter has no matches(): rows in memory cannot be filtered by it.',
    )
  })
})

describe('A condition on related rows', () => {
  it('tests whether there is one', () => {
    expect(titles(hasArtist(false))).toEqual(['OK Computer', 'Homogenic', 'Kid A'])
    expect(titles(hasArtist(true))).toEqual(['Untitled', 'Lost'])
  })

  it('tests whether one meets another condition, over several hops too', () => {
    const named: RowCondition = {
      kind: 'related',
      relation: links.artist,
      conditionsOf: new Map(),
      condition: whereEqual('name', 'Radiohead'),
      negated: false,
    }
    expect(titles(named)).toEqual(['OK Computer', 'Kid A'])
    expect(titles({ ...named, negated: true })).toEqual(['Homogenic', 'Untitled', 'Lost'])
    const siblings: RowCondition = {
      kind: 'related',
      relation: links.artist,
      conditionsOf: new Map(),
      condition: {
        kind: 'related',
        relation: links.albums,
        conditionsOf: new Map(),
        condition: whereEqual('title', 'Kid A'),
        negated: false,
      },
      negated: false,
    }
    expect(titles(siblings)).toEqual(['OK Computer', 'Kid A'])
  })

  it('may test the join rows to the related rows', () => {
    const second: RowCondition = {
      kind: 'related',
      relation: links.albumLists,
      conditionsOf: new Map(),
      condition: { kind: 'compare', column: column('position', integerKind, 'pivot'), operator: '=', value: 2 },
      negated: false,
    }
    expect(titles(second)).toEqual(['OK Computer'])
  })

  it('resolves the path to the related rows once, not for every row', () => {
    let calls = 0
    const counting: QueryContext = {
      context,
      related() {
        calls += 1
        return () => []
      },
    }
    const matches = rowMatcher(
      [{ kind: 'related', relation: links.artist, conditionsOf: new Map(), condition: null, negated: false }],
      counting,
    )
    candidates([{ id: 1 }, { id: 2 }, { id: 3 }]).forEach(matches)
    expect(calls).toBe(1)
  })
})

/** Compares each value with a list. */
const manyRows: Sized = (size) => {
  const many = Array.from({ length: size }, (_, index) => `key-${index}`)
  return () => expect(matching(within(many), many)).toHaveLength(size)
}
