import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

/** Checks that a computed attribute has a function that computes it, unless it is never rendered. */
export const computedValues: BuildRule = eachType(({ type, serializer }) => {
  if (serializer !== null || type.origin === 'capabilities') return []
  return declaredAttributes(type)
    .filter(({ spec }) => spec.computed && spec.extract === null && spec.serialize === null)
    .filter(({ spec }) => spec.hidden !== true && spec.writeOnly !== true)
    .map(({ member }) => ({
      member,
      problem: 'is computed, but has no function that computes it',
      remedy: 'give a function: computed((row) => …), or computed().extractUsing((row) => …)',
    }))
})
