import { requireSynchronous } from '../../core/errors/ignore-rejection.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { CustomFilter } from '../../declare/resource/filters/filter-spec.js'
import type { ComparisonOperator, QueryColumn, RowCondition } from '../../declare/resource/querying/row-condition.js'
import type { Candidate, QueryContext } from './query-context.js'
import { columnReader } from './query-context.js'
import { searchedTexts, searchMatcher, weightsOf } from './search-match.js'
import { toOneSelector } from './to-one-selector.js'
import { storedComparison, storedEquality } from './stored-comparison.js'
import { comparableOf, comparisonWith, equalsOneOf, isNull, isOneOfKeys } from './stored-value.js'

export type RowMatcher = (candidate: Candidate) => boolean

/** Compiles conditions, once, into a function that returns whether a row meets all of them. */
export function rowMatcher(conditions: readonly RowCondition[], queryContext: QueryContext): RowMatcher {
  const matchers = conditions.map((condition) => matcherOf(condition, queryContext))
  return (candidate) => matchers.every((matches) => matches(candidate))
}

/** Like `rowMatcher()`, but a row must also meet the conditions of its type. A candidate has the index of its type. */
export function typedRowMatcher(
  { types, conditions, conditionsOf }: TypedConditions,
  queryContext: QueryContext,
): RowMatcher {
  const matches = rowMatcher(conditions, queryContext)
  const matchesOf = types.map(({ type }) => rowMatcher(conditionsOf?.get(type) ?? [], queryContext))
  return (candidate) => matches(candidate) && (matchesOf[candidate.type]?.(candidate) ?? true)
}

/** Conditions for rows that may be of several types. */
export interface TypedConditions {
  /** The possible types of the rows; a candidate has the index of its type. */
  readonly types: readonly CompiledType[]
  readonly conditions: readonly RowCondition[]
  /** Additional conditions for the rows of one type, by its name. Default: none. */
  readonly conditionsOf?: ReadonlyMap<string, readonly RowCondition[]>
}

function matcherOf(condition: RowCondition, queryContext: QueryContext): RowMatcher {
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
      return whereValue(column, (stored) => isAmong(stored) === !negated)
    }
    case 'null': {
      const { column, negated } = condition
      const read = columnReader(column)
      return (candidate) => isNull(read(candidate)) !== negated
    }
    case 'related':
      return relatedMatcher(condition, queryContext)
    case 'all':
      return rowMatcher(condition.conditions, queryContext)
    case 'any': {
      const matchers = condition.conditions.map((member) => matcherOf(member, queryContext))
      return (candidate) => matchers.some((matches) => matches(candidate))
    }
    case 'search': {
      const { matches } = searchMatcher(condition.query, weightsOf(condition))
      const textsIn = searchedTexts(condition)
      return (candidate) => matches(textsIn(candidate))
    }
    case 'not': {
      const matches = matcherOf(condition.condition, queryContext)
      return (candidate) => !matches(candidate)
    }
    case 'custom':
      return customMatcher(condition.custom, condition.value, queryContext)
    case 'scope': {
      const scope = condition.conditionIn(queryContext.context)
      return scope === null ? always : matcherOf(scope, queryContext)
    }
  }
}

/** A condition on a to-one relation tests only the member, even if other rows hold the key of the owner too. */
function relatedMatcher(
  { relation, conditionsOf, condition, negated }: Extract<RowCondition, { kind: 'related' }>,
  queryContext: QueryContext,
): RowMatcher {
  const relatedRows = queryContext.related(relation)
  const isVisible = typedRowMatcher({ types: relation.targets, conditions: [], conditionsOf }, queryContext)
  const matches = condition === null ? always : matcherOf(condition, queryContext)
  if (relation.spec.traits.toMany) {
    return ({ row }) => relatedRows(row).some((candidate) => isVisible(candidate) && matches(candidate)) !== negated
  }
  const one = toOneSelector(relation)
  return ({ row }) => {
    const related = one(relatedRows(row).filter(isVisible))
    return (related !== undefined && matches(related)) !== negated
  }
}

const always: RowMatcher = () => true
const never: RowMatcher = () => false

/** Tests a stored value that is not null. */
type ValueTest = (stored: unknown) => boolean

/** Applies a test to a column. A null value fails every test, even `!=`. */
function whereValue(column: QueryColumn, test: ValueTest): RowMatcher {
  const read = columnReader(column)
  return (candidate) => {
    const stored = read(candidate)
    return !isNull(stored) && test(stored)
  }
}

function valueTest(operator: ComparisonOperator, expected: unknown, column: QueryColumn): ValueTest {
  switch (operator) {
    case '=':
    case '!=': {
      const equals = equalityTest([expected], column)
      return (stored) => equals(stored) === (operator === '=')
    }
    case '>':
      return orderTest(expected, column, (order) => order > 0)
    case '>=':
      return orderTest(expected, column, (order) => order >= 0)
    case '<':
      return orderTest(expected, column, (order) => order < 0)
    case '<=':
      return orderTest(expected, column, (order) => order <= 0)
    case 'like':
      return textTest(expected, column, (stored, wanted) => stored.includes(wanted))
    case 'starts':
      return textTest(expected, column, (stored, wanted) => stored.startsWith(wanted))
    case 'ends':
      return textTest(expected, column, (stored, wanted) => stored.endsWith(wanted))
  }
}

/** Returns a function that returns whether a stored value equals one of several; `null` if they cannot be compared. */
function equalityTest(
  expected: readonly unknown[],
  { isKey, kind, asStored }: QueryColumn,
): (stored: unknown) => boolean | null {
  if (asStored !== undefined) return storedEquality(expected, asStored)
  return isKey ? isOneOfKeys(expected) : equalsOneOf(expected, kind)
}

function orderTest(expected: unknown, { kind, asStored }: QueryColumn, fits: (order: number) => boolean): ValueTest {
  const compare = asStored === undefined ? comparisonWith(expected, kind) : storedComparison(expected, asStored)
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

/** Tests the text that `=` compares. A column of another kind never matches; without a kind, only strings match. */
function textTest(
  expected: unknown,
  { kind, asStored = 'text' }: QueryColumn,
  fits: (stored: string, wanted: string) => boolean,
): ValueTest {
  if (typeof expected !== 'string' || (kind?.comparedAs ?? asStored) !== 'text') return () => false
  const wanted = withoutCase(expected)
  const read = comparableOf(kind)
  return (stored) => {
    const text = kind === null && typeof stored !== 'string' ? null : read(stored)
    return typeof text === 'string' && fits(withoutCase(text), wanted)
  }
}

/** Lowercases ASCII letters only, because stores fold the case of other letters in different ways. */
function withoutCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function customMatcher({ matches }: CustomFilter, value: unknown, { context }: QueryContext): RowMatcher {
  if (matches === undefined) {
    throw new Error('A custom filter has no matches(): rows in memory cannot be filtered by it.')
  }
  return ({ row }) => requireSynchronous('matches() of a custom filter', matches(row, value, context))
}
