import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { MomentFormat } from '../resource/fields/moment-format.js'
import { itemViolations } from './item-violations.js'
import type { Validation } from './validation.js'
import type { Violation } from './violation.js'
import { nothing, wholeValue } from './violation.js'
import { textViolations } from './well-formed-text.js'

/** What is of the wrong JSON type, no text that can be kept, no real date or time, or a list of the wrong items. */
export function formViolations(
  spec: AttributeSpec,
  value: unknown,
  forms: Pick<Validation, 'schemas' | 'limit'>,
): readonly Violation[] {
  const { kind, items, constraints } = spec
  const wrongType = forms.schemas.violations(kind.schema, value, 1)
  if (wrongType.length > 0) return wrongType
  // Children of composites are looked at one by one, and what is no child is not kept.
  const unkept = kind.children === 'none' ? textViolations(value, forms.limit) : nothing
  if (unkept.length > 0) return unkept
  if (kind.moment !== null && typeof value === 'string' && !isMoment(kind.moment, value)) {
    return wholeValue(`This must be a real date or time, written ${kind.moment.pattern}.`)
  }
  if (!Array.isArray(value) || !kind.families.includes('list')) return nothing
  return itemViolations(items, constraints, value, forms)
}

/** What would be written just so names a moment for sure. */
function isMoment(format: MomentFormat, text: string): boolean {
  return format.isWritten?.(text) === true || format.read(text) !== null
}
