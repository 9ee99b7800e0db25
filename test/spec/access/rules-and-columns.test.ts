import * as fc from 'fast-check'
import { createServer, defineResource, id, model, type RowRule, type RuleKit } from 'ashlar'
import { expect, test } from 'vitest'
import { runs } from '../../support/runs.js'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idsIn, sender } from './access-client.js'

/** Rules over columns of each type, below attributes of any kind, find the rows that plain JavaScript finds, on all stores. */

type ColumnClass = 'number' | 'boolean' | 'moment' | 'text'

const noon = Date.UTC(2026, 0, 31, 12)
const [HOUR, DAY] = [3_600_000, 86_400_000]

const instants = [noon - DAY, noon - HOUR, noon, noon + 1, noon + HOUR, Date.UTC(2026, 0, 31)].map((at) => new Date(at))
const counts = [-1, 0, 1, 9, 10, 100]
const amounts = [-0.5, 0, 0.5, 1, 9.25, 10.5]
const bigs = [0n, 9_007_199_254_740_991n, 9_007_199_254_740_992n, 9_007_199_254_740_993n, 9_007_199_254_740_995n, -5n]
const texts = ['', '1', '10', '9', 'a', 'B']
const flags = [true, false, true, false, true, false]

/** The values of each column, of which the attributes show something else. */
const values: Readonly<Record<string, readonly [ColumnClass, readonly unknown[]]>> = {
  countAsText: ['number', counts],
  countAsInteger: ['number', counts],
  countAsDecimal: ['number', counts],
  count: ['number', counts],
  amountAsText: ['number', amounts],
  amountAsDecimal: ['number', amounts],
  bigAsDecimal: ['number', bigs],
  bigAsText: ['number', bigs],
  big: ['number', bigs],
  atAsDate: ['moment', instants],
  atAsText: ['moment', instants],
  atAsInstant: ['moment', instants],
  at: ['moment', instants],
  twice: ['moment', instants],
  flag: ['boolean', flags],
  flagAsBoolean: ['boolean', flags],
  text: ['text', texts],
  textAsText: ['text', texts],
}

const names = Object.keys(values)

type Row = Readonly<Record<string, unknown>> & { readonly id: number }

/** Each column has each of its values, in another order, and null. */
const rows: readonly Row[] = Array.from({ length: 7 }, (_, index) => ({
  id: index + 1,
  ...Object.fromEntries(
    names.map((name, position) => [name, values[name]?.[1][(index + position) % 7] ?? null] as const),
  ),
}))

/** Values as rules get them from claims and headers, of which many do not fit. */
const operands: readonly unknown[] = [
  counts,
  amounts,
  bigs,
  instants,
  texts,
  [true, false, 2, 3n],
  ['0', '9007199254740993', '-0.5', 'many', 'true', '2026-01-31T12:00:00.000Z', '2026-01-31'],
].flat()

type Rule =
  | { readonly kind: 'eq'; readonly column: string; readonly value: unknown }
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly unknown[] }
  | { readonly kind: 'range'; readonly column: string; readonly min?: unknown; readonly max?: unknown }
  | { readonly kind: 'not'; readonly rule: Rule }
  | { readonly kind: 'any' | 'all'; readonly rules: readonly Rule[] }

const column = fc.constantFrom(...names)

/** A column of doubles is compared with numbers that a double represents: only the databases have such columns. */
const isDouble = (value: unknown): boolean =>
  !/^\d+$/.test(String(value)) || BigInt(Number(String(value))) === BigInt(String(value))

/** Mostly values of the column, because others match nothing. */
const operandOf = (name: string): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...(values[name]?.[1] ?? [])) },
    fc.constantFrom(...operands.filter((value) => !name.startsWith('amount') || isDouble(value))),
  )

const leaf: fc.Arbitrary<Rule> = column.chain((name) => {
  const value = operandOf(name)
  return fc.oneof<fc.Arbitrary<Rule>[]>(
    value.map((one) => ({ kind: 'eq', column: name, value: one })),
    fc.array(value, { minLength: 1, maxLength: 3 }).map((list) => ({ kind: 'in', column: name, values: list })),
    value.map((min) => ({ kind: 'range', column: name, min })),
    value.map((max) => ({ kind: 'range', column: name, max })),
    fc.tuple(value, value).map(([min, max]) => ({ kind: 'range', column: name, min, max })),
  )
})

const { rule: anyRule } = fc.letrec<{ rule: Rule }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 4, arbitrary: leaf },
    tie('rule').map((rule): Rule => ({ kind: 'not', rule })),
    fc
      .tuple(fc.constantFrom('any' as const, 'all' as const), fc.array(tie('rule'), { maxLength: 3 }))
      .map(([kind, rules]): Rule => ({ kind, rules })),
  ),
}))

function ruleOf(rule: Rule, p: RuleKit<Record<string, unknown>>): RowRule {
  switch (rule.kind) {
    case 'eq':
      return p.eq(rule.column, rule.value as NonNullable<unknown>)
    case 'in':
      return p.in(rule.column, rule.values as readonly NonNullable<unknown>[])
    case 'range': {
      const { column: name, kind: _kind, ...bounds } = rule
      return p.range(name, bounds as { readonly min?: NonNullable<unknown> })
    }
    case 'not':
      return p.not(ruleOf(rule.rule, p))
    default:
      return p[rule.kind](...rule.rules.map((each) => ruleOf(each, p)))
  }
}

/** What the stores have to find: null has no value, and a value that cannot be compared meets neither a rule nor its negation. */
function isMet(rule: Rule, row: Row, negated = false): boolean {
  if (rule.kind === 'not') return isMet(rule.rule, row, !negated)
  if ('rules' in rule) {
    const results = rule.rules.map((each) => isMet(each, row, negated))
    return (rule.kind === 'any') === negated ? results.every(Boolean) : results.some(Boolean)
  }
  const stored = row[rule.column]
  if (stored === null) return negated
  const compare = (value: unknown, forOrder = false): number | null =>
    compared(stored, value, values[rule.column]?.[0] ?? 'text', forOrder)
  if (rule.kind === 'range') {
    const [fromMin, toMax] = [rule.min, rule.max].map((bound) =>
      bound === undefined ? undefined : compare(bound, true),
    )
    if (negated) return (fromMin ?? 0) < 0 || (toMax ?? 0) > 0
    return fromMin !== null && toMax !== null && (fromMin ?? 0) >= 0 && (toMax ?? 0) <= 0
  }
  const orders = (rule.kind === 'eq' ? [rule.value] : rule.values).map((value) => compare(value))
  return negated ? orders.every((order) => order !== null && order !== 0) : orders.includes(0)
}

function compared(stored: unknown, value: unknown, as: ColumnClass, forOrder: boolean): number | null {
  switch (as) {
    case 'number': {
      const isNumber = typeof value === 'number' || typeof value === 'bigint'
      if (!isNumber && !(typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value))) return null
      return exactly(stored) - exactly(value) < 0n ? -1 : exactly(stored) === exactly(value) ? 0 : 1
    }
    case 'boolean':
      return value === true || value === false || value === 0 || value === 1 || value === 0n
        ? Number(stored) - Number(value)
        : null
    case 'moment': {
      const isMoment = value instanceof Date || (typeof value === 'string' && value.startsWith('2026-'))
      return isMoment ? Number(stored) - Number(new Date(value)) : null
    }
    case 'text': {
      const isText =
        typeof value === 'string' || (!forOrder && (typeof value === 'number' || typeof value === 'bigint'))
      const [one, other] = [String(stored), String(value)]
      return isText ? (one < other ? -1 : one === other ? 0 : 1) : null
    }
  }
}

/** All values have at most four decimals. */
function exactly(value: unknown): bigint {
  const [whole = '0', fraction = ''] = String(value).split('.')
  const digits = BigInt(whole.replace('-', '') + fraction.padEnd(4, '0'))
  return String(value).startsWith('-') ? -digits : digits
}

let current: Rule = { kind: 'all', rules: [] }

const things = defineResource('things', {
  model: model<Row>('things'),
  id: id(),
  // Hidden: not all of them can show the values.
  attributes: (a) => ({
    countAsText: a.string().nullable().hidden(),
    countAsInteger: a.integer().nullable().hidden(),
    countAsDecimal: a.decimal().nullable().hidden(),
    amountAsText: a.string().nullable().hidden(),
    amountAsDecimal: a.decimal().nullable().hidden(),
    bigAsDecimal: a.decimal().nullable().hidden(),
    bigAsText: a.string().nullable().hidden(),
    atAsDate: a.date().nullable().hidden(),
    atAsText: a.string().nullable().hidden(),
    atAsInstant: a.dateTime().nullable().hidden(),
    twice: a.string().nullable().hidden(),
    day: a.date().nullable().hidden().readOnly().storedAs('twice'),
    flagAsBoolean: a.boolean().nullable().hidden(),
    textAsText: a.string().nullable().hidden(),
  }),
  policy: (p) => ({ viewAny: true, view: () => ruleOf(current, p) }),
})

const data = storedData(
  { things: rows },
  { things: { atAsDate: 'instant', countAsDecimal: 'integer', bigAsDecimal: 'integer' } },
)
const send = sender(createServer({ resources: [things], data, middleware: [byNumber] }))

test('rules find the same rows as plain JavaScript', async () => {
  await fc.assert(
    fc.asyncProperty(anyRule, async (rule) => {
      current = rule
      const expected = rows.filter((row) => isMet(rule, row)).map((row) => String(row.id))
      expect(idsIn(await send('GET', '/things?sort=id', { as: 1 }))).toEqual(expected)
    }),
    { numRuns: runs(6000) },
  )
})
