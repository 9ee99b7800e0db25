import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { UniqueSet } from '../../resource/unique-sets.js'

/**
 * Returns the 422 problem of a value that another row has. The rule is `null` for an index of the store that is not
 * declared.
 */
export function takenProblem(rule: UniqueSet['rule'] | null, at: string): Problem {
  const message = rule?.message ?? 'This value is already taken.'
  return problem('VALIDATION_FAILED', { message }, { source: { pointer: at } })
}
