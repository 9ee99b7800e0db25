import { sentence } from '../../core/errors/sentence.js'
import type { AttributeSpec, ChildSpecs } from '../../declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../declare/resource/fields/constraint.js'
import { comparedNames } from '../../declare/resource/fields/constraint.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { Awaitable } from '../../core/util/types.js'
import { collectUpTo, joinInOrder, mapAwaitable } from '../../core/util/awaitable.js'
import { isWritableChild } from './writable-attributes.js'
import { violationsOf } from './constraint-violations.js'
import { fieldRules, hasPresenceRule } from './field-rules.js'
import { formViolations, isEmptyValue } from './form-violations.js'
import type { RuleContext } from './validation.js'
import { childrenOf, isSentBack, isMergedOverStored, rawChild } from './resulting-value.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation, prefixedViolations } from './violation.js'

/** The context in which a field is checked, together with its siblings. */
export interface FieldValidation extends Omit<RuleContext, 'spec'> {
  /** Whether a missing required member is a violation. If false, the member was already missing before the write. */
  readonly checksRequired: boolean
  /** Whether stored values that were not sent are checked too. */
  readonly validateStored: boolean
  /** Whether a field next to this one was sent. */
  readonly isSent: (name: string) => boolean
}

/** A field of a write, with its values before and after. */
export interface WrittenField {
  /** The value after the write; `undefined` if there is none. */
  readonly value: unknown
  /** The value that the client sent; `undefined` if it sent none. */
  readonly sent: unknown
  /** The stored value, not serialized. */
  readonly raw: unknown
  /** The stored value as clients read it; `undefined` if they read none. */
  readonly wire: unknown
}

/** Checks presence, null, form, constraints and children of one field, with its value after the write. */
export function fieldViolations(
  spec: AttributeSpec,
  field: WrittenField,
  validation: FieldValidation,
): Awaitable<readonly Violation[]> {
  const { sizes, others, presence, presenceOfMissing } = fieldRules(spec.constraints)
  const { value, raw } = field
  if (field.sent === undefined && value !== undefined && !validation.validateStored) {
    return comparisonViolations(spec, value, validation)
  }
  if (value === undefined)
    return isMissing(presenceOfMissing, raw, validation) ? valueViolation(sentence('required')) : noViolations
  if (value === null) {
    return hasPresenceRule(presence, 'nullable', value, validation) ? noViolations : valueViolation(sentence('notNull'))
  }
  const wrongForm = formViolations(spec, value, validation)
  if (wrongForm.length > 0) return isShownForm(spec, field) ? noViolations : wrongForm
  if (isEmptyValue(value) && hasPresenceRule(presence, 'required', value, validation))
    return valueViolation(sentence('notEmpty'))
  // Sizes are checked first, and the other rules are skipped if one is exceeded: a user-defined pattern must not run on
  // a text that is too long for it.
  const { mode, context, schemas, limit, sibling } = validation
  const ruleContext = { mode, context, schemas, limit, sibling, spec }
  return mapAwaitable(violationsOf(sizes, value, ruleContext), (oversize) => {
    if (oversize.length > 0) return oversize
    if (spec.kind.children === 'none') return violationsOf(others, value, ruleContext)
    return joinInOrder(
      () => violationsOf(others, value, ruleContext),
      () => childViolations(spec, field, validation),
    )
  })
}

/** Checks a stored value against the rules that compare it with a field that was sent. */
function comparisonViolations(
  spec: AttributeSpec,
  value: unknown,
  { mode, context, schemas, limit, sibling, isSent }: FieldValidation,
): Awaitable<readonly Violation[]> {
  const rules = spec.constraints.filter((rule) => comparedNames(rule).some(isSent))
  if (rules.length === 0 || value === null) return noViolations
  return violationsOf(rules, value, { mode, context, schemas, limit, sibling, spec })
}

/**
 * Whether the value is the stored one as clients read it. Clients can send back a value that they have read, whatever form it has,
 * and it changes nothing. A value that stays stored may have another form only if a user-defined function shows it.
 */
function isShownForm({ serialize }: AttributeSpec, { value, sent, wire }: WrittenField): boolean {
  return (serialize !== null || sent !== undefined) && isSentBack(value, wire)
}

/**
 * Whether a required value is missing. `requiredOnUpdate` never requires a member that is missing. A value that clients
 * cannot read counts as present if it is stored.
 */
function isMissing(rules: readonly Constraint[], raw: unknown, validation: FieldValidation): boolean {
  if (!validation.checksRequired || (raw !== undefined && raw !== null)) return false
  return hasPresenceRule(rules, 'required', undefined, validation)
}

function childViolations(
  spec: AttributeSpec,
  field: WrittenField,
  validation: FieldValidation,
): Awaitable<readonly Violation[]> {
  const { value, sent, raw } = field
  if (!isPlainObject(value)) return noViolations
  const children = childrenOf(spec, value)
  if (children === null) return unknownVariant(spec)
  // The children of a map are columns of its owner, and are required under the same conditions as those. An object is
  // one value, and must be complete.
  if (spec.kind.children === 'columns') return memberViolations(children, field, validation)
  const isMerged = isMergedOverStored(spec, value, raw)
  if (isMerged || sent === undefined)
    return memberViolations(children, field, { ...validation, checksRequired: isMerged })
  return memberViolations(
    children,
    { ...field, raw: undefined, wire: undefined },
    { ...validation, checksRequired: true, mode: 'create' },
  )
}

function unknownVariant({ discriminator, variants }: AttributeSpec): readonly Violation[] {
  const names = Object.keys(variants).map((name) => `"${name}"`)
  return prefixedViolations(discriminator, valueViolation(sentence('oneOf', { values: names.join(', ') })))
}

function memberViolations(
  children: ChildSpecs,
  owner: WrittenField,
  validation: FieldValidation,
): Awaitable<readonly Violation[]> {
  const sibling: RuleContext['sibling'] = (name) => ({
    value: memberOf(owner.value, name),
    moment: (Object.hasOwn(children, name) ? children[name]?.kind.moment : null) ?? null,
  })
  const isSent = (name: string): boolean => memberOf(owner.sent, name) !== undefined
  const memberValidation = { ...validation, sibling, isSent }
  return collectUpTo(
    Object.entries(children),
    validation.limit,
    ([name, child]) => {
      if (!isWritableChild(child)) return noViolations
      const [value, sent] = [memberOf(owner.value, name), memberOf(owner.sent, name)]
      const field = { value, sent, raw: rawChild(name, child, owner.raw), wire: memberOf(owner.wire, name) }
      return fieldViolations(child, field, memberValidation)
    },
    (violations, [name]) => prefixedViolations(name, violations),
  )
}

function memberOf(owner: unknown, name: string): unknown {
  return isPlainObject(owner) && Object.hasOwn(owner, name) ? owner[name] : undefined
}
