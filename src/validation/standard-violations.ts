import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Awaitable } from '../util/types.js'
import { mapAwaitable } from '../util/awaitable.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation } from './violation.js'

/** Checks a value with a Standard Schema validator of another library. The output value of the validator is ignored. */
export function standardViolations(
  validator: StandardSchemaV1,
  value: unknown,
  limit: number,
): Awaitable<readonly Violation[]> {
  return mapAwaitable(validator['~standard'].validate(value), ({ issues }) => issueViolations(issues, limit))
}

function issueViolations(issues: readonly StandardSchemaV1.Issue[] | undefined, limit: number): readonly Violation[] {
  if (issues === undefined) return noViolations
  if (issues.length === 0) return valueViolation('This is not valid.')
  return issues.slice(0, limit).map(({ path = [], message }) => ({
    path: path.map((segment) => String(typeof segment === 'object' ? segment.key : segment)),
    message,
  }))
}
