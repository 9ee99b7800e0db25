import type { FilterDeclaration } from './filter-declaration.js'
import { booleanText, filterOf, numericText } from './filter-declaration.js'
import type { CustomFilter, FilterOperator, FilterSpecs } from './filter-spec.js'

/**
 * The filter catalogue. `Target` is what a filter may aim at: the attributes and columns of the type. Without a target a
 * filter aims at what its own key names.
 */
export interface FilterKit<Target extends string> {
  /** Equality, or another operator; never matches null. */
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
  /** `filter[key][min]=` and `filter[key][max]=`, numbers, both inclusive. */
  range(target?: Target): FilterDeclaration
  /** `filter[key][min]=` and `filter[key][max]=`, instants, both inclusive. */
  dateRange(target?: Target): FilterDeclaration
  /** Any of a list: `filter[key]=a,b` or `filter[key][]=a`. */
  in(target?: Target): FilterDeclaration
  notIn(target?: Target): FilterDeclaration
  idIn(): FilterDeclaration
  idNotIn(): FilterDeclaration
  isNull(target?: Target): FilterDeclaration
  isNotNull(target?: Target): FilterDeclaration
  /** At least one related resource. */
  has(relation?: string): FilterDeclaration
  doesntHave(relation?: string): FilterDeclaration
  /** At least one related row that meets a condition of the author's. */
  hasMatching(relation: string, matching: CustomFilter): FilterDeclaration
  /** An attribute at the end of a path of relations: `artist.name`. */
  through(path?: string): FilterDeclaration
  /** One value that must meet all of these. */
  all(filters: Readonly<Record<string, FilterDeclaration>>): FilterDeclaration
  /** One value that must meet one of these. */
  any(filters: Readonly<Record<string, FilterDeclaration>>): FilterDeclaration
  /** A condition of the author's own. */
  custom(custom: CustomFilter): FilterDeclaration
  /** `filter[key]=true` shows rows that are deleted softly among the others. */
  withTrashed(): FilterDeclaration
  /** `filter[key]=true` shows rows that are deleted softly, and no others. */
  onlyTrashed(): FilterDeclaration
}

const kit: FilterKit<string> = Object.freeze<FilterKit<string>>({
  where: (target, operator = '=') => chosen(compare(target, '=', { operatorFixed: false }), operator),
  contains: (target) => compare(target, 'like'),
  startsWith: (target) => compare(target, 'starts'),
  endsWith: (target) => compare(target, 'ends'),
  numeric: (target, operator = '=') => chosen(numeric(target, '=', { operatorFixed: false }), operator),
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
  hasMatching: (relation, matching) => has(relation, false, matching),
  through: (path) =>
    filterOf({ kind: 'through', path: path ?? null, operator: '=' }, 'value', { operatorFixed: false }),
  all: (filters) => filterOf({ kind: 'all', filters: specsOf(filters) }, groupShape(filters)),
  any: (filters) => filterOf({ kind: 'any', filters: specsOf(filters) }, groupShape(filters)),
  custom: (custom) => filterOf({ kind: 'custom', custom: Object.freeze({ ...custom }) }, 'value'),
  withTrashed: () => trashed(false),
  onlyTrashed: () => trashed(true),
})

/** The kit for a type's targets: one object for all of them, since only the compiler knows the difference. */
export function filterKit<Target extends string>(): FilterKit<Target> {
  return kit
}

type Rest = Parameters<typeof filterOf>[2]

function compare(target: string | undefined, operator: FilterOperator, rest?: Rest): FilterDeclaration {
  return filterOf({ kind: 'compare', column: target ?? null, operator }, 'value', rest)
}

function numeric(target: string | undefined, operator: FilterOperator, rest?: Rest): FilterDeclaration {
  const constraints = Object.freeze([numericText])
  return compare(target, operator, { coercion: 'number', constraints, ...rest })
}

function chosen(filter: FilterDeclaration, operator: FilterOperator | '==' | '<>'): FilterDeclaration {
  return operator === '=' ? filter : filter.operator(operator)
}

function has(relation: string | undefined, negated: boolean, matching: CustomFilter | null): FilterDeclaration {
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

/** A group counts by presence only when all of its members do. */
function groupShape(filters: Readonly<Record<string, FilterDeclaration>>): 'presence' | 'value' {
  const members = Object.values(filters)
  return members.length > 0 && members.every((filter) => filter?.spec?.shape === 'presence') ? 'presence' : 'value'
}
