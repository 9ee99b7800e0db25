import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { Abilities } from '../../../declare/resource/policy/abilities.js'
import { requiredAbility } from '../../../declare/resource/policy/abilities.js'
import type { CompiledAction } from '../../../declare/resource/actions/compiled-action.js'
import type { FieldGuard, Visibility } from '../../../declare/resource/fields/field-guard.js'
import type { FieldSpec } from '../../../declare/resource/fields/field-spec.js'
import type { CompiledPolicy } from '../../../declare/resource/policy/policy.js'
import type { RelationSpec } from '../../../declare/resource/relations/relation-spec.js'
import { OperationContext, resultKey } from '../../../declare/resource/request/memoize-in-request.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'

/** Adds the guards of `visibleIf()` and `security({ read })` to the fields of a type, and those of links to its actions. */
export interface FieldGuards {
  readonly onField: <Spec extends FieldSpec>(spec: Spec) => Spec
  readonly onRelation: (spec: RelationSpec) => RelationSpec
  readonly onAction: (action: CompiledAction) => CompiledAction
  /** Returns the guard of an ability; `null` if the type has no policy, or if the value is not a name. */
  readonly guardOf: (ability: unknown) => FieldGuard | null
}

/**
 * Returns the guards of a type. Fields with the same ability share one.
 *
 * @param policy `null` if the type has none. Then nothing is guarded, and the rule fieldAbilities reports the fields.
 */
export function fieldGuards(policy: CompiledPolicy | null, declaredAbilities: unknown): FieldGuards {
  const guards = new Map<string, FieldGuard>()
  const abilities = isPlainObject(declaredAbilities) ? (declaredAbilities as Abilities) : null
  const guardOf = (ability: unknown): FieldGuard | null => {
    if (policy === null || typeof ability !== 'string') return null
    const guard = guards.get(ability) ?? newGuard(ability, policy, abilities)
    guards.set(ability, guard)
    return guard
  }
  const onField = <Spec extends FieldSpec>(spec: Spec): Spec => {
    const guard = guardOf(spec.visibleIf)
    return guard === null ? spec : Object.freeze({ ...spec, guard })
  }
  const onRelation = (spec: RelationSpec): RelationSpec => {
    const readGuard = guardOf(spec.security?.read)
    return readGuard === null ? onField(spec) : Object.freeze({ ...onField(spec), readGuard })
  }
  const onAction = (action: CompiledAction): CompiledAction => {
    const guard = action.asLink ? guardOf(action.ability) : null
    if (guard === null) return action
    return Object.freeze({ ...action, guard, linkColumns: guard.checksRow ? null : action.linkColumns })
  }
  return { onField, onRelation, onAction, guardOf }
}

function newGuard(ability: string, policy: CompiledPolicy, abilities: Abilities | null): FieldGuard {
  const key = resultKey<Visibility>()
  const required = requiredAbility(abilities, ability)
  return Object.freeze<FieldGuard>({
    ability,
    flag: `ability(${ability})`,
    checksRow: required !== null && policy.isCheck(required),
    visibilityIn: (context) =>
      OperationContext.resultIn(context, key) ??
      OperationContext.storeIn(context, key, visibilityFor(policy, required, context)),
    assume(context, visibility) {
      OperationContext.storeIn(context, key, visibility)
    },
  })
}

function visibilityFor(policy: CompiledPolicy, required: string | null, context: RequestContext): Visibility {
  const permission = required === null || policy.permission(required, context)
  if (typeof permission !== 'boolean') return 'byRow'
  return permission ? 'visible' : 'hidden'
}
