import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import { requiredAbility } from '../../declare/resource/policy/abilities.js'
import { inheritsRead, mutateAbility } from '../../declare/resource/relations/relation-security.js'
import { OperationContext } from '../../declare/resource/request/memoize-in-request.js'
import type { Requirement } from './contract.js'

/** Returns whether an operation that needs an ability of a type needs credentials. */
export function abilityRequirement(server: string, { type }: ServedType, usual: string): Requirement {
  const ability = requiredAbility(type.abilities, usual)
  return ability === null ? 'open' : namedRequirement(server, { type }, ability)
}

/** Evaluates the policy for an anonymous request: if it is refused, the operation needs credentials. */
function namedRequirement(server: string, { type }: Pick<ServedType, 'type'>, ability: string): Requirement {
  const { policy } = type
  if (policy === null) return 'open'
  try {
    const context = new OperationContext(type.type, 'FetchResource', { server, caller: null, request: null })
    const permission = policy.permission(ability, context)
    return permission === false ? 'all' : permission === true ? 'none' : 'some'
  } catch {
    // A function of the application may need the request, which does not exist here.
    return 'some'
  }
}

/** Returns the requirement of the endpoints that read a relation. */
export function readRequirement(server: string, owner: ServedType, { spec }: ServedRelation): Requirement {
  if (inheritsRead(spec)) return abilityRequirement(server, owner, 'view')
  return typeof spec.security?.read === 'string' ? namedRequirement(server, owner, spec.security.read) : 'open'
}

/** Returns the requirement of the endpoint that changes a relation. */
export function mutateRequirement(server: string, owner: ServedType, { spec }: ServedRelation): Requirement {
  const ability = mutateAbility(spec)
  if (ability === null) return 'open'
  return ability === 'update' ? abilityRequirement(server, owner, 'update') : namedRequirement(server, owner, ability)
}

/** Returns the requirement of an action: `some` if a function of the application decides. */
export function actionRequirement(
  server: string,
  owner: ServedType,
  { ability, allowed }: CompiledAction,
): Requirement {
  const byAbility = typeof ability === 'string' ? namedRequirement(server, owner, ability) : 'open'
  return allowed === null || byAbility === 'all' ? byAbility : 'some'
}
