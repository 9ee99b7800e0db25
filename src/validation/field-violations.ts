import type { AttributeSpec, ChildSpecs } from '../resource/fields/attribute-declaration.js'
import type { Constraint } from '../resource/fields/constraint.js'
import { isPlainObject } from '../util/frozen.js'
import type { Awaitable } from '../util/types.js'
import { gathered, whenKnown } from '../util/when-known.js'
import { isWritableChild } from './writable-attributes.js'
import { violationsOf } from './constraint-violations.js'
import { fieldRules } from './field-rules.js'
import { formViolations } from './form-violations.js'
import type { Judging } from './judging.js'
import { demands, isEmpty } from './presence.js'
import { childrenOf, isRepeated, keepsStored, rawChild } from './resulting-value.js'
import type { Violation } from './violation.js'
import { nothing, wholeValue, within } from './violation.js'

/** How a field is checked that stands among others. */
export interface FieldValidation extends Omit<Judging, 'spec'> {
  /** Whether what is required must be there. Where not, a member that is not there was none before either. */
  readonly whole: boolean
}

/** What a write makes of a field. */
export interface WrittenField {
  /** The value as it will be, `undefined` for none. */
  readonly value: unknown
  /** What of it is sent, `undefined` for nothing. */
  readonly sent: unknown
  /** What is stored of it, not as clients read it. */
  readonly raw: unknown
  /** What clients read of it, `undefined` for nothing. */
  readonly wire: unknown
}

/** Presence, null, form, constraints and children of one field, as it will be after the write. */
export function fieldViolations(
  spec: AttributeSpec,
  field: WrittenField,
  validation: FieldValidation,
): Awaitable<readonly Violation[]> {
  const { sizes, others, presence, presenceOfNew } = fieldRules(spec.constraints)
  const { value, raw } = field
  if (value === undefined) return isMissing(presenceOfNew, raw, validation) ? wholeValue('This is required.') : nothing
  if (value === null) {
    return demands(presence, 'nullable', value, validation) ? nothing : wholeValue('This must not be null.')
  }
  const unfit = formViolations(spec, value, validation)
  if (unfit.length > 0) return isShownSo(spec, field) ? nothing : unfit
  if (isEmpty(value) && demands(presence, 'required', value, validation)) return wholeValue('This must not be empty.')
  // Sizes first, and nothing else where one is exceeded: they shield an author's patterns from what is too long for them.
  const { mode, context, schemas, limit, sibling } = validation
  const judging = { mode, context, schemas, limit, sibling, spec }
  return whenKnown(violationsOf(sizes, value, judging), (oversize) => {
    if (oversize.length > 0) return oversize
    const found = violationsOf(others, value, judging)
    if (spec.kind.children === 'none') return found
    return whenKnown(found, (own) =>
      whenKnown(childViolations(spec, field, validation), (inside) => [...own, ...inside]),
    )
  })
}

/** An author may show a value in another form than it is sent in. Such a one, kept or sent back, is nobody's mistake. */
function isShownSo({ serialize }: AttributeSpec, { value, raw, wire }: WrittenField): boolean {
  return (serialize !== null || typeof raw === 'bigint') && isRepeated(value, wire)
}

/** `requiredOnUpdate` never asks for a member that is not there. What no client reads is there where it is stored. */
function isMissing(rules: readonly Constraint[], raw: unknown, validation: FieldValidation): boolean {
  if (!validation.whole || (raw !== undefined && raw !== null)) return false
  return demands(rules, 'required', undefined, validation)
}

function childViolations(
  spec: AttributeSpec,
  field: WrittenField,
  validation: FieldValidation,
): Awaitable<readonly Violation[]> {
  const { value, sent, raw } = field
  if (!isPlainObject(value)) return nothing
  const children = childrenOf(spec, value)
  if (children === null) return unknownVariant(spec)
  // The children of a map are columns of its owner, and as much demanded as those. An object is one value: it is whole.
  if (spec.kind.children === 'columns') return memberViolations(children, field, validation)
  const isKept = keepsStored(spec, value, raw)
  if (isKept || sent === undefined) return memberViolations(children, field, { ...validation, whole: isKept })
  return memberViolations(
    children,
    { ...field, raw: undefined, wire: undefined },
    { ...validation, whole: true, mode: 'create' },
  )
}

function unknownVariant({ discriminator, variants }: AttributeSpec): readonly Violation[] {
  const names = Object.keys(variants).map((name) => `"${name}"`)
  return within(discriminator, wholeValue(`This must be one of ${names.join(', ')}.`))
}

function memberViolations(
  children: ChildSpecs,
  owner: WrittenField,
  validation: FieldValidation,
): Awaitable<readonly Violation[]> {
  const sibling: Judging['sibling'] = (name) => ({
    value: memberOf(owner.value, name),
    moment: (Object.hasOwn(children, name) ? children[name]?.kind.moment : null) ?? null,
  })
  const among = { ...validation, sibling }
  return gathered(Object.entries(children), validation.limit, ([name, child]) => {
    if (!isWritableChild(child)) return nothing
    const [value, sent] = [memberOf(owner.value, name), memberOf(owner.sent, name)]
    const field = { value, sent, raw: rawChild(name, child, owner.raw), wire: memberOf(owner.wire, name) }
    return whenKnown(fieldViolations(child, field, among), (violations) => within(name, violations))
  })
}

function memberOf(owner: unknown, name: string): unknown {
  return isPlainObject(owner) && Object.hasOwn(owner, name) ? owner[name] : undefined
}
