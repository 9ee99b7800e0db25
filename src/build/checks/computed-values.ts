import { attributePlaces } from './attribute-places.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

/** What is computed has something that computes it, unless it is never shown. */
export const computedValues: BuildRule = eachType(({ type, serializer }) => {
  if (serializer !== null || type.origin === 'capabilities') return []
  return attributePlaces(type)
    .filter(({ spec }) => spec.computed && spec.extract === null && spec.serialize === null)
    .filter(({ spec }) => spec.hidden !== true && spec.writeOnly !== true)
    .map(({ member }) => ({
      member,
      problem: 'is computed by nothing',
      remedy: 'say how: computed((row) => …), or computed().extractUsing((row) => …)',
    }))
})
