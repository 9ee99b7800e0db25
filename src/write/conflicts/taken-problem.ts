import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { UniqueSet } from '../../resource/unique-sets.js'

/** 422: another row has the same. A store may have indexes of which no declaration tells: then there is no rule. */
export function takenProblem(rule: UniqueSet['rule'] | null, at: string): Problem {
  const message = rule?.message ?? 'This value is already taken.'
  return problem('VALIDATION_FAILED', { message }, { source: { pointer: at } })
}
