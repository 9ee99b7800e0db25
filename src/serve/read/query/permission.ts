import { refuse } from '../../../core/errors/refuse.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { requiredAbility } from '../../../declare/resource/policy/abilities.js'
import type { Permission } from '../../../declare/resource/policy/policy.js'
import { isOfLists } from '../../../declare/resource/policy/policy.js'
import { RowRule } from '../../../declare/resource/policy/rule-kit.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'

/**
 * Returns the decision of the policy of a type about an ability of the caller. It is evaluated once for each request.
 *
 * @returns `true` for a type without a policy
 */
export function permissionIn(served: ServedType, ability: string, context: RequestContext): Permission {
  const { policy, abilities } = served.type
  if (policy === null) return true
  if (ability === 'aggregate' && !policy.declares('aggregate')) return permissionIn(served, 'viewAny', context)
  if (ability === 'updated' && !policy.declares('updated')) {
    return updatedByDefault(permissionIn(served, 'update', context))
  }
  if (abilities === null) return policy.permission(ability, context)
  const required = requiredAbility(abilities, ability)
  const permission = required === null ? true : policy.permission(required, context)
  // The build has checked only the abilities of lists themselves.
  if (!isOfLists(ability) || typeof permission === 'boolean') return permission
  throw new TypeError(
    `The ability '${required}' of '${served.type.type}' is a rule about rows, but the permission to list is checked before rows are read.`,
  )
}

/** A rule of `update` also holds for the row after the update. */
function updatedByDefault(update: Permission): Permission {
  return update instanceof RowRule ? update : true
}

/**
 * Fails with 401 or 403 if the caller has an ability for no row. Otherwise returns the decision of the policy, which may
 * depend on the row.
 */
export function requirePermission(
  served: ServedType,
  ability: string,
  context: RequestContext,
): Exclude<Permission, false> {
  const permission = permissionIn(served, ability, context)
  return permission === false ? deny(served, ability, context) : permission
}

/**
 * Fails with 401 or 403 if the caller may read no resource by its id. Otherwise returns whether the row decides: if the type requires
 * another ability than `view`, and its rule needs the row. The scope of the type decides which resources exist for the caller.
 */
export function requireView(served: ServedType, context: RequestContext): boolean {
  const { abilities } = served.type
  const permission = permissionIn(served, 'view', context)
  if (permission === false) deny(served, 'view', context)
  return permission !== true && abilities !== null && requiredAbility(abilities, 'view') !== 'view'
}

/** Fails with 401 if there is no caller, and with 403 if there is one. */
export function deny({ type }: ServedType, ability: string, { caller }: RequestContext): never {
  return refuse(caller === null, `The policy of '${type.type}' denies '${ability}'.`)
}
