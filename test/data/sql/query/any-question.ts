import * as fc from 'fast-check'
import { dateKind, dateTimeKind, timeKind } from '../../../../src/declare/resource/fields/moment-kind.js'
import type { ValueKind } from '../../../../src/declare/resource/fields/value-kind.js'
import {
  booleanKind,
  decimalKind,
  integerKind,
  listKind,
  stringKind,
} from '../../../../src/declare/resource/fields/value-kind.js'
import type {
  ComparisonOperator,
  QueryColumn,
  RowCondition,
} from '../../../../src/declare/resource/querying/row-condition.js'
import type { RowOrder } from '../../../../src/declare/resource/querying/row-order.js'
import type { RowWindow } from '../../../../src/declare/resource/querying/row-window.js'
import { scalar } from '../../stored-values.js'
import type { ThingRow } from './things.js'
import { links } from './things.js'

/** Few values of each kind, so that many of them are equal, and values that databases order or compare differently. */
const values = {
  label: fc.constantFrom('a', 'A', 'b', 'ab', 'aB', 'Ä', 'ä', 'é', 'Z', '', ' ', '%', '_', 'a%b', 'a_b', '\\', "o'x", '1', '10', '9', '\uE000', '😀'),
  size: fc.constantFrom(-1, 0, 1, 2, 10, 2_147_483_647),
  weight: fc.constantFrom(-0.5, 0, 0.1, 1, 1.5, 1e10, -1e-7),
  loud: fc.boolean(),
  at: fc.constantFrom('1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z').map((text) => new Date(text)),
  day: fc.constantFrom('1969-12-31', '1970-01-01', '2026-01-01', '2026-01-02', '0001-01-01'),
  hour: fc.constantFrom('00:00:00', '09:30:00', '23:59:59', '12:00:00'),
} // biome-ignore format: lists

const nullable = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { freq: 4 })

export const anyThing: fc.Arbitrary<ThingRow> = fc.record({
  id: fc.constant(0),
  label: nullable(values.label),
  size: nullable(values.size),
  weight: nullable(values.weight),
  loud: nullable(values.loud),
  at: nullable(values.at),
  day: nullable(values.day),
  hour: nullable(values.hour),
  tags: nullable(fc.array(fc.constantFrom('a', 'A', 'b', '1', 'true'), { maxLength: 3 })),
  rank: fc.integer({ min: 0, max: 2 }),
  ownerId: nullable(fc.integer({ min: 1, max: 5 })),
})

interface QueriedColumn {
  readonly column: QueryColumn
  readonly value: fc.Arbitrary<unknown>
}

function queriedColumn(name: string, kind: ValueKind | null, value: fc.Arbitrary<unknown>): QueriedColumn {
  return { column: { of: 'row', name, kind, isKey: false }, value }
}

const queriedColumns: readonly QueriedColumn[] = [
  queriedColumn('label', stringKind, values.label),
  queriedColumn('label', null, values.label),
  queriedColumn('size', integerKind, fc.oneof(values.size, fc.constantFrom(0.5, 3e9, 2n ** 62n))),
  queriedColumn('size', null, values.size.map(String)),
  queriedColumn('weight', decimalKind, fc.oneof(values.weight, values.size)),
  queriedColumn('loud', booleanKind, values.loud),
  queriedColumn('at', dateTimeKind, values.at),
  queriedColumn(
    'at',
    null,
    values.at.map((moment) => moment.toISOString()),
  ),
  queriedColumn('day', dateKind, values.day),
  queriedColumn('hour', timeKind, values.hour),
  queriedColumn('rank', integerKind, fc.integer({ min: -1, max: 3 })),
  { column: { of: 'row', name: 'id', kind: null, isKey: true }, value: fc.constantFrom('1', '2', '01', 'x', 3, '') },
]

const ordering: readonly ComparisonOperator[] = ['=', '!=', '>', '>=', '<', '<=']
const textual: readonly ComparisonOperator[] = ['like', 'starts', 'ends']

const anyColumn = fc.constantFrom(...queriedColumns)

const plainCondition: fc.Arbitrary<RowCondition> = anyColumn.chain(({ column, value }) => {
  const operators = column.isKey
    ? (['=', '!='] as const)
    : column.name === 'label'
      ? [...ordering, ...textual]
      : ordering
  return fc.oneof(
    fc.record({
      kind: fc.constant('compare' as const),
      column: fc.constant(column),
      operator: fc.constantFrom(...operators),
      value,
    }),
    fc.record({
      kind: fc.constant('in' as const),
      column: fc.constant(column),
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
      negated: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('null' as const), column: fc.constant(column), negated: fc.boolean() }),
    column.isKey
      ? fc.record({ kind: fc.constant('null' as const), column: fc.constant(column), negated: fc.boolean() })
      : fc.record({
          kind: fc.constant('range' as const),
          column: fc.constant(column),
          min: fc.option(value),
          max: fc.option(value),
        }),
  )
})

const tagged: fc.Arbitrary<RowCondition> = fc.record({
  kind: fc.constant('in' as const),
  column: fc.constant({ of: 'row', name: 'tags', kind: listKind, isKey: false } as const),
  values: fc.array(fc.constantFrom('a', 'A', 'b', '1', 'c'), { minLength: 1, maxLength: 2 }),
  negated: fc.boolean(),
})

const ownerName = (value: string): RowCondition => ({
  kind: 'compare',
  column: { of: 'row', name: 'name', kind: stringKind, isKey: false },
  operator: 'like',
  value,
})

/** Conditions on things, and on the things of their owners and friends. */
export const anyThingCondition: fc.Arbitrary<RowCondition> = fc.letrec<{ condition: RowCondition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    plainCondition,
    tagged,
    fc.record({
      kind: fc.constantFrom('all' as const, 'any' as const),
      conditions: fc.array(tie('condition'), { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('related' as const),
      relation: fc.constant(relationNamed('owner')),
      conditionsOf: fc.constantFrom(new Map(), new Map([['owners', [ownerName('a')]]])),
      condition: fc.option(fc.constantFrom('a', 'É', 'x').map(ownerName)),
      negated: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('related' as const),
      relation: fc.constant(relationNamed('friends')),
      conditionsOf: fc.constant(new Map()),
      condition: fc.option(tie('condition')),
      negated: fc.boolean(),
    }),
    tie('condition').chain((condition) =>
      fc.record({
        kind: fc.constant('related' as const),
        relation: fc.constant(relationNamed('owner')),
        conditionsOf: fc.constant(new Map()),
        condition: fc.record({
          kind: fc.constant('related' as const),
          relation: fc.constantFrom(relationNamed('favourite'), relationNamed('things')),
          conditionsOf: fc.constantFrom(new Map(), new Map([['things', [condition]]])),
          condition: fc.option(fc.constant(condition)),
          negated: fc.boolean(),
        }),
        negated: fc.boolean(),
      }),
    ),
  ),
})).condition

function relationNamed(name: string): (typeof links)[string] {
  const link = links[name]
  if (link === undefined) throw new Error(`There is no relation '${name}'.`)
  return link
}

/** Values of any class, compared with any column by any operator. */
export const anyScalarCondition: fc.Arbitrary<RowCondition> = anyColumn.chain(({ column }) =>
  fc.oneof(
    fc.record({
      kind: fc.constant('compare' as const),
      column: fc.constant(column),
      operator: fc.constantFrom(...ordering, ...textual),
      value: storable,
    }),
    fc.record({
      kind: fc.constant('in' as const),
      column: fc.constant(column),
      values: fc.array(storable, { maxLength: 3 }),
      negated: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('range' as const), column: fc.constant(column), min: storable, max: storable }),
  ),
)

/** Filters refuse values that no database accepts before stores are called. */
const storable = scalar.filter(
  (value) => typeof value !== 'string' || (value.isWellFormed() && !value.includes('\u0000')),
)

const byKey: RowOrder = {
  kind: 'column',
  path: [],
  column: { of: 'row', name: 'id', kind: null, isKey: true },
  descending: false,
}

const anyLevel: fc.Arbitrary<RowOrder> = fc.oneof(
  fc.record({
    kind: fc.constant('column' as const),
    path: fc.constant([]),
    column: anyColumn.map(({ column }) => column).filter(({ isKey }) => !isKey),
    descending: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('column' as const),
    path: fc.constantFrom(
      [{ relation: relationNamed('owner'), condition: null }],
      [{ relation: relationNamed('owner'), condition: ownerName('a') }],
    ),
    column: fc.constant({ of: 'row', name: 'name', kind: stringKind, isKey: false } as const),
    descending: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('column' as const),
    path: fc.constant([
      { relation: relationNamed('owner'), condition: null },
      { relation: relationNamed('favourite'), condition: null },
    ]),
    column: fc.constantFrom(
      queriedColumn('label', stringKind, values.label).column,
      queriedColumn('at', dateTimeKind, values.at).column,
    ),
    descending: fc.boolean(),
  }),
)

/** In the end by the key, so that no two rows are equal. */
export const anyOrders: fc.Arbitrary<readonly RowOrder[]> = fc
  .tuple(fc.array(anyLevel, { maxLength: 3 }), fc.boolean())
  .map(([levels, descending]) => [...levels, { ...byKey, descending }])

export const anyWindow: fc.Arbitrary<RowWindow | null> = fc.oneof(
  fc.constant(null),
  fc.record({ kind: fc.constant('offset' as const), offset: fc.nat({ max: 6 }), limit: fc.nat({ max: 5 }) }),
  fc.record({
    kind: fc.constant('cursor' as const),
    limit: fc.integer({ min: 1, max: 5 }),
    after: fc.constant(null),
    before: fc.constant(null),
  }),
)
