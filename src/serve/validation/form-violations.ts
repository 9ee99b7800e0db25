import { sentence } from '../../core/errors/sentence.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { MomentFormat } from '../../declare/resource/fields/moment-format.js'
import { itemViolations } from './item-violations.js'
import type { Validation } from './validation.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation, prefixedViolations } from './violation.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import { isStorableText } from '../../core/util/storable-text.js'

/**
 * Checks the form of a value: its JSON type, whether its texts can be stored, whether a date or time is real, and the
 * JSON types of list items.
 */
export function formViolations(
  spec: AttributeSpec,
  value: unknown,
  options: Pick<Validation, 'schemas' | 'limit'>,
): readonly Violation[] {
  const wrongType = options.schemas.violations(spec.kind.schema, value, 1)
  return wrongType.length > 0 ? wrongType : contentViolations(spec, value, options)
}

/** Checks the form of a value that has the right JSON type. */
export function contentViolations(
  { kind, items, constraints }: AttributeSpec,
  value: unknown,
  options: Pick<Validation, 'schemas' | 'limit'>,
): readonly Violation[] {
  // The children of composites are checked one by one, and members that are not declared are not stored.
  const unstorable = kind.children === 'none' ? textViolations(value, options.limit) : noViolations
  if (unstorable.length > 0) return unstorable
  if (kind.moment !== null && typeof value === 'string' && !isMoment(kind.moment, value)) {
    return valueViolation(sentence('momentForm', { pattern: kind.moment.pattern }))
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

/**
 * Checks that a value has no text that stores cannot hold: half of a surrogate pair has no UTF-8 encoding (RFC 3629,
 * section 3), and databases end texts at U+0000. Such texts are refused for every store, in values and in the names of
 * members, at any depth.
 */
function textViolations(value: unknown, limit: number): readonly Violation[] {
  if (typeof value === 'string') {
    const fault = faultOf(value)
    return fault === null ? noViolations : valueViolation(sentence(fault))
  }
  if (Array.isArray(value)) return memberViolations(value.entries(), limit)
  if (!isPlainObject(value)) return noViolations
  for (const name in value) {
    const fault = Object.hasOwn(value, name) ? faultOf(name) : null
    // Reported for the object: a pointer to the member would contain the same malformed text.
    if (fault !== null) return valueViolation(sentence(nameRules[fault]))
  }
  return memberViolations(Object.entries(value), limit)
}

function memberViolations(members: Iterable<readonly [string | number, unknown]>, limit: number): readonly Violation[] {
  const violations: Violation[] = []
  for (const [token, member] of members) {
    if (violations.length >= limit) break
    // Most members of long lists are texts that can be stored.
    if (typeof member === 'string' ? faultOf(member) === null : typeof member !== 'object') continue
    violations.push(...prefixedViolations(token, textViolations(member, limit - violations.length)))
  }
  return violations
}

const nameRules = Object.freeze({ wellFormed: 'wellFormedName', noNullCharacter: 'noNullCharacterInName' } as const)

function faultOf(text: string): keyof typeof nameRules | null {
  if (isStorableText(text)) return null
  return text.isWellFormed() ? 'noNullCharacter' : 'wellFormed'
}

/**
 * Whether `required` refuses a value that is not null: an empty string or an empty list. `false`, 0 and an object
 * without members are not empty.
 */
export function isEmptyValue(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}
