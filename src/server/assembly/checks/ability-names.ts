import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue, oneOf } from '../declared/describe-value.js'
import { resourceOperations } from '../../../declare/resource/replies/responses.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'

/** Checks that `abilities` names operations, and abilities that the policy declares. */
export const abilityNames: BuildRule = eachType(({ type, rawMembers }) => {
  const abilities: unknown = rawMembers['abilities']
  if (abilities === undefined || abilities === null) return []
  if (!isPlainObject(abilities)) {
    const remedy = "give an object: { Create: 'publish', FetchCollection: false }"
    return [{ member: 'abilities', problem: `is ${describeValue(abilities)}`, remedy }]
  }
  return Object.entries(abilities).flatMap(([operation, ability]) => abilityFaults(operation, ability, type))
})

function abilityFaults(operation: string, ability: unknown, { policy }: CompiledType): readonly TypeFault[] {
  const member = `abilities.${operation}`
  if (!(resourceOperations as readonly string[]).includes(operation)) {
    return [{ member, problem: 'is not an operation', remedy: `use ${oneOf(resourceOperations)}` }]
  }
  if (typeof ability === 'boolean') return []
  if (typeof ability !== 'string') {
    return [{ member, problem: `is ${describeValue(ability)}`, remedy: 'name an ability of the policy, or give false' }]
  }
  if (policy?.declares(ability) === true) {
    if (operation !== 'FetchCollection' || !policy.isRowRule(ability)) return []
    const problem = `names the ability '${ability}', which is a rule about rows, but is checked before rows are read`
    return [{ member, problem, remedy: 'name an ability that the caller decides, or give false' }]
  }
  const problem = `names the ability '${ability}', which the policy does not declare`
  return [{ member, problem, remedy: `declare policy.custom.${ability}, or name another ability` }]
}
