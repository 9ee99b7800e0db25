import type { Caller } from '../request/registered.js'
import { FilterDeclaration, filterOf } from '../filters/filter-declaration.js'
import { filterKit } from '../filters/filter-kit.js'
import type { FilterSpec, ValuedFilter } from '../filters/filter-spec.js'
import type { RowObject } from '../fields/field-spec.js'
import type { RequestContext } from '../request/request-context.js'
import type { LruCache } from '../../../core/util/lru-cache.js'
import { lruCache } from '../../../core/util/lru-cache.js'
import type { Awaitable } from '../../../core/util/types.js'

/**
 * A rule about rows, as a {@link RuleKit} creates it. It is frozen data: the same rule filters lists, checks a stored
 * row, and checks the row after a write.
 *
 * @example
 * ```ts
 * const { eq, any } = rowRules<{ ownerId: number; public: boolean }>()
 * const visible = (callerId: number): RowRule => any(eq('public', true), eq('ownerId', callerId))
 * ```
 */
export class RowRule implements ValuedFilter {
  readonly #base: FilterDeclaration
  readonly #value: unknown
  #filter: FilterDeclaration | null = null

  /** @param value the value that the filter compares with; `undefined` if the filter has its own values */
  constructor(base: FilterDeclaration, value?: unknown) {
    this.#base = base
    this.#value = value
  }

  get spec(): FilterSpec {
    return this.#base.spec
  }

  get value(): unknown {
    return this.#value
  }

  /** The rule as one filter, for a rule that contains it. Creating it takes longer than the rest of the rule. */
  get filter(): FilterDeclaration {
    return (this.#filter ??= this.#value === undefined ? this.#base : withValue(this.#base, this.#value))
  }
}

/** The result of an ability of a {@link Policy} for a caller: yes, no, or only for rows that meet a rule. */
export type Decision = boolean | RowRule

/**
 * The data of a write, for the function of `check()` of a {@link RuleKit}.
 *
 * @example
 * ```ts
 * const isDraft = ({ row }: CheckedWrite<{ published: boolean }>) => row?.published !== true
 * ```
 */
export interface CheckedWrite<R> {
  /** The row as it is stored; `null` on a create. */
  readonly row: R | null
  /** The values as the client sent them, before they are validated; `null` if the request has no document. */
  readonly incoming: IncomingValues | null
}

/** The members of a resource object as a client sent them, in a {@link CheckedWrite}. Only their structure is checked. */
export interface IncomingValues {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: Readonly<Record<string, unknown>>
}

/** A function that decides about one write, as `check()` of a {@link RuleKit} returns it. */
export class RowCheck {
  readonly check: (write: CheckedWrite<never>, context: RequestContext) => Awaitable<boolean>

  constructor(check: RowCheck['check']) {
    this.check = check
    Object.freeze(this)
  }
}

/** The context of a request with a caller, for the function of `signedIn()` of a {@link RuleKit}. */
export interface SignedInContext extends RequestContext {
  readonly caller: NonNullable<Caller>
}

/** Creates the rules of a {@link ServerPolicy}, which depend only on the caller. `Result` is what a rule may return. */
export interface CallerKit<Result = boolean> {
  /** Permits the ability to every caller that is not anonymous. */
  signedIn(): (context: RequestContext) => boolean
  /** Denies the ability to anonymous callers. The function gets a context whose caller is not `null`. */
  signedIn<Decided extends Result>(
    decide: (context: SignedInContext) => Decided,
  ): (context: RequestContext) => Decided | false
}

/**
 * Creates the rules of a {@link Policy} over rows of the type `R`.
 *
 * @example
 * ```ts
 * const policy = (p: RuleKit<{ ownerId: number }>): Policy => ({
 *   viewAny: true,
 *   view: true,
 *   update: p.signedIn(({ caller }) => p.eq('ownerId', (caller as { id: number }).id)),
 *   delete: p.check(({ row }, { caller }) => row?.ownerId === (caller as { id: number } | null)?.id),
 * })
 * ```
 */
export interface RuleKit<R = Readonly<Record<string, unknown>>, Relation extends string = string>
  extends CallerKit<Decision> {
  /** Matches rows with this value. For rows without a value use `isNull()`: `null` of a caller matches no row. */
  eq<Column extends keyof R & string>(column: Column, value: NonNullable<R[Column]>): RowRule
  /** Matches rows with one of these values. An empty list matches no row. */
  in<Column extends keyof R & string>(column: Column, values: readonly NonNullable<R[Column]>[]): RowRule
  isNull(column: keyof R & string): RowRule
  isNotNull(column: keyof R & string): RowRule
  /** Matches rows with a value from `min` to `max`, both inclusive. */
  range<Column extends keyof R & string>(
    column: Column,
    bounds: { readonly min?: NonNullable<R[Column]>; readonly max?: NonNullable<R[Column]> },
  ): RowRule
  /** Matches rows that meet at least one rule; without rules no row. */
  any(...rules: readonly Decision[]): RowRule
  /** Matches rows that meet all rules; without rules every row. */
  all(...rules: readonly Decision[]): RowRule
  /**
   * Matches rows with a related row that the caller can see. With a rule, that row must meet it. The columns are those of
   * the related model.
   */
  related(relation: Relation, rule?: (kit: RuleKit) => RowRule): RowRule
  /**
   * Matches the rows that do not meet a rule. Rows without a value do not meet a comparison, so `not(eq('ownerId', 1))`
   * matches rows whose `ownerId` is null.
   */
  not(rule: Decision): RowRule
  /** Matches rows with a related row that the caller can see, and for which its own policy grants the caller an ability. */
  granted(relation: Relation, ability: string): RowRule
  /**
   * Matches rows that meet a SQL expression: `p.sql(sqlFilter(({ column, context }) => sql`…`))`, with `sqlFilter()` of
   * `ashlar/sql`. The statement is prepared for each request. Other stores fail with it: give them `matches`.
   */
  sql(apply: object, matches?: (row: R, context: RequestContext) => boolean): RowRule
  /**
   * Decides about one write by a function, which gets the stored row and the sent values. Prefer a rule if
   * possible: a rule is part of the statement, but a function needs the row first.
   */
  check(check: (write: CheckedWrite<R>, context: RequestContext) => Awaitable<boolean>): RowCheck
}

const f = filterKit<string>()

function signedIn(decide: (context: SignedInContext) => Decision = () => true) {
  return (context: RequestContext): Decision => (context.caller === null ? false : decide(context as SignedInContext))
}

/** The kit of the default policy of a server. */
export const callerKit: object = Object.freeze({ signedIn })

/** Creates a kit. It caches the filters of columns without a value: a rule is created in each request, and differs only in its value. */
function newKit() {
  const [equalities, memberships] = [
    lruCache<string, FilterDeclaration>(1000),
    lruCache<string, FilterDeclaration>(1000),
  ]
  const kit = Object.freeze({
    // A value that is undefined or null comes from data that the caller does not have, such as a missing claim or a user without
    // a tenant: it matches no row.
    eq: (column: string, value: unknown) =>
      value === undefined || value === null
        ? new RowRule(missing)
        : new RowRule(equalities.get(column) ?? addTo(equalities, column, f.where(column)), value),
    in(column: string, values: readonly unknown[]) {
      if (!Array.isArray(values)) return new RowRule(missing)
      const declared = memberships.get(column) ?? addTo(memberships, column, f.in(column))
      const among = new RowRule(declared, Object.freeze(values.filter((value) => !isMissing(value))))
      return values.some(isMissing) ? new RowRule(f.any(named([missing, among.filter]))) : among
    },
    isNull: (column: string) => new RowRule(byColumn(f.isNull(column))),
    isNotNull: (column: string) => new RowRule(byColumn(f.isNotNull(column))),
    range(column: string, bounds: { readonly min?: unknown; readonly max?: unknown }) {
      if (Object.values(bounds).some(isMissing)) return new RowRule(missing)
      const { min, max } = bounds
      const filters = [
        ...(min === undefined ? [] : [f.where(column, '>=').fixed(min)]),
        ...(max === undefined ? [] : [f.where(column, '<=').fixed(max)]),
      ]
      return new RowRule(f.all(named([f.isNotNull(column), ...filters].map(byColumn))))
    },
    any: (...rules: readonly Decision[]) => new RowRule(f.any(named(rules.map(filterOfDecision)))),
    all: (...rules: readonly Decision[]) => new RowRule(f.all(named(rules.map(filterOfDecision)))),
    related(relation: string, rule?: (kit: RuleKit) => RowRule) {
      if (rule === undefined) return new RowRule(f.has(relation))
      const { filter } = rule(kit as unknown as RuleKit)
      return new RowRule(f.hasMatching(relation, { where: () => filter }))
    },
    not(rule: Decision) {
      const { spec } = filterOfDecision(rule)
      return new RowRule(filterOf({ kind: 'not', filter: spec }, 'presence', { faults: spec.faults }))
    },
    granted: (relation: string, ability: string) =>
      new RowRule(filterOf({ kind: 'granted', relation, ability }, 'presence')),
    sql(apply: object, matches?: (row: RowObject, context: RequestContext) => boolean) {
      if (matches === undefined) return new RowRule(f.custom({ apply }))
      return new RowRule(f.custom({ apply, matches: (row, _value, context) => matches(row, context) }))
    },
    signedIn,
    check: (check: RowCheck['check']) => new RowCheck(check),
  })
  return kit
}

function addTo(
  cache: LruCache<string, FilterDeclaration>,
  column: string,
  filter: FilterDeclaration,
): FilterDeclaration {
  const added = byColumn(filter)
  cache.set(column, added)
  return added
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

/**
 * Returns a filter with a fixed value. It is copied member by member, and frozen here: a spread, and a search for members that
 * are not frozen, take longer than the rest of the rule.
 */
function withValue({ spec }: FilterDeclaration, value: unknown): FilterDeclaration {
  return new FilterDeclaration(
    Object.freeze<FilterSpec>({
      test: spec.test,
      shape: 'presence',
      byColumn: true,
      operatorFixed: spec.operatorFixed,
      coercion: spec.coercion,
      singular: spec.singular,
      delimiter: spec.delimiter,
      deserialize: spec.deserialize,
      default: spec.default,
      fixed: Object.freeze({ value }),
      constraints: spec.constraints,
      usableIf: null,
      useGuard: null,
      description: spec.description,
      examples: spec.examples,
      deprecation: null,
      faults: spec.faults,
    }),
  )
}

/** A rule is about columns of the row, also if an attribute has the name of a column and is stored elsewhere. */
function byColumn({ spec }: FilterDeclaration): FilterDeclaration {
  return new FilterDeclaration({ ...spec, byColumn: true })
}

/** The members of a group of filters need names. */
function named(filters: readonly FilterDeclaration[]): Readonly<Record<string, FilterDeclaration>> {
  return Object.fromEntries(filters.entries())
}

/** Matches every row, and none. */
const [everyRow, noRow] = [f.all({}), f.any({})]

/** Matches no row, because a value is missing. */
const missing = filterOf({ kind: 'missing' }, 'presence')

/** Returns a decision as a filter. */
export function filterOfDecision(decision: Decision): FilterDeclaration {
  if (decision === true) return everyRow
  return decision === false ? noRow : decision.filter
}

/** Returns the kit of a policy. */
export function ruleKit<R, Relation extends string = string>(): RuleKit<R, Relation> {
  return newKit() as unknown as RuleKit<R, Relation>
}

/**
 * Returns a kit for rules that several types share: they fit every row that has these columns.
 *
 * @example
 * ```ts
 * const p = rowRules<{ ownerId: number }>()
 * const own = p.signedIn(({ caller }) => p.eq('ownerId', (caller as { id: number }).id))
 * ```
 */
export function rowRules<R>(): RuleKit<R> {
  return ruleKit<R>()
}
