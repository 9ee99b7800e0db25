import type { AttributeSpec, ChildSpecs } from '../../resource/fields/attribute-declaration.js'
import type { Constraint } from '../../resource/fields/constraint.js'
import type { JsonSchema } from '../../resource/json-schema.js'
import { isPlainObject } from '../../util/frozen.js'
import { constraintViolations } from './constraint-violations.js'
import type { Violation } from './schema-validator.js'
import type { Validation } from './validation.js'
import { siblingsIn } from './validation.js'

const nothing: readonly Violation[] = Object.freeze([])

/** Presence, null, JSON type, constraints and children of one field; `undefined` is a member that was not sent. */
export async function fieldViolations(
  spec: AttributeSpec,
  value: unknown,
  validation: Validation,
): Promise<readonly Violation[]> {
  const rules = spec.constraints.filter(({ on }) => on === 'always' || on === validation.mode)
  const required = demands(rules, 'required', value, validation)
  if (value === undefined) return required && validation.mode === 'create' ? whole('This is required.') : nothing
  if (value === null) {
    return demands(rules, 'nullable', value, validation) ? nothing : whole('This must not be null.')
  }
  const typeViolations = validation.schemas.violations(spec.kind.schema, value)
  if (typeViolations.length > 0) return typeViolations
  const itemViolations = itemTypeViolations(spec, value, validation)
  if (itemViolations.length > 0) return itemViolations
  if (required && isEmpty(value)) return whole('This must not be empty.')
  if (spec.kind.moment !== null && typeof value === 'string' && spec.kind.moment.read(value) === null) {
    return whole(`This must be a real date or time, written ${spec.kind.moment.pattern}.`)
  }
  const violations: Violation[] = []
  for (const rule of rules) violations.push(...(await constraintViolations(rule, value, { ...validation, spec })))
  return [...violations, ...(await childViolations(spec, value, validation))]
}

/** A list has items of one JSON type, strings unless it says otherwise; or of the author's own shape. */
function itemTypeViolations(
  { kind, items, constraints }: AttributeSpec,
  value: unknown,
  { schemas }: Validation,
): readonly Violation[] {
  if (!Array.isArray(value) || !kind.families.includes('list')) return nothing
  if (items === null && constraints.some(saysShapeOfItems)) return nothing
  return schemas.violations(itemSchemas[items ?? 'string'], value)
}

const itemSchemas: Readonly<Record<NonNullable<AttributeSpec['items']>, JsonSchema>> = Object.freeze({
  string: { items: { type: 'string' } },
  integer: { items: { type: 'integer' } },
  number: { items: { type: 'number' } },
  boolean: { items: { type: 'boolean' } },
})

function saysShapeOfItems(constraint: Constraint): boolean {
  if (constraint.kind === 'each') return constraint.constraints.some(saysShapeOfItems)
  return constraint.kind === 'standard' || (constraint.kind === 'schema' && constraint.name === 'shape')
}

/** `required` and `nullable` may stand inside `when`. */
function demands(
  rules: readonly Constraint[],
  kind: 'required' | 'nullable',
  value: unknown,
  validation: Validation,
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
  validation: Validation,
): Promise<readonly Violation[]> {
  if (spec.kind.children === 'none' || !isPlainObject(value)) return nothing
  if (spec.kind.children !== 'variants') return membersOf(spec.children, value, validation)
  const { discriminator } = spec
  const variant = value[discriminator]
  const children =
    typeof variant === 'string' && Object.hasOwn(spec.variants, variant) ? spec.variants[variant] : undefined
  if (children !== undefined) return membersOf(children, value, validation)
  const names = Object.keys(spec.variants).map((name) => `"${name}"`)
  return [{ path: [discriminator], message: `This must be one of ${names.join(', ')}.` }]
}

async function membersOf(
  children: ChildSpecs,
  owner: Readonly<Record<string, unknown>>,
  validation: Validation,
): Promise<readonly Violation[]> {
  const violations: Violation[] = []
  for (const [name, child] of Object.entries(children)) {
    if (child.readOnlyOnCreate === true && child.readOnlyOnUpdate === true) continue
    const value = Object.hasOwn(owner, name) ? owner[name] : undefined
    const own = { ...validation, sibling: siblingsIn(owner) }
    for (const { path, message } of await fieldViolations(child, value, own)) {
      violations.push({ path: [name, ...path], message })
    }
  }
  return violations
}

function whole(message: string): readonly Violation[] {
  return [{ path: [], message }]
}
