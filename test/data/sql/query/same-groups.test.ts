import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { bigintKind } from '../../../../src/declare/resource/fields/bigint-kind.js'
import { dateKind, dateTimeKind, timeKind } from '../../../../src/declare/resource/fields/moment-kind.js'
import type { ValueKind } from '../../../../src/declare/resource/fields/value-kind.js'
import {
  booleanKind,
  decimalKind,
  integerKind,
  stringKind,
} from '../../../../src/declare/resource/fields/value-kind.js'
import type { GroupOrder, RowGroup, RowMeasure } from '../../../../src/declare/resource/querying/row-aggregation.js'
import type { QueryColumn } from '../../../../src/declare/resource/querying/row-condition.js'
import { rounds } from '../../../support/runs.js'
import { context } from '../../music-rows.js'
import { anyThing, anyThingCondition } from './any-question.js'
import type { Twin } from './things.js'
import { things, twinEngines, twins } from './things.js'

/** For all stored rows, the SQL stores have the same groups as the memory store, with the same measures, in the same order. */

const column = (name: string, kind: ValueKind | null, isKey = false): QueryColumn => ({ of: 'row', name, kind, isKey })
const [label, size, loud] = [column('label', stringKind), column('size', integerKind), column('loud', booleanKind)]
const [at, day, weight] = [column('at', dateTimeKind), column('day', dateKind), column('weight', decimalKind)]
const hour = column('hour', timeKind)

const anyPart = fc.constantFrom('year', 'quarter', 'month', 'week', 'day')

const anyGroup: fc.Arbitrary<RowGroup> = fc.oneof(
  fc.record({
    column: fc.constantFrom(label, size, loud, column('ownerId', null, true)),
    condition: fc.option(anyThingCondition, { freq: 3 }),
    part: fc.constant(null),
  }),
  fc.record({
    column: fc.constantFrom(at, day),
    condition: fc.option(anyThingCondition, { freq: 3 }),
    part: anyPart,
  }),
)

const anyMeasure: fc.Arbitrary<RowMeasure> = fc.oneof(
  fc.constant<RowMeasure>({ function: 'count', column: null }),
  fc.record({ function: fc.constant('count'), column: fc.constantFrom(label, size, weight, loud, at, day) }),
  fc.record({
    function: fc.constantFrom('sum', 'avg'),
    column: fc.constantFrom(size, weight, column('size', bigintKind)),
  }),
  fc.record({ function: fc.constantFrom('min', 'max'), column: fc.constantFrom(label, size, weight, at, day, hour) }),
)

interface Question {
  readonly groups: readonly RowGroup[]
  readonly measures: readonly RowMeasure[]
  readonly orders: readonly GroupOrder[]
}

function directed<Order extends object>(orders: readonly Order[]) {
  return fc.tuple(...orders.map((order) => fc.boolean().map((descending) => ({ ...order, descending }))))
}

/** All groups decide about the order of those that are equal otherwise. */
const anyQuestion: fc.Arbitrary<Question> = fc
  .tuple(fc.array(anyGroup, { maxLength: 3 }), fc.array(anyMeasure, { maxLength: 4 }))
  .chain(([groups, measures]) => {
    const measure = measures.map((_, index) => ({ of: 'measure' as const, index }))
    const group = groups.map((_, index) => ({ of: 'group' as const, index }))
    return fc
      .tuple(
        fc.subarray(measure),
        directed(measure),
        fc.shuffledSubarray(group, { minLength: group.length }),
        directed(group),
      )
      .map(([used, measureOrders, ordered, groupOrders]) => ({
        groups,
        measures,
        orders: [
          ...used.flatMap(({ index }) => measureOrders[index] ?? []),
          ...ordered.flatMap(({ index }) => groupOrders[index] ?? []),
        ],
      }))
  })

describe.each(twinEngines)('on %s', (engine) => {
  let worlds: readonly Twin[] = []

  beforeAll(async () => {
    const rows = fc.sample(fc.array(anyThing, { minLength: 3, maxLength: 14 }), { numRuns: 6, seed: 21 })
    worlds = await twins(engine, rows)
  })

  test('rows are filtered, grouped, computed, sorted, cut and counted alike', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 5 }),
        anyQuestion,
        fc.array(anyThingCondition, { maxLength: 1 }),
        fc.record({ offset: fc.nat({ max: 3 }), limit: fc.integer({ min: 1, max: 6 }) }),
        fc.integer({ min: 1, max: 3 }),
        async (index, question, conditions, window, minGroupSize) => {
          const { memory, sql } = worlds[index] ?? (() => expect.fail('there is no such world'))()
          const request = { conditions, window, minGroupSize, wantsCount: true, transaction: null, context }
          const criteria = { ...question, ...request }
          const kinds = question.groups.map(({ part, column: { kind } }) => (part === null ? kind : null))
          const results = await Promise.all([sql, memory].map(async (store) => store.fetchGroups(things, criteria)))
          const [ours, theirs] = results.map(({ groups, ...facts }) => ({
            ...facts,
            groups: groups.map((group) =>
              group.map((value, position) =>
                shown(value, kinds[position] ?? question.measures[position - kinds.length]?.column?.kind),
              ),
            ),
          }))
          expect(ours).toEqual(theirs)
        },
      ),
      { numRuns: rounds(200, 4000) },
    )
  })
})

/** A value as attributes show it: stores may return other forms of it. */
function shown(value: unknown, kind: ValueKind | null | undefined): unknown {
  if (value === null) return null
  if (typeof value === 'bigint') return String(value)
  if (kind === null || kind === undefined) return typeof value === 'string' ? value : JSON.stringify(value)
  return String(kind.read(value))
}
