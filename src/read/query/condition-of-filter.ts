import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { FilterOperator, FilterSpec } from '../../resource/filters/filter-spec.js'
import type { QueryColumn, RowCondition } from '../../resource/querying/row-condition.js'
import { momentAttribute } from './filter-bound.js'
import { valueOfNoRow } from './filter-text.js'
import type { FilterBounds, FilterInput } from './filter-value.js'
import { comparedBounds, plainFilterValue, comparedValue, comparedValues } from './filter-value.js'
import type { ColumnTarget } from './column-target.js'
import { isQueryable, targetByPath, targetByName } from './column-target.js'
import type { QueriedRows } from './query-vocabulary.js'

/** A filter under the key that names what it aims at, where it does not say so itself. */
export interface KeyedFilter {
  readonly key: string
  readonly spec: FilterSpec
}

/** What a filter becomes a condition in. */
export interface ConditionContext {
  readonly rows: QueriedRows
  /** What rows of a type must meet to be there: paths see no others. */
  readonly scopeConditionsOf: (served: ServedType) => readonly RowCondition[]
}

/** Holds for no row. */
const nothing: RowCondition = Object.freeze({ kind: 'any', conditions: Object.freeze([]) })

/**
 * What a filter asks of rows; `null` where it asks nothing. Given nothing, it brings its own value. A value that does
 * not fit what the filter aims at is one that no row holds: in a group, the other members may still find some.
 */
export function conditionOfFilter(
  filter: KeyedFilter,
  given: FilterInput | null,
  asking: ConditionContext,
): RowCondition | null {
  const { key, spec } = filter
  const { test } = spec
  switch (test.kind) {
    case 'compare':
    case 'through': {
      const target = targetOf(filter, asking)
      const value = comparedValue({ spec, target }, effective(filter, given))
      return reached(target, comparison(target.column, test.operator, value), asking)
    }
    case 'in':
    case 'idIn': {
      const target = targetOf(filter, asking)
      const values = comparedValues({ spec, target }, effective(filter, given))
      return reached(target, membership(target.column, values, test.negated), asking)
    }
    case 'range': {
      const target = targetOf(filter, asking)
      const bounds = comparedBounds({ spec, target }, effective(filter, given))
      if (bounds === null) return null
      const kind = test.moments ? momentAttribute({ spec, target }).kind : target.column.kind
      return reached(target, between({ ...target.column, kind }, bounds), asking)
    }
    case 'null':
      return nullity(targetOf(filter, asking), test.negated, asking)
    case 'has': {
      const relation = asking.rows.served.relations.get(test.relation ?? key)
      if (relation === undefined || !isQueryable(relation)) return aimless(filter, asking)
      const value = given === null ? null : plainFilterValue(spec, given)
      const matching: RowCondition | null =
        test.matching === null ? null : { kind: 'custom', custom: test.matching, value }
      return related(relation, { condition: matching, negated: test.negated }, asking)
    }
    case 'all':
    case 'any':
      return group(test, given, asking)
    case 'trashed':
      // Which rows are there is for lists to say; here nothing would be left of a scope.
      return given === null ? aimless(filter, asking) : null
    case 'custom':
      return { kind: 'custom', custom: test.custom, value: given === null ? null : plainFilterValue(spec, given) }
  }
}

/** All of these as one condition; `null` for none. */
export function allConditions(conditions: readonly RowCondition[]): RowCondition | null {
  const [first, ...others] = conditions
  return others.length === 0 ? (first ?? null) : { kind: 'all', conditions }
}

/** What a filter on a column aims at; `null` where that is not there, or the filter is on none. */
export function filterTarget({ key, spec: { test } }: KeyedFilter, rows: QueriedRows): ColumnTarget | null {
  switch (test.kind) {
    case 'compare':
    case 'range':
    case 'in':
    case 'null':
      return targetByName(test.column ?? key, rows)
    case 'idIn':
      return targetByName('id', rows)
    case 'through':
      return targetByPath(test.path ?? key, rows.served)
    default:
      return null
  }
}

function targetOf(filter: KeyedFilter, asking: ConditionContext): ColumnTarget {
  return filterTarget(filter, asking.rows) ?? aimless(filter, asking)
}

/** Filters of clients were looked at before: only a scope can aim at nothing. */
function aimless({ key, spec }: KeyedFilter, { rows }: ConditionContext): never {
  const named = key === '' ? '' : ` '${key}'`
  throw new Error(`A filter${named} by ${spec.test.kind} aims at nothing that rows of '${rows.served.type.type}' have.`)
}

function effective({ key, spec }: KeyedFilter, given: FilterInput | null): FilterInput {
  const own = spec.fixed ?? (given === null ? spec.default : null)
  if (own !== null) return { kind: 'own', value: own.value }
  if (given !== null) return given
  const named = key === '' ? '' : ` '${key}'`
  throw new Error(`A filter${named} by ${spec.test.kind} brings no value of its own: give it one with fixed().`)
}

/** Null is equal to nothing and different from nothing; a value that no row holds is different from all that are there. */
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

/** At the end of a path a value is null too where there is no row. */
function nullity(target: ColumnTarget, negated: boolean, asking: ConditionContext): RowCondition {
  const [first, ...path] = target.path
  const { column } = target
  if (first === undefined) return { kind: 'null', column, negated }
  const present = reached({ ...target, path }, { kind: 'null', column, negated: true }, asking)
  return related(first, { condition: present, negated: !negated }, asking)
}

/** A condition on the row at the end of a path: each relation leads to at least one row from which the rest holds. */
function reached({ path }: ColumnTarget, condition: RowCondition, asking: ConditionContext): RowCondition {
  return path.reduceRight((rest, relation) => related(relation, { condition: rest, negated: false }, asking), condition)
}

type Related = Pick<Extract<RowCondition, { kind: 'related' }>, 'condition' | 'negated'>

function related(
  relation: ServedRelation,
  { condition, negated }: Related,
  { scopeConditionsOf: scopeOf }: ConditionContext,
): RowCondition {
  const scopes = [...relation.related.values()].map((served) => [served.type.type, scopeOf(served)] as const)
  const conditionsOf = new Map(scopes.filter(([, scope]) => scope.length > 0))
  return { kind: 'related', relation, conditionsOf, condition, negated }
}

/** Members that ask nothing are left out; where all of them do, so is the group. */
function group(
  { kind, filters }: Extract<FilterSpec['test'], { kind: 'all' | 'any' }>,
  given: FilterInput | null,
  asking: ConditionContext,
): RowCondition | null {
  const members = Object.entries(filters)
  const conditions = members.flatMap(([key, spec]) => conditionOfFilter({ key, spec }, given, asking) ?? [])
  return conditions.length === 0 && members.length > 0 ? null : { kind, conditions }
}
