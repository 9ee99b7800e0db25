import type { Problem } from '../errors/json-api-error.js'
import { problem } from '../errors/json-api-error.js'

/** Something wrong with the structure of a batch. */
export function invalid(message: string, at: string): Problem {
  return problem('ATOMIC_OPERATIONS_INVALID', { message }, { source: { pointer: at } })
}
