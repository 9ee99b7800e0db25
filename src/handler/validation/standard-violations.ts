import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Violation } from './violation.js'
import { nothing, wholeValue } from './violation.js'

/** What a validator of another library finds. What it makes of the value is dropped: it only judges. */
export async function standardViolations(
  validator: StandardSchemaV1,
  value: unknown,
  limit: number,
): Promise<readonly Violation[]> {
  const { issues } = await validator['~standard'].validate(value)
  if (issues === undefined) return nothing
  if (issues.length === 0) return wholeValue('This is not valid.')
  return issues.slice(0, limit).map(({ path = [], message }) => ({
    path: path.map((segment) => String(typeof segment === 'object' ? segment.key : segment)),
    message,
  }))
}
