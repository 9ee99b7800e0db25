import type { FilterDeclaration } from './filter-declaration.js'
import type { ComparedForm, Filter, FilterForm, FilterState, filterState, NamedFilters } from './filter-types.js'
import type { Suggestion } from '../../../core/util/suggestion.js'
import { booleanText, filterOf, numericText } from './filter-declaration.js'
import type { RequestContext } from '../request/request-context.js'
import type { ComposeFilter, CustomFilter, FilterOperator, FilterSpecs, SearchedField } from './filter-spec.js'

/**
 * A user-defined condition that is composed of other filters for each request, so that it works on every store. Filters
 * without a value by `fixed()` get the value that the client sent. `null` sets no condition.
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

type Operator = FilterOperator | '==' | '<>'

/** The arguments of a filter by one attribute or column; empty if the key of the filter names it. */
type OneTarget<Target extends string> = readonly [target?: Target]

type ComparedTarget<Target extends string> = readonly [target?: Target, operator?: Operator]

/** The filter by the target among the arguments. Without one, its key names the target. */
type FilterOf<Form extends FilterForm, Given extends readonly unknown[]> = Filter<Form, TargetIn<Given>, false>

type TargetIn<Given extends readonly unknown[]> = Given extends readonly []
  ? ''
  : Given extends readonly [infer Target extends string, ...unknown[]]
    ? [Target] extends [never]
      ? string
      : Target
    : string

/** The form of a group: it needs no value if none of its filters does. */
type GroupForm<Grouped> = [Grouped[keyof Grouped]] extends [
  { readonly [filterState]: FilterState<'presence', string, boolean> },
]
  ? 'presence'
  : 'any'

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
  where<Given extends ComparedTarget<Target>>(...target: Given): FilterOf<ComparedForm<Given[1], 'field'>, Given>
  contains<Given extends OneTarget<Target>>(...target: Given): FilterOf<'text', Given>
  startsWith<Given extends OneTarget<Target>>(...target: Given): FilterOf<'text', Given>
  endsWith<Given extends OneTarget<Target>>(...target: Given): FilterOf<'text', Given>
  numeric<Given extends ComparedTarget<Target>>(...target: Given): FilterOf<'number', Given>
  greaterThan<Given extends OneTarget<Target>>(...target: Given): FilterOf<'number', Given>
  greaterThanOrEqual<Given extends OneTarget<Target>>(...target: Given): FilterOf<'number', Given>
  lessThan<Given extends OneTarget<Target>>(...target: Given): FilterOf<'number', Given>
  lessThanOrEqual<Given extends OneTarget<Target>>(...target: Given): FilterOf<'number', Given>
  boolean<Given extends OneTarget<Target>>(...target: Given): FilterOf<'boolean', Given>
  /** A range of numbers: `filter[key][min]=` and `filter[key][max]=`, both inclusive. */
  range<Given extends OneTarget<Target>>(...target: Given): FilterOf<'numberRange', Given>
  /** A range of dates or times: `filter[key][min]=` and `filter[key][max]=`, both inclusive. */
  dateRange<Given extends OneTarget<Target>>(...target: Given): FilterOf<'momentRange', Given>
  /** Matches any value of a list: `filter[key]=a,b` or `filter[key][]=a`. */
  in<Given extends OneTarget<Target>>(...target: Given): FilterOf<'fields', Given>
  notIn<Given extends OneTarget<Target>>(...target: Given): FilterOf<'fields', Given>
  idIn(): Filter<'texts', 'id', false>
  idNotIn(): Filter<'texts', 'id', false>
  isNull<Given extends OneTarget<Target>>(...target: Given): FilterOf<'presence', Given>
  isNotNull<Given extends OneTarget<Target>>(...target: Given): FilterOf<'presence', Given>
  /** Matches if there is at least one related resource. */
  has(relation?: Suggestion<Relation>): Filter<'presence', string, false>
  doesntHave(relation?: Suggestion<Relation>): Filter<'presence', string, false>
  /** Matches if at least one related row meets a user-defined condition. */
  hasMatching(
    relation: Suggestion<Relation>,
    matching: CustomFilter | ComposedFilter,
  ): Filter<'presence', string, false>
  /** Compares an attribute at the end of a path of relations: `artist.name`. */
  through(path?: Suggestion<`${Relation}.id`>): Filter<'any', string, false>
  /**
   * Searches the words of texts, as users write it: words, `"phrases"`, `-excluded`, `begin*`. A row matches if each term is in
   * one of the texts. Weights, such as `{ title: 4, notes: 1 }`, count for the sort `s.relevance()`.
   */
  search(...texts: readonly [Target, ...Target[]]): Filter<'text', string, false>
  search(weights: Readonly<Partial<Record<Target, number>>>): Filter<'text', string, false>
  /** Matches if all of these filters match the value. */
  all<const Grouped extends NamedFilters>(filters: Grouped): Filter<GroupForm<Grouped>, string, false>
  /** Matches if at least one of these filters matches the value. */
  any<const Grouped extends NamedFilters>(filters: Grouped): Filter<GroupForm<Grouped>, string, false>
  /** A user-defined condition: composed of other filters, or in the language of the store. */
  custom(custom: CustomFilter | ComposedFilter<Target>): Filter<'any', string, false>
  /** `filter[key]=true` adds soft-deleted rows to the result. */
  withTrashed(): Filter<'boolean', string, false>
  /** `filter[key]=true` limits the result to soft-deleted rows. */
  onlyTrashed(): Filter<'boolean', string, false>
}

const kit = Object.freeze({
  where: (target?: string, operator: Operator = '=') =>
    withOperator(compare(target, '=', { operatorFixed: false }), operator),
  contains: (target?: string) => compare(target, 'like'),
  startsWith: (target?: string) => compare(target, 'starts'),
  endsWith: (target?: string) => compare(target, 'ends'),
  numeric: (target?: string, operator: Operator = '=') =>
    withOperator(numeric(target, '=', { operatorFixed: false }), operator),
  greaterThan: (target?: string) => numeric(target, '>'),
  greaterThanOrEqual: (target?: string) => numeric(target, '>='),
  lessThan: (target?: string) => numeric(target, '<'),
  lessThanOrEqual: (target?: string) => numeric(target, '<='),
  boolean: (target?: string) =>
    compare(target, '=', { coercion: 'boolean', constraints: Object.freeze([booleanText]) }),
  range: (target?: string) =>
    filterOf({ kind: 'range', column: target ?? null, moments: false }, 'range', {
      coercion: 'number',
      constraints: Object.freeze([numericText]),
    }),
  dateRange: (target?: string) => filterOf({ kind: 'range', column: target ?? null, moments: true }, 'range'),
  in: (target?: string) => filterOf({ kind: 'in', column: target ?? null, negated: false }, 'set'),
  notIn: (target?: string) => filterOf({ kind: 'in', column: target ?? null, negated: true }, 'set'),
  idIn: () => filterOf({ kind: 'idIn', negated: false }, 'set'),
  idNotIn: () => filterOf({ kind: 'idIn', negated: true }, 'set'),
  isNull: (target?: string) => filterOf({ kind: 'null', column: target ?? null, negated: false }, 'presence'),
  isNotNull: (target?: string) => filterOf({ kind: 'null', column: target ?? null, negated: true }, 'presence'),
  has: (relation?: string) => has(relation, false, null),
  doesntHave: (relation?: string) => has(relation, true, null),
  hasMatching: (relation: string, matching: CustomFilter | ComposedFilter) =>
    has(relation, false, composeOf(matching) ?? matching),
  through: (path?: string) =>
    filterOf({ kind: 'through', path: path ?? null, operator: '=' }, 'value', { operatorFixed: false }),
  search: (...texts: readonly (string | Readonly<Record<string, number>>)[]) =>
    filterOf(
      { kind: 'search', fields: Object.freeze(texts.flatMap(searchedFields).map((each) => Object.freeze(each))) },
      'value',
    ),
  all: (filters: NamedFilters) => filterOf({ kind: 'all', filters: specsOf(filters) }, groupShape(filters)),
  any: (filters: NamedFilters) => filterOf({ kind: 'any', filters: specsOf(filters) }, groupShape(filters)),
  custom(custom: CustomFilter | ComposedFilter) {
    const compose = composeOf(custom)
    if (compose !== null) return filterOf({ kind: 'composed', compose }, 'value')
    return filterOf({ kind: 'custom', custom: Object.freeze({ ...custom }) }, 'value')
  },
  withTrashed: () => trashed(false),
  onlyTrashed: () => trashed(true),
} satisfies Readonly<Record<keyof FilterKit<string>, (...values: never[]) => FilterDeclaration>>)

/** Returns the kit for the targets of a type. All types share one object, because they differ for the compiler only. */
export function filterKit<Target extends string>(): FilterKit<Target> {
  return kit as unknown as FilterKit<Target>
}

/** Returns the function of a composed filter; `null` for another custom filter. */
function composeOf(custom: CustomFilter | ComposedFilter): ComposeFilter | null {
  // JavaScript code may pass any value. A build rule reports it.
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

function withOperator(filter: FilterDeclaration, operator: Operator): FilterDeclaration {
  return operator === '=' ? filter : filter.operator(operator)
}

function has(
  relation: string | undefined,
  negated: boolean,
  matching: CustomFilter | ComposeFilter | null,
): FilterDeclaration {
  return filterOf({ kind: 'has', relation: relation ?? null, negated, matching }, 'presence')
}

function searchedFields(given: string | Readonly<Record<string, number>>): readonly SearchedField[] {
  if (typeof given !== 'object' || given === null) return [{ name: given, weight: 1 }]
  return Object.entries(given).map(([name, weight]) => ({ name, weight }))
}

function trashed(only: boolean): FilterDeclaration {
  return filterOf({ kind: 'trashed', only }, 'value', {
    coercion: 'boolean',
    constraints: Object.freeze([booleanText]),
  })
}

function specsOf(filters: NamedFilters): FilterSpecs {
  return Object.freeze(Object.fromEntries(Object.entries(filters).map(([key, filter]) => [key, filter?.spec])))
}

/** Returns the shape of a group: `presence` only if all of its filters have that shape. */
function groupShape(filters: NamedFilters): 'presence' | 'value' {
  const members = Object.values(filters)
  return members.length > 0 && members.every((filter) => filter?.spec?.shape === 'presence') ? 'presence' : 'value'
}
