import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type {
  ComposeFilter,
  FilterOperator,
  FilterSpec,
  SearchedField,
} from '../../../declare/resource/filters/filter-spec.js'
import type { QueryColumn, RowCondition, SearchedColumn } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { composedFilter } from './composed-filter.js'
import { missingValue, negatedCondition } from './negated-condition.js'
import { momentAttribute } from './filter-bound.js'
import { valueOfNoRow } from './filter-text.js'
import type { FilterBounds, FilterInput } from './filter-value.js'
import { comparedBounds, plainFilterValue, comparedValue, comparedValues } from './filter-value.js'
import { searchOf } from './search-of-filter.js'
import type { ColumnTarget } from './column-target.js'
import { columnAsStored, isQueryable, ruleTarget, targetByName, targetByPath } from './column-target.js'
import type { QueriedRows } from './query-vocabulary.js'

/** A filter and its key. The key names the target if the filter does not declare one. */
export interface KeyedFilter {
  readonly key: string
  readonly spec: FilterSpec
}

/** The rows that a filter applies to, and the scopes of related types. */
export interface ConditionContext {
  readonly rows: QueriedRows
  /** Returns the conditions that rows of a type must meet to be visible. Paths lead only to visible rows. */
  readonly scopeConditionsOf: (served: ServedType) => readonly RowCondition[]
  /** The request, for filters that are composed for each request. */
  readonly context: RequestContext
  /** Returns the conditions under which a row shows a relation to the client; `null` for filters of the application. */
  readonly guardsOf: ((owner: ServedType, relation: ServedRelation) => GuardConditions | null) | null
  /** Returns the conditions that rows of a type must meet for an ability of the caller; `null` for filters of clients. */
  readonly rulesOf: ((served: ServedType, ability: string) => readonly RowCondition[]) | null
  /**
   * Whether the conditions are those of a client: values are compared as attributes show them, and the key of a hidden row
   * is null. Rules and scopes compare columns as they are stored.
   */
  readonly isOfClient: boolean
  /** Refuses a composed filter if the client may not see its targets; `null` for filters of the application. */
  readonly checkComposed: ((filter: KeyedFilter, rows: QueriedRows) => void) | null
}

/** The conditions under which the owner of a relation shows it to the client, and under which it does not. */
export interface GuardConditions {
  readonly shows: RowCondition
  readonly hides: RowCondition
}

/** A condition that no row meets. */
const nothing: RowCondition = Object.freeze({ kind: 'any', conditions: Object.freeze([]) })

/**
 * Converts a filter to a condition on rows; `null` if it sets no condition. Without an input, the filter uses its
 * declared value. A value that does not fit the target matches no row: in a group, the other members may still match.
 */
export function conditionOfFilter(
  filter: KeyedFilter,
  input: FilterInput | null,
  context: ConditionContext,
): RowCondition | null {
  const { key, spec } = filter
  const { test } = spec
  switch (test.kind) {
    case 'compare':
    case 'through': {
      const target = targetOf(filter, context)
      const value = comparedValue({ spec, target }, inputOf(filter, input))
      return atEndOf(target, comparison(target.column, test.operator, value), context)
    }
    case 'in':
    case 'idIn': {
      const target = targetOf(filter, context)
      const values = comparedValues({ spec, target }, inputOf(filter, input))
      return atEndOf(target, membership(target.column, values, test.negated), context)
    }
    case 'range': {
      const target = targetOf(filter, context)
      const bounds = comparedBounds({ spec, target }, inputOf(filter, input))
      if (bounds === null) return null
      const { column } = target
      const isShown = test.moments && column.asStored === undefined
      const compared = isShown ? { ...column, kind: momentAttribute({ spec, target }).kind } : column
      return atEndOf(target, between(compared, bounds), context)
    }
    case 'null':
      return nullity(targetOf(filter, context), test.negated, context)
    case 'has': {
      const relation = context.rows.served.relations.get(test.relation ?? key)
      if (relation === undefined || !isQueryable(relation)) return failWithoutTarget(filter, context)
      const condition = matchingCondition(relation, filter, input, context)
      return guarded(context.rows.served, relation, { condition, negated: test.negated }, context)
    }
    case 'all':
    case 'any':
      return group(test, input, context)
    case 'missing':
      return missingValue
    case 'not':
      return negatedCondition(
        conditionOfFilter({ key, spec: test.filter }, input, context) ?? { kind: 'all', conditions: [] },
      )
    case 'granted':
      return grantedCondition(test, filter, context)
    case 'trashed':
      // Lists apply this filter themselves (`readSoftDeleted`). A scope of it would have no condition, so it is an
      // error.
      return input === null ? failWithoutTarget(filter, context) : null
    case 'search': {
      if (input === null) return failWithoutTarget(filter, context)
      return { kind: 'search', columns: searchedColumns(filter, test.fields, context), query: searchOf(spec, input) }
    }
    case 'custom':
      return { kind: 'custom', custom: test.custom, value: input === null ? null : plainFilterValue(spec, input) }
    case 'composed':
      return composedCondition(test.compose, filter, input, context)
  }
}

/** Returns the columns of a search, which are columns of the row itself. */
function searchedColumns(
  filter: KeyedFilter,
  fields: readonly SearchedField[],
  context: ConditionContext,
): readonly SearchedColumn[] {
  return fields.map(({ name, weight }) => {
    const { column } = targetByName(name, context.rows) ?? failWithoutTarget(filter, context)
    return { column, weight }
  })
}

/** Returns the condition of `granted()`: related rows are visible, and meet the rule of the ability in the policy of their type. */
function grantedCondition(
  { relation: name, ability }: Extract<FilterSpec['test'], { kind: 'granted' }>,
  filter: KeyedFilter,
  context: ConditionContext,
): RowCondition {
  const relation = context.rows.served.relations.get(name)
  const { rulesOf } = context
  if (relation === undefined || !isQueryable(relation) || rulesOf === null) return failWithoutTarget(filter, context)
  const scopeConditionsOf = (served: ServedType): readonly RowCondition[] => [
    ...context.scopeConditionsOf(served),
    ...rulesOf(served, ability),
  ]
  return related(relation, { condition: null, negated: false }, { ...context, scopeConditionsOf })
}

/** Returns the condition of a composed filter. Its members without a declared value get the value of the whole filter. */
function composedCondition(
  compose: ComposeFilter,
  { key, spec }: KeyedFilter,
  input: FilterInput | null,
  context: ConditionContext,
): RowCondition | null {
  const value = input === null ? null : plainFilterValue(spec, input)
  const composed = composedFilter(compose, value, context.context)
  if (composed === null) return null
  context.checkComposed?.({ key, spec: composed }, context.rows)
  const parameter = input?.parameter
  return conditionOfFilter(
    { key, spec: composed },
    input === null ? null : { kind: 'declared', value, parameter },
    context,
  )
}

/** Returns the user-defined condition of related rows; `null` if any row matches. */
function matchingCondition(
  relation: ServedRelation,
  filter: KeyedFilter,
  input: FilterInput | null,
  context: ConditionContext,
): RowCondition | null {
  const { spec } = filter
  const matching = spec.test.kind === 'has' ? spec.test.matching : null
  if (matching === null) return null
  if (typeof matching !== 'function') {
    return { kind: 'custom', custom: matching, value: input === null ? null : plainFilterValue(spec, input) }
  }
  const [served] = relation.related.values()
  if (served === undefined) return failWithoutTarget(filter, context)
  return composedCondition(matching, filter, input, { ...context, rows: { served, relation: null } })
}

/** Combines conditions into one that holds if all of them hold; `null` for an empty list. */
export function allConditions(conditions: readonly RowCondition[]): RowCondition | null {
  const [first, ...others] = conditions
  return others.length === 0 ? (first ?? null) : { kind: 'all', conditions }
}

/** Returns the column that a filter uses; `null` if it does not exist, or if the filter uses none. */
export function filterTarget({ key, spec: { test, byColumn } }: KeyedFilter, rows: QueriedRows): ColumnTarget | null {
  switch (test.kind) {
    case 'compare':
    case 'range':
    case 'in':
    case 'null':
      if (byColumn === true) return ruleTarget(test.column ?? key, rows.served)
      return targetByName(test.column ?? key, rows)
    case 'idIn':
      return targetByName('id', rows)
    case 'through':
      return targetByPath(test.path ?? key, rows.served)
    default:
      return null
  }
}

function targetOf(filter: KeyedFilter, context: ConditionContext): ColumnTarget {
  const target = filterTarget(filter, context.rows) ?? failWithoutTarget(filter, context)
  const { column } = target
  if (context.isOfClient || column.isKey || column.asStored !== undefined) return target
  return { ...target, column: columnAsStored(column, endOf(target, context)) }
}

/** Throws for a filter without a target. Filters of clients were checked before, so only a scope can have none. */
function failWithoutTarget({ key, spec }: KeyedFilter, { rows }: ConditionContext): never {
  const named = key === '' ? '' : ` '${key}'`
  throw new Error(
    `The filter${named} of the kind '${spec.test.kind}' has no target in rows of '${rows.served.type.type}'.`,
  )
}

/** Returns the declared value of a filter if it is fixed, or if nothing was sent; otherwise the sent value. */
function inputOf({ key, spec }: KeyedFilter, input: FilterInput | null): FilterInput {
  const declared = spec.fixed ?? (input === null ? spec.default : null)
  if (declared !== null) return { kind: 'declared', value: declared.value }
  if (input !== null) return input
  const named = key === '' ? '' : ` '${key}'`
  throw new Error(`The filter${named} of the kind '${spec.test.kind}' has no value: declare one with fixed().`)
}

/**
 * Returns a comparison. Null neither equals nor differs from any value. A value that no row has differs from every value
 * that is not null.
 */
function comparison(column: QueryColumn, operator: FilterOperator, value: unknown): RowCondition {
  if (value === valueOfNoRow && operator === '!=') return { kind: 'null', column, negated: true }
  if (value === valueOfNoRow || value === null || value === undefined) return nothing
  return { kind: 'compare', column, operator: operator === '===' ? '=' : operator, value }
}

function membership(column: QueryColumn, values: readonly unknown[], negated: boolean): RowCondition {
  if (values.length > 0) return { kind: 'in', column, values, negated }
  return negated ? { kind: 'null', column, negated: true } : nothing
}

function between(column: QueryColumn, { min, max, maxExcluded }: FilterBounds): RowCondition {
  if (min === valueOfNoRow || max === valueOfNoRow) return nothing
  if (!maxExcluded) return { kind: 'range', column, min, max }
  const below: RowCondition = { kind: 'compare', column, operator: '<', value: max }
  return min === null ? below : { kind: 'all', conditions: [{ kind: 'range', column, min, max: null }, below] }
}

/** Returns the test for null. At the end of a path, a value is also null if there is no row. */
function nullity(target: ColumnTarget, negated: boolean, context: ConditionContext): RowCondition {
  const { column } = target
  const [first, ...others] = hopsOf(target, context)
  const reference = context.isOfClient ? hiddenReference(target) : null
  if (first === undefined) {
    if (reference === null) return { kind: 'null', column, negated }
    return guarded(context.rows.served, reference, { condition: null, negated: !negated }, context)
  }
  const isPresent: RowCondition =
    reference === null
      ? { kind: 'null', column, negated: true }
      : guarded(endOf(target, context), reference, { condition: null, negated: false }, context)
  return overHop(first, { condition: overHops(others, isPresent, context), negated: !negated }, context)
}

/** Returns a condition on the row at the end of a path: each relation must lead to a row that meets the rest. */
function atEndOf(target: ColumnTarget, condition: RowCondition, context: ConditionContext): RowCondition {
  const reference = context.isOfClient ? hiddenReference(target) : null
  if (target.path.length === 0 && reference === null) return condition
  const owner = endOf(target, context)
  const atEnd: RowCondition =
    reference === null
      ? condition
      : {
          kind: 'all',
          conditions: [condition, guarded(owner, reference, { condition: null, negated: false }, context)],
        }
  return overHops(hopsOf(target, context), atEnd, context)
}

/**
 * Returns the relation whose hidden rows hide the key in the column from clients; `null` if there is none. A default of the
 * application, which clients do not name, may use a key whose relation conditions cannot use.
 */
function hiddenReference({ reference }: ColumnTarget): ServedRelation | null {
  return reference !== null && isQueryable(reference) ? reference : null
}

/** Returns the type of the rows at the end of a path. */
function endOf({ path }: ColumnTarget, { rows }: ConditionContext): ServedType {
  const [end] = path.at(-1)?.related.values() ?? []
  return end ?? rows.served
}

function overHops(hops: readonly Hop[], condition: RowCondition, context: ConditionContext): RowCondition {
  return hops.reduceRight((rest, hop) => overHop(hop, { condition: rest, negated: false }, context), condition)
}

/** A relation of a path. */
interface Hop {
  readonly owner: ServedType
  readonly relation: ServedRelation
  /** Whether the client names the relation, and must be able to see it. */
  readonly isFollowed: boolean
}

function hopsOf({ path, followed }: ColumnTarget, { rows }: ConditionContext): readonly Hop[] {
  let owner = rows.served
  return path.map((relation, index) => {
    const hop = { owner, relation, isFollowed: index < followed.length }
    const [next] = relation.related.values()
    owner = next ?? owner
    return hop
  })
}

function overHop({ owner, relation, isFollowed }: Hop, condition: Related, context: ConditionContext): RowCondition {
  return isFollowed ? guarded(owner, relation, condition, context) : related(relation, condition, context)
}

/** Adds the guard of a relation: a row that hides the relation from the client has no related row. */
function guarded(
  owner: ServedType,
  relation: ServedRelation,
  condition: Related,
  context: ConditionContext,
): RowCondition {
  const tested = related(relation, condition, context)
  const guards = context.guardsOf?.(owner, relation) ?? null
  if (guards === null) return tested
  return condition.negated
    ? { kind: 'any', conditions: [guards.hides, tested] }
    : { kind: 'all', conditions: [guards.shows, tested] }
}

type Related = Pick<Extract<RowCondition, { kind: 'related' }>, 'condition' | 'negated'>

function related(relation: ServedRelation, condition: Related, { scopeConditionsOf }: ConditionContext): RowCondition {
  return { ...visibleMember(relation, scopeConditionsOf), ...condition }
}

/** Returns the condition that a relation has a member that is visible to the client. */
export function visibleMember(
  relation: ServedRelation,
  scopeConditionsOf: ConditionContext['scopeConditionsOf'],
): Extract<RowCondition, { kind: 'related' }> {
  const scopes = [...relation.related.values()].map((served) => [served.type.type, scopeConditionsOf(served)] as const)
  const conditionsOf = new Map(scopes.filter(([, scope]) => scope.length > 0))
  return { kind: 'related', relation, conditionsOf, condition: null, negated: false }
}

/** Returns the condition of a group. Members without a condition are left out; `null` if no member has one. */
function group(
  { kind, filters }: Extract<FilterSpec['test'], { kind: 'all' | 'any' }>,
  input: FilterInput | null,
  context: ConditionContext,
): RowCondition | null {
  const members = Object.entries(filters)
  const conditions = members.flatMap(([key, spec]) => conditionOfFilter({ key, spec }, input, context) ?? [])
  return conditions.length === 0 && members.length > 0 ? null : { kind, conditions }
}
