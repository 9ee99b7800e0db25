import type { AttributeSpec, ChildSpecs } from '../../resource/fields/attribute-declaration.js'
import type { Constraint } from '../../resource/fields/constraint.js'
import type { JsonSchema } from '../../resource/json-schema.js'
import { isPlainObject } from '../../util/frozen.js'
import { isWritableChild } from '../steps/writable-attributes.js'
import { ruleViolations } from './constraint-violations.js'
import type { Violation } from './schema-validator.js'
import type { Validation } from './validation.js'
import { siblingsIn } from './validation.js'

const nothing: readonly Violation[] = Object.freeze([])

/**
 * Presence, null, JSON type, constraints and children of one field. `undefined` as the value is a member that was not
 * sent, as what is stored a member that is not there.
 */
export async function fieldViolations(
  spec: AttributeSpec,
  value: unknown,
  stored: unknown,
  validation: Validation,
): Promise<readonly Violation[]> {
  const rules = spec.constraints.filter(({ on }) => on === 'always' || on === validation.mode)
  const required = demands(rules, 'required', value, validation)
  if (value === undefined) return required && validation.mode === 'create' ? whole('This is required.') : nothing
  if (value === null) {
    return demands(rules, 'nullable', value, validation) ? nothing : whole('This must not be null.')
  }
  const unfit = unfitValue(spec, value, validation)
  if (unfit.length > 0) return unfit
  if (required && isEmpty(value)) return whole('This must not be empty.')
  // Sizes first, and nothing else where one is exceeded: they shield an author's patterns from what is too long for them.
  const oversize = await ruleViolations(rules.filter(limitsSize), value, { ...validation, spec })
  if (oversize.length > 0) return oversize
  const violations = await ruleViolations(
    rules.filter((rule) => !limitsSize(rule)),
    value,
    { ...validation, spec },
  )
  return [...violations, ...(await childViolations(spec, value, stored, validation))]
}

/** A value of the wrong JSON type, or no real date or time. */
function unfitValue(spec: AttributeSpec, value: unknown, validation: Validation): readonly Violation[] {
  const { moment, schema } = spec.kind
  const wrongType = validation.schemas.violations(schema, value, validation.limit)
  if (wrongType.length > 0) return wrongType
  if (moment !== null && typeof value === 'string' && moment.read(value) === null) {
    return whole(`This must be a real date or time, written ${moment.pattern}.`)
  }
  return unfitItems(spec, value, validation)
}

/** A list has items of one JSON type, strings unless it says otherwise; or of the author's own shape. */
function unfitItems(
  { kind, items, constraints }: AttributeSpec,
  value: unknown,
  { schemas, limit }: Validation,
): readonly Violation[] {
  if (!Array.isArray(value) || !kind.families.includes('list')) return nothing
  if (items === null && constraints.some(saysShapeOfItems)) return nothing
  const violations: Violation[] = []
  for (const [index, item] of value.entries()) {
    if (violations.length >= limit) break
    for (const { path, message } of schemas.violations(itemSchemas[items ?? 'string'], item, 1)) {
      violations.push({ path: [String(index), ...path], message })
    }
  }
  return violations
}

const itemSchemas: Readonly<Record<NonNullable<AttributeSpec['items']>, JsonSchema>> = Object.freeze({
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
})

function saysShapeOfItems(constraint: Constraint): boolean {
  if (constraint.kind === 'each') return constraint.constraints.some(saysShapeOfItems)
  return constraint.kind === 'standard' || (constraint.kind === 'schema' && constraint.name === 'shape')
}

const sizes: readonly string[] = Object.freeze(['maxLength', 'maxItems', 'maxProperties'])

function limitsSize(rule: Constraint): boolean {
  return rule.kind === 'schema' && sizes.includes(rule.name)
}

/** `required` and `nullable` may stand inside `when`. */
export function demands(
  rules: readonly Constraint[],
  kind: 'required' | 'nullable',
  value: unknown,
  validation: Pick<Validation, 'context'>,
): boolean {
  return rules.some((rule) => {
    if (rule.kind === kind) return true
    if (rule.kind !== 'when' || !rule.condition(value ?? null, validation.context)) return false
    return demands(rule.constraints, kind, value, validation)
  })
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}

async function childViolations(
  spec: AttributeSpec,
  value: unknown,
  stored: unknown,
  validation: Validation,
): Promise<readonly Violation[]> {
  if (!isPlainObject(value)) return nothing
  switch (spec.kind.children) {
    case 'none':
      return nothing
    case 'columns':
      return memberViolations(spec.children, value, stored, validation)
    case 'value':
      return memberViolations(spec.children, value, stored, isPlainObject(stored) ? validation : asNew(validation))
    case 'variants':
      return variantViolations(spec, value, stored, validation)
  }
}

function variantViolations(
  spec: AttributeSpec,
  value: Readonly<Record<string, unknown>>,
  stored: unknown,
  validation: Validation,
): Promise<readonly Violation[]> | readonly Violation[] {
  const { discriminator, variants } = spec
  const variant = value[discriminator]
  const children = typeof variant === 'string' && Object.hasOwn(variants, variant) ? variants[variant] : undefined
  if (children === undefined) {
    const names = Object.keys(variants).map((name) => `"${name}"`)
    return [{ path: [discriminator], message: `This must be one of ${names.join(', ')}.` }]
  }
  const kept = isPlainObject(stored) && stored[discriminator] === variant
  return memberViolations(children, value, kept ? stored : undefined, kept ? validation : asNew(validation))
}

/** Where nothing is stored that could be kept, a value is made anew, and must be whole. */
function asNew(validation: Validation): Validation {
  return { ...validation, mode: 'create' }
}

async function memberViolations(
  children: ChildSpecs,
  owner: Readonly<Record<string, unknown>>,
  stored: unknown,
  validation: Validation,
): Promise<readonly Violation[]> {
  const violations: Violation[] = []
  const own = { ...validation, sibling: siblingsIn(owner) }
  for (const [name, child] of Object.entries(children)) {
    if (!isWritableChild(child) || violations.length >= validation.limit) continue
    const value = Object.hasOwn(owner, name) ? owner[name] : undefined
    const kept = isPlainObject(stored) ? storedChild(name, child, stored) : undefined
    for (const { path, message } of await fieldViolations(child, value, kept, own)) {
      violations.push({ path: [name, ...path], message })
    }
  }
  return violations
}

/** The children of a map are columns of its owner, so a map in a map has the same owner. */
function storedChild(name: string, child: AttributeSpec, owner: Readonly<Record<string, unknown>>): unknown {
  return child.kind.children === 'columns' ? owner : owner[child.storedAs ?? name]
}

function whole(message: string): readonly Violation[] {
  return [{ path: [], message }]
}
