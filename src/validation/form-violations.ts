import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { MomentFormat } from '../resource/fields/moment-format.js'
import { itemViolations } from './item-violations.js'
import type { Validation } from './validation.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation } from './violation.js'
import { textViolations } from './text-violations.js'

/**
 * Checks the form of a value: its JSON type, whether its texts can be stored, whether a date or time is real, and the
 * JSON types of list items.
 */
export function formViolations(
  spec: AttributeSpec,
  value: unknown,
  options: Pick<Validation, 'schemas' | 'limit'>,
): readonly Violation[] {
  const { kind, items, constraints } = spec
  const wrongType = options.schemas.violations(kind.schema, value, 1)
  if (wrongType.length > 0) return wrongType
  // The children of composites are checked one by one, and members that are not declared are not stored.
  const unstorable = kind.children === 'none' ? textViolations(value, options.limit) : noViolations
  if (unstorable.length > 0) return unstorable
  if (kind.moment !== null && typeof value === 'string' && !isMoment(kind.moment, value)) {
    return valueViolation(`This must be a real date or time, written ${kind.moment.pattern}.`)
  }
  const textProblem = typeof value === 'string' ? (kind.textProblem?.(value) ?? null) : null
  if (textProblem !== null) return valueViolation(textProblem)
  if (!Array.isArray(value) || !kind.families.includes('list')) return noViolations
  return itemViolations(items, constraints, value, options)
}

/** Whether a text is a real date or time. Fast path: a text in exactly the written form needs no parsing. */
function isMoment(format: MomentFormat, text: string): boolean {
  return format.isCanonical?.(text) === true || format.read(text) !== null
}
