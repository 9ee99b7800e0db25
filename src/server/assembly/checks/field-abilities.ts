import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { CompiledAction } from '../../../declare/resource/actions/compiled-action.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RelationSpec } from '../../../declare/resource/relations/relation-spec.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'
import { declaredAttributes } from './declared-attributes.js'

/** Checks that `visibleIf()`, `security()` and actions name abilities that the policy declares. */
export const fieldAbilities: BuildRule = eachType(({ type }) => [
  ...[...type.attributes, ...type.relations].flatMap(({ name, spec: { visibleIf } }) =>
    visibleIf === null ? [] : namedFaults(`${name}.visibleIf`, visibleIf, type),
  ),
  ...declaredAttributes(type).flatMap(({ member, spec, declaredOn }) =>
    declaredOn === 'pivot' && spec.visibleIf !== null
      ? [{ member, problem: 'visibleIf() does nothing on a field of join rows', remedy: 'put it on the relation' }]
      : [],
  ),
  ...type.relations.flatMap(({ name, spec }) => securityFaults(name, spec, type)),
  ...type.actions.flatMap((action) => actionFaults(action, type)),
])

function securityFaults(name: string, spec: RelationSpec, type: CompiledType): readonly TypeFault[] {
  const security: unknown = spec.security
  if (security === null) return []
  const member = `${name}.security`
  if (!isPlainObject(security)) return [{ member, problem: `is ${describeValue(security)}`, remedy: securityRemedy }]
  return Object.entries(security).flatMap(([option, ability]): readonly TypeFault[] => {
    if (option !== 'read' && option !== 'mutate') {
      return [{ member: `${member}.${option}`, problem: 'is not an option', remedy: "use 'read' or 'mutate'" }]
    }
    if (ability === undefined || ability === null || typeof ability === 'boolean') return []
    return namedFaults(`${member}.${option}`, ability, type)
  })
}

/** The abilities of soft deletes may be left out, and are denied then. Renamed ones must be declared. */
function actionFaults({ path, ability, builtIn }: CompiledAction, type: CompiledType): readonly TypeFault[] {
  if (typeof ability !== 'string' || ability === builtIn) return []
  return namedFaults(builtIn === null ? `actions.${path}.ability` : `softDeletes.${builtIn}Ability`, ability, type)
}

const securityRemedy = "give an object: { read: 'update', mutate: false }"

function namedFaults(member: string, ability: unknown, { policy }: CompiledType): readonly TypeFault[] {
  if (typeof ability !== 'string') {
    return [{ member, problem: `is ${describeValue(ability)}`, remedy: 'name an ability of the policy' }]
  }
  if (policy?.declares(ability) === true) return []
  if (policy === null) {
    const problem = `names the ability '${ability}', but the type has no policy`
    return [{ member, problem, remedy: 'declare a policy with this ability' }]
  }
  const problem = `names the ability '${ability}', which the policy does not declare`
  return [{ member, problem, remedy: `declare policy.custom.${ability}, or name another ability` }]
}
