import { isPlainObject } from '../util/deep-freeze.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation, prefixedViolations } from './violation.js'

/**
 * Checks that a value has no text that stores cannot hold: half of a surrogate pair has no UTF-8 encoding (RFC 3629,
 * section 3), and databases end texts at U+0000. Such texts are refused for every store, in values and in the names of
 * members, at any depth.
 */
export function textViolations(value: unknown, limit: number): readonly Violation[] {
  if (typeof value === 'string') {
    const fault = faultOf(value)
    return fault === null ? noViolations : valueViolation(`This ${fault}.`)
  }
  if (Array.isArray(value)) return memberViolations(value.entries(), limit)
  if (!isPlainObject(value)) return noViolations
  const name = Object.keys(value).find((each) => faultOf(each) !== null)
  // Reported for the object: a pointer to the member would contain the same malformed text.
  if (name !== undefined) return valueViolation(`This has a member whose name ${faultOf(name)}.`)
  return memberViolations(Object.entries(value), limit)
}

function memberViolations(members: Iterable<readonly [string | number, unknown]>, limit: number): readonly Violation[] {
  const violations: Violation[] = []
  for (const [token, member] of members) {
    if (violations.length >= limit) break
    violations.push(...prefixedViolations(token, textViolations(member, limit - violations.length)))
  }
  return violations
}

function faultOf(text: string): string | null {
  if (!text.isWellFormed()) return 'is not well-formed text'
  return text.includes('\u0000') ? 'has the character U+0000' : null
}
