import type { BuildRule } from './build-rule.js'
import { eachType } from './build-rule.js'

/** A type has exactly one id. */
export const oneId: BuildRule = eachType(({ type: { ids } }) => {
  if (ids.length === 1) return []
  return [
    {
      member: 'id',
      problem: ids.length === 0 ? 'has no id' : `has ${ids.length} ids`,
      remedy: ids.length === 0 ? 'declare one: id: id()' : 'keep one id() and declare the others as attributes',
    },
  ]
})
