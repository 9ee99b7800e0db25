import { answeredAtOnce } from '../errors/ignore-rejection.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { ValueKind } from '../resource/fields/value-kind.js'
import type { CustomFilter } from '../resource/filters/filter-spec.js'
import type { ComparisonOperator, QueryColumn, RowCondition } from '../resource/querying/row-condition.js'
import type { Candidate, QueryWorld } from './query-world.js'
import { columnValue } from './query-world.js'
import { relatedOne } from './related-one.js'
import { comparableOf, comparisonWith, equalsOneOf, isNull, isOneOfKeys } from './stored-value.js'

export type RowMatcher = (candidate: Candidate) => boolean

/** Whether rows meet all conditions. Conditions are read once, here; a matcher is then asked row by row. */
export function rowMatcher(conditions: readonly RowCondition[], world: QueryWorld): RowMatcher {
  const matchers = conditions.map((condition) => matcherOf(condition, world))
  return (candidate) => matchers.every((matches) => matches(candidate))
}

/** Whether rows meet the conditions of their type, by its position, besides those of all. */
export function typedRowMatcher({ types, conditions, conditionsOf }: TypedConditions, world: QueryWorld): RowMatcher {
  const matches = rowMatcher(conditions, world)
  const matchesOf = types.map(({ type }) => rowMatcher(conditionsOf?.get(type) ?? [], world))
  return (candidate) => matches(candidate) && (matchesOf[candidate.type]?.(candidate) ?? true)
}

/** Conditions of rows that may be of several types. */
export interface TypedConditions {
  /** What the rows may be of; candidates name theirs by its position. */
  readonly types: readonly CompiledType[]
  readonly conditions: readonly RowCondition[]
  /** What must hold besides for rows of one type, by its name. Default: nothing. */
  readonly conditionsOf?: ReadonlyMap<string, readonly RowCondition[]>
}

function matcherOf(condition: RowCondition, world: QueryWorld): RowMatcher {
  switch (condition.kind) {
    case 'compare': {
      const { column, operator, value } = condition
      return isNull(value) ? never : whereValue(column, valueTest(operator, value, column))
    }
    case 'range':
      return whereValue(condition.column, rangeTest(condition))
    case 'in': {
      const { column, values, negated } = condition
      const isAmong = equalityTest(values, column)
      return whereValue(column, (stored) => isAmong(stored) !== negated)
    }
    case 'null': {
      const { column, negated } = condition
      return (candidate) => isNull(columnValue(candidate, column)) !== negated
    }
    case 'related':
      return relatedMatcher(condition, world)
    case 'all':
      return rowMatcher(condition.conditions, world)
    case 'any': {
      const matchers = condition.conditions.map((member) => matcherOf(member, world))
      return (candidate) => matchers.some((matches) => matches(candidate))
    }
    case 'custom':
      return customMatcher(condition.custom, condition.value, world)
  }
}

/** Of a to-one only the one row is asked, although others may claim to be it. */
function relatedMatcher(
  { relation, conditionsOf, condition, negated }: Extract<RowCondition, { kind: 'related' }>,
  world: QueryWorld,
): RowMatcher {
  const relatedRows = world.related(relation)
  const isThere = typedRowMatcher({ types: relation.targets, conditions: [], conditionsOf }, world)
  const matches = condition === null ? always : matcherOf(condition, world)
  if (relation.spec.traits.toMany) {
    return ({ row }) => relatedRows(row).some((candidate) => isThere(candidate) && matches(candidate)) !== negated
  }
  const one = relatedOne(relation)
  return ({ row }) => {
    const related = one(relatedRows(row).filter(isThere))
    return (related !== undefined && matches(related)) !== negated
  }
}

const always: RowMatcher = () => true
const never: RowMatcher = () => false

/** What is known of a value that is there. */
type ValueTest = (stored: unknown) => boolean

/** No test holds for null, not even one that asks for difference. */
function whereValue(column: QueryColumn, test: ValueTest): RowMatcher {
  return (candidate) => {
    const stored = columnValue(candidate, column)
    return !isNull(stored) && test(stored)
  }
}

function valueTest(operator: ComparisonOperator, asked: unknown, column: QueryColumn): ValueTest {
  const { kind } = column
  switch (operator) {
    case '=':
      return equalityTest([asked], column)
    case '!=': {
      const equals = equalityTest([asked], column)
      return (stored) => !equals(stored)
    }
    case '>':
      return orderTest(asked, kind, (order) => order > 0)
    case '>=':
      return orderTest(asked, kind, (order) => order >= 0)
    case '<':
      return orderTest(asked, kind, (order) => order < 0)
    case '<=':
      return orderTest(asked, kind, (order) => order <= 0)
    case 'like':
      return textTest(asked, kind, (stored, wanted) => stored.includes(wanted))
    case 'starts':
      return textTest(asked, kind, (stored, wanted) => stored.startsWith(wanted))
    case 'ends':
      return textTest(asked, kind, (stored, wanted) => stored.endsWith(wanted))
  }
}

function equalityTest(asked: readonly unknown[], { isKey, kind }: QueryColumn): ValueTest {
  return isKey ? isOneOfKeys(asked) : equalsOneOf(asked, kind)
}

function orderTest(asked: unknown, kind: ValueKind | null, fits: (order: number) => boolean): ValueTest {
  const compare = comparisonWith(asked, kind)
  return (stored) => {
    const order = compare(stored)
    return order !== null && fits(order)
  }
}

function rangeTest({ column, min, max }: Extract<RowCondition, { kind: 'range' }>): ValueTest {
  const fromMin: ValueTest = isOpen(min) ? () => true : valueTest('>=', min, column)
  const toMax: ValueTest = isOpen(max) ? () => true : valueTest('<=', max, column)
  return (stored) => fromMin(stored) && toMax(stored)
}

function isOpen(bound: unknown): boolean {
  return bound === null || bound === undefined
}

/** Looks at what `=` looks at, where that is text; without a kind, at what is text in the column. */
function textTest(
  asked: unknown,
  kind: ValueKind | null,
  fits: (stored: string, wanted: string) => boolean,
): ValueTest {
  if (typeof asked !== 'string' || (kind !== null && kind.comparedAs !== 'text')) return () => false
  const wanted = withoutCase(asked)
  const read = comparableOf(kind)
  return (stored) => {
    const text = kind === null && typeof stored !== 'string' ? null : read(stored)
    return typeof text === 'string' && fits(withoutCase(text), wanted)
  }
}

/** ASCII letters only: what other alphabets do, stores do not agree about. */
function withoutCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function customMatcher({ matches }: CustomFilter, value: unknown, { context }: QueryWorld): RowMatcher {
  if (matches === undefined) {
    throw new Error('A custom filter has no matches(): rows in memory cannot be filtered by it.')
  }
  return ({ row }) => answeredAtOnce('matches() of a custom filter', matches(row, value, context))
}
