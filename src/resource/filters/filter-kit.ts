import type { FilterDeclaration } from './filter-declaration.js'
import type { Suggestion } from '../../util/suggestion.js'
import { booleanText, filterOf, numericText } from './filter-declaration.js'
import type { RequestContext } from '../request-context.js'
import type { ComposeFilter, CustomFilter, FilterOperator, FilterSpecs } from './filter-spec.js'

/**
 * A user-defined condition that is composed of other filters for each request, so that it works on every store. Filters
 * without a value of their own, by `fixed()`, get the value that the client sent. `null` sets no condition.
 *
 * @example
 * ```ts
 * const decade: ComposedFilter<'year'> = {
 *   where: (value, f) =>
 *     f.all({
 *       from: f.greaterThanOrEqual('year').fixed(Number(value)),
 *       to: f.lessThan('year').fixed(Number(value) + 10),
 *     }),
 * }
 * const filters = (f: FilterKit<'year'>) => ({ decade: f.custom(decade).integer() })
 * ```
 */
export interface ComposedFilter<Target extends string = string> {
  readonly where: (value: unknown, f: FilterKit<Target>, context: RequestContext) => FilterDeclaration | null
  readonly matches?: never
  readonly apply?: never
}

/**
 * The filter catalogue: the argument of `filters` and of `scope`. `Target` is the union of the attribute and column
 * names of the type, `Relation` of its relations, which editors suggest. A filter without a target applies to the
 * attribute or column that its key names.
 *
 * @example
 * ```ts
 * const filters = (f: FilterKit<'title' | 'year'>) => ({
 *   title: f.contains(),
 *   since: f.greaterThanOrEqual('year'),
 *   artist: f.through('artist.name'),
 * })
 * ```
 */
export interface FilterKit<Target extends string, Relation extends string = string> {
  /** Compares by equality or by another operator. Never matches null. */
  where(target?: Target, operator?: FilterOperator | '==' | '<>'): FilterDeclaration
  contains(target?: Target): FilterDeclaration
  startsWith(target?: Target): FilterDeclaration
  endsWith(target?: Target): FilterDeclaration
  numeric(target?: Target, operator?: FilterOperator | '==' | '<>'): FilterDeclaration
  greaterThan(target?: Target): FilterDeclaration
  greaterThanOrEqual(target?: Target): FilterDeclaration
  lessThan(target?: Target): FilterDeclaration
  lessThanOrEqual(target?: Target): FilterDeclaration
  boolean(target?: Target): FilterDeclaration
  /** A range of numbers: `filter[key][min]=` and `filter[key][max]=`, both inclusive. */
  range(target?: Target): FilterDeclaration
  /** A range of dates or times: `filter[key][min]=` and `filter[key][max]=`, both inclusive. */
  dateRange(target?: Target): FilterDeclaration
  /** Matches any value of a list: `filter[key]=a,b` or `filter[key][]=a`. */
  in(target?: Target): FilterDeclaration
  notIn(target?: Target): FilterDeclaration
  idIn(): FilterDeclaration
  idNotIn(): FilterDeclaration
  isNull(target?: Target): FilterDeclaration
  isNotNull(target?: Target): FilterDeclaration
  /** Matches if there is at least one related resource. */
  has(relation?: Suggestion<Relation>): FilterDeclaration
  doesntHave(relation?: Suggestion<Relation>): FilterDeclaration
  /** Matches if at least one related row meets a user-defined condition. */
  hasMatching(relation: Suggestion<Relation>, matching: CustomFilter | ComposedFilter): FilterDeclaration
  /** Compares an attribute at the end of a path of relations: `artist.name`. */
  through(path?: Suggestion<`${Relation}.id`>): FilterDeclaration
  /** Matches if all of these filters match the value. */
  all(filters: Readonly<Record<string, FilterDeclaration>>): FilterDeclaration
  /** Matches if at least one of these filters matches the value. */
  any(filters: Readonly<Record<string, FilterDeclaration>>): FilterDeclaration
  /** A user-defined condition: composed of other filters, or in the language of the store. */
  custom(custom: CustomFilter | ComposedFilter<Target>): FilterDeclaration
  /** `filter[key]=true` adds soft-deleted rows to the result. */
  withTrashed(): FilterDeclaration
  /** `filter[key]=true` limits the result to soft-deleted rows. */
  onlyTrashed(): FilterDeclaration
}

const kit: FilterKit<string> = Object.freeze<FilterKit<string>>({
  where: (target, operator = '=') => withOperator(compare(target, '=', { operatorFixed: false }), operator),
  contains: (target) => compare(target, 'like'),
  startsWith: (target) => compare(target, 'starts'),
  endsWith: (target) => compare(target, 'ends'),
  numeric: (target, operator = '=') => withOperator(numeric(target, '=', { operatorFixed: false }), operator),
  greaterThan: (target) => numeric(target, '>'),
  greaterThanOrEqual: (target) => numeric(target, '>='),
  lessThan: (target) => numeric(target, '<'),
  lessThanOrEqual: (target) => numeric(target, '<='),
  boolean: (target) => compare(target, '=', { coercion: 'boolean', constraints: Object.freeze([booleanText]) }),
  range: (target) =>
    filterOf({ kind: 'range', column: target ?? null, moments: false }, 'range', {
      coercion: 'number',
      constraints: Object.freeze([numericText]),
    }),
  dateRange: (target) => filterOf({ kind: 'range', column: target ?? null, moments: true }, 'range'),
  in: (target) => filterOf({ kind: 'in', column: target ?? null, negated: false }, 'set'),
  notIn: (target) => filterOf({ kind: 'in', column: target ?? null, negated: true }, 'set'),
  idIn: () => filterOf({ kind: 'idIn', negated: false }, 'set'),
  idNotIn: () => filterOf({ kind: 'idIn', negated: true }, 'set'),
  isNull: (target) => filterOf({ kind: 'null', column: target ?? null, negated: false }, 'presence'),
  isNotNull: (target) => filterOf({ kind: 'null', column: target ?? null, negated: true }, 'presence'),
  has: (relation) => has(relation, false, null),
  doesntHave: (relation) => has(relation, true, null),
  hasMatching: (relation, matching) => has(relation, false, composeOf(matching) ?? matching),
  through: (path) =>
    filterOf({ kind: 'through', path: path ?? null, operator: '=' }, 'value', { operatorFixed: false }),
  all: (filters) => filterOf({ kind: 'all', filters: specsOf(filters) }, groupShape(filters)),
  any: (filters) => filterOf({ kind: 'any', filters: specsOf(filters) }, groupShape(filters)),
  custom(custom) {
    const compose = composeOf(custom)
    if (compose !== null) return filterOf({ kind: 'composed', compose }, 'value')
    return filterOf({ kind: 'custom', custom: Object.freeze({ ...custom }) }, 'value')
  },
  withTrashed: () => trashed(false),
  onlyTrashed: () => trashed(true),
})

/** Returns the kit for the targets of a type. All types share one object, because they differ for the compiler only. */
export function filterKit<Target extends string>(): FilterKit<Target> {
  return kit
}

/** Returns the function of a composed filter; `null` for another custom filter. */
function composeOf(custom: CustomFilter | ComposedFilter): ComposeFilter | null {
  // JavaScript code may give anything. A build rule reports it.
  const where: unknown = (custom as Partial<ComposedFilter> | null)?.where
  return typeof where === 'function' ? (where as ComposeFilter) : null
}

type SpecOverrides = Parameters<typeof filterOf>[2]

function compare(target: string | undefined, operator: FilterOperator, overrides?: SpecOverrides): FilterDeclaration {
  return filterOf({ kind: 'compare', column: target ?? null, operator }, 'value', overrides)
}

function numeric(target: string | undefined, operator: FilterOperator, overrides?: SpecOverrides): FilterDeclaration {
  const constraints = Object.freeze([numericText])
  return compare(target, operator, { coercion: 'number', constraints, ...overrides })
}

function withOperator(filter: FilterDeclaration, operator: FilterOperator | '==' | '<>'): FilterDeclaration {
  return operator === '=' ? filter : filter.operator(operator)
}

function has(
  relation: string | undefined,
  negated: boolean,
  matching: CustomFilter | ComposeFilter | null,
): FilterDeclaration {
  return filterOf({ kind: 'has', relation: relation ?? null, negated, matching }, 'presence')
}

function trashed(only: boolean): FilterDeclaration {
  return filterOf({ kind: 'trashed', only }, 'value', {
    coercion: 'boolean',
    constraints: Object.freeze([booleanText]),
  })
}

function specsOf(filters: Readonly<Record<string, FilterDeclaration>>): FilterSpecs {
  return Object.freeze(Object.fromEntries(Object.entries(filters).map(([key, filter]) => [key, filter?.spec])))
}

/** Returns the shape of a group: `presence` only if all of its filters have that shape. */
function groupShape(filters: Readonly<Record<string, FilterDeclaration>>): 'presence' | 'value' {
  const members = Object.values(filters)
  return members.length > 0 && members.every((filter) => filter?.spec?.shape === 'presence') ? 'presence' : 'value'
}
