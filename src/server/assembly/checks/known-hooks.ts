import type { ResourceHooks } from '../../../declare/resource/events/hooks.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

/** The type of this record makes the compiler report missing entries. */
const known: Readonly<Record<keyof ResourceHooks, true>> = Object.freeze({
  beforeSave: true,
  beforeCreate: true,
  beforeUpdate: true,
  beforeDelete: true,
  beforeRelationshipMutate: true,
  afterCreate: true,
  afterUpdate: true,
  afterSave: true,
  afterDelete: true,
  afterRelationshipMutate: true,
  afterFetchOne: true,
  afterFetchCollection: true,
})

/** Checks that hooks are functions with known names, so that a misspelt hook is reported instead of ignored. */
export const knownHooks: BuildRule = eachType(({ rawMembers: given }): readonly TypeFault[] => {
  const hooks = given['hooks'] ?? null
  if (hooks === null) return []
  if (typeof hooks !== 'object' || Array.isArray(hooks)) {
    return [{ member: 'hooks', problem: `is ${describeValue(hooks)}`, remedy: 'give an object of functions' }]
  }
  return Object.entries(hooks).flatMap(([name, hook]: readonly [string, unknown]) => {
    const member = `hooks.${name}`
    if (!Object.hasOwn(known, name)) {
      return [{ member, problem: 'is not a hook', remedy: `correct its name: ${oneOf(Object.keys(known))}` }]
    }
    if (hook === undefined || typeof hook === 'function') return []
    return [{ member, problem: `is ${describeValue(hook)}`, remedy: 'give a function, or leave it out' }]
  })
})
