import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

/** A type has exactly one id. */
export const oneId: BuildRule = eachType(({ type: { ids }, rawMembers: given }) => {
  // An invalid id was reported when the declaration was read.
  if (ids.length === 1 || (ids.length === 0 && given['id'] !== undefined)) return []
  return [
    {
      member: 'id',
      problem: ids.length === 0 ? 'has no id' : `has ${ids.length} ids`,
      remedy: ids.length === 0 ? 'declare one: id: id()' : 'keep one id() and declare the others as attributes',
    },
  ]
})
