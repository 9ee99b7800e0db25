import type { AbilityName } from './policy.js'

/**
 * The ability of the policy that each operation of a type requires, instead of the usual one. `true` requires the usual
 * one. `false` requires none: everybody may do it, and the build warns of it. The ability `view` always decides which rows
 * the caller can see.
 *
 * @example
 * ```ts
 * const abilities: ResourceMetadata['abilities'] = { FetchCollection: false, Create: 'publish', Delete: 'publish' }
 * ```
 */
export interface Abilities {
  readonly FetchCollection?: string | boolean
  readonly FetchOne?: string | boolean
  readonly Create?: string | boolean
  readonly Update?: string | boolean
  readonly Delete?: string | boolean
}

/** The operation whose override applies to an ability. */
const operationOf: ReadonlyMap<string, keyof Abilities> = new Map<AbilityName, keyof Abilities>([
  ['viewAny', 'FetchCollection'],
  ['view', 'FetchOne'],
  ['create', 'Create'],
  ['update', 'Update'],
  ['delete', 'Delete'],
])

/** Returns the name of the ability that is required instead of the usual one; `null` if none is. */
export function requiredAbility(abilities: Abilities | null, usual: string): string | null {
  if (abilities === null) return usual
  const operation = operationOf.get(usual)
  const override = operation === undefined ? undefined : abilities[operation]
  if (override === undefined || override === true) return usual
  return override === false ? null : override
}
