import type { RequestContext } from '../request/request-context.js'
import type { CallerKit, Decision, RowCheck, RowRule } from './rule-kit.js'

/** An ability of a {@link Policy} that depends only on the caller. */
export type CallerRule = boolean | ((context: RequestContext) => boolean)

/** An ability of a {@link Policy} that depends on the caller, or a rule about rows. */
export type VisibilityRule = Decision | ((context: RequestContext) => Decision)

/** An ability of a {@link Policy} that depends on the caller, a rule about rows, or a function that gets the row. */
export type WriteRule = VisibilityRule | RowCheck

/**
 * Who may do what with the resources of a type. An ability that is left out is denied. Denied means 401 without a caller,
 * and 403 with one. A row that `view` does not let the caller see does not exist for the request: 404.
 *
 * @example
 * ```ts
 * const policy = (p: RuleKit<{ ownerId: number; public: boolean }>): Policy => {
 *   const own = p.signedIn(({ caller }) => p.eq('ownerId', (caller as { id: number }).id))
 *   return { viewAny: true, view: p.eq('public', true), create: own, update: own, delete: own }
 * }
 * ```
 */
export interface Policy {
  /** Runs before every ability: `true` permits it, `false` denies it, `null` lets the ability decide. */
  readonly before?: (context: RequestContext) => boolean | null
  /** Who may list resources. `view` decides which of them are in the list. */
  readonly viewAny?: CallerRule
  /** Who may read the aggregates of the type, which `view` limits to the rows of the caller. Default: that of `viewAny`. */
  readonly aggregate?: CallerRule
  /** Which resources the caller can see: in lists, at their URLs, as linkage, included, counted, and in filters. */
  readonly view?: VisibilityRule
  /** Who may create a resource. With a rule, the new row must meet it. */
  readonly create?: WriteRule
  /** Who may change a resource and its relationships. With a rule, the row must meet it before the change. */
  readonly update?: WriteRule
  /** The rule that a row must meet after a change. Default: that of `update`, so that no caller can transfer a row to another. */
  readonly updated?: VisibilityRule
  readonly delete?: WriteRule
  /** Who may restore a soft-deleted resource. */
  readonly restore?: WriteRule
  /** Who may delete a soft-deleted resource permanently. */
  readonly forceDelete?: WriteRule
  /** Further abilities by name, which `abilities` of the type may require for an operation. */
  readonly custom?: Readonly<Record<string, WriteRule>>
}

/**
 * The default policy of all types of a server: the setting `policy`. It is for types with different columns, so that its
 * abilities depend only on the caller. A type with its own policy does not use it.
 */
export interface ServerPolicy extends Pick<Policy, 'before'>, CallerRules {
  /** Further abilities by name, which `abilities` of a type may require for an operation. */
  readonly custom?: Readonly<Record<string, CallerRule>>
}

/** A policy for several types: a {@link ServerPolicy}, or `public` if everybody may do everything. */
export type SharedPolicy = 'public' | ((kit: CallerKit) => ServerPolicy)

type CallerRules = { readonly [Ability in AbilityName]?: CallerRule }

/** The names of the abilities that the framework checks. */
export type AbilityName = Exclude<keyof Policy, 'before' | 'custom'>

/** The names of these abilities, in the order of the documentation. */
export const abilityNames: readonly AbilityName[] = Object.freeze([
  'viewAny',
  'aggregate',
  'view',
  'create',
  'update',
  'updated',
  'delete',
  'restore',
  'forceDelete',
])

/** Whether an ability is checked before rows are read, so that no rule about rows can decide it. */
export function isOfLists(ability: string): boolean {
  return ability === 'viewAny' || ability === 'aggregate'
}

/** The result of an ability in one request. */
export type Permission = Decision | RowCheck

/** A policy that was checked at build. */
export interface CompiledPolicy {
  /** The type or server that declares the policy, for explanations: `'albums'`, or `the server`. */
  readonly owner: string
  /** Returns the result of an ability, which is computed once for each request. Throws if a function of the policy returns any other value. */
  permission(ability: string, context: RequestContext): Permission
  /** Whether the declaration has the ability. */
  declares(ability: string): boolean
  /** The names of the declared abilities. */
  readonly abilities: readonly string[]
  /** The abilities that are declared as a rule, without a function: by name. */
  readonly rules: ReadonlyMap<string, RowRule>
  /** Returns the result of `before` in a request; `null` if it lets the abilities decide. */
  before(context: RequestContext): boolean | null
  /** Whether `check()` decides about the ability. */
  isCheck(ability: string): boolean
  /** Whether everybody has the ability, in every request. */
  isAlways(ability: AbilityName): boolean
  /** Whether the ability is declared as a rule about rows, or as a function of the row. */
  isRowRule(ability: string): boolean
}
