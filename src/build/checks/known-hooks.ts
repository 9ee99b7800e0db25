import type { ResourceHooks } from '../../resource/hooks.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, shown } from '../declared/shown.js'

/** The compiler keeps this list complete. */
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

/** Hooks are functions that somebody calls: a misspelt one is not passed over. */
export const knownHooks: BuildRule = eachType(({ given }): readonly TypeFault[] => {
  const hooks = given['hooks'] ?? null
  if (hooks === null) return []
  if (typeof hooks !== 'object' || Array.isArray(hooks)) {
    return [{ member: 'hooks', problem: `is ${shown(hooks)}`, remedy: 'give an object of functions' }]
  }
  return Object.entries(hooks).flatMap(([name, hook]: readonly [string, unknown]) => {
    const member = `hooks.${name}`
    if (!Object.hasOwn(known, name)) {
      return [{ member, problem: 'is no hook', remedy: `correct its name: ${oneOf(Object.keys(known))}` }]
    }
    if (hook === undefined || typeof hook === 'function') return []
    return [{ member, problem: `is ${shown(hook)}`, remedy: 'give a function, or leave it out' }]
  })
})
