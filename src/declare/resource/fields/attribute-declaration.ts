import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonSchema } from '../parts/json-schema.js'
import type { CompareOperator, Constraint, Moment } from './constraint.js'
import { familyOf } from './constraint.js'
import type { Enumeration } from './enumeration.js'
import { enumerationOf } from './enumeration.js'
import { FieldDeclaration } from './field-declaration.js'
import type { FieldSpec, ReadValue, WriteValue } from './field-spec.js'
import { defaultFieldSpec } from './field-spec.js'
import type { ListItem } from './list-kinds.js'
import { listKinds } from './list-kinds.js'
import { customFormat, dateTimeFormat } from './moment-format.js'
import { uuidVersionFault } from './patterns.js'
import { rule } from './rule.js'
import type { ValueKind } from './value-kind.js'
import type { UseCondition } from '../request/use-guard.js'
import { givenCondition } from '../request/use-guard.js'

/** The children of a composite attribute by name. */
export type ChildSpecs = Readonly<Record<string, AttributeSpec>>

export interface AttributeSpec extends FieldSpec {
  readonly role: 'attribute'
  readonly kind: ValueKind
  /** The attribute has no backing column: its value is computed when it is rendered. */
  readonly computed: boolean
  /** The path of to-one relations to the row that has the value: `on('artist')`. */
  readonly on: readonly string[] | null
  readonly sortable: boolean
  /** Who may sort by the attribute, if it is sortable; `null` for everybody. */
  readonly sortableIf: UseCondition | null
  readonly serialize: ReadValue | null
  readonly deserialize: WriteValue | null
  readonly enumeration: Enumeration | null
  /** The type that every item of a list must have: `of('integer')`. `null` means string. */
  readonly items: ListItem | null
  readonly sorted: 'none' | 'values' | 'keys'
  readonly children: ChildSpecs
  readonly variants: Readonly<Record<string, ChildSpecs>>
  readonly discriminator: string
  readonly timezone: string | null
}

export function attributeOf(kind: ValueKind, constraints: readonly Constraint[] = []): AttributeDeclaration {
  return new AttributeDeclaration({
    ...defaultFieldSpec,
    role: 'attribute',
    kind,
    constraints,
    computed: false,
    on: null,
    sortable: false,
    sortableIf: null,
    serialize: null,
    deserialize: null,
    enumeration: null,
    items: null,
    sorted: 'none',
    children: Object.freeze({}),
    variants: Object.freeze({}),
    discriminator: 'type',
    timezone: null,
  })
}

/**
 * All modifiers of all attribute kinds. The families of a kind decide which modifiers it has: `attribute-types.ts`
 * shows this to TypeScript users, and the build reports a wrong modifier to JavaScript users.
 */
export class AttributeDeclaration extends FieldDeclaration<AttributeSpec> {
  protected override next(spec: AttributeSpec): this {
    return new AttributeDeclaration(spec) as this
  }

  override constrain(...constraints: readonly Constraint[]): this {
    const misplaced = constraints.find((constraint) => !this.accepts(constraint))
    const declared = super.constrain(...constraints)
    if (misplaced === undefined) return declared
    const name = misplaced.kind === 'schema' || misplaced.kind === 'bigintBound' ? misplaced.name : misplaced.kind
    return declared.fault(
      `${name}() does not fit ${article(this.spec.kind.name)} attribute`,
      `remove ${name}(), or declare the attribute as a kind that has ${familyOf(misplaced)} values`,
    )
  }

  // ── where the value comes from ────────────────────────────────────────────────────────────────────────────────────

  computed(read?: ReadValue): this {
    return read === undefined ? this.with({ computed: true }) : this.computedUsing(read)
  }

  computedUsing(read: ReadValue): this {
    return this.with({ computed: true, extract: read }).readOnly()
  }

  on(path: string): this {
    return this.with({ on: Object.freeze(path.split('.')) })
  }

  serializeUsing(read: ReadValue): this {
    return this.with({ serialize: read })
  }

  deserializeUsing(write: WriteValue): this {
    return this.with({ deserialize: write })
  }

  sortable(): this {
    return this.with({ sortable: true, sortableIf: null })
  }

  sortableIf(condition: UseCondition): this {
    return this.with({ sortable: true, sortableIf: givenCondition(condition) })
  }

  // ── sets and comparisons ──────────────────────────────────────────────────────────────────────────────────────────

  in(values: readonly unknown[]): this {
    return this.constrain(rule.in(values))
  }

  notIn(values: readonly unknown[]): this {
    return this.constrain(rule.notIn(values))
  }

  enum(values: Enumeration | readonly unknown[] | Readonly<Record<string, unknown>>): this {
    const enumeration = enumerationOf(values)
    return this.with({ enumeration }).constrain(rule.in(enumeration.values))
  }

  compareWith(field: string, operator: CompareOperator): this {
    return this.constrain(rule.compareWith(field, operator))
  }

  unique(options?: { readonly with?: readonly string[]; readonly message?: string }): this {
    return this.constrain(rule.unique(options))
  }

  shape(schema: JsonSchema): this {
    return this.constrain(rule.shape(schema))
  }

  check(validator: StandardSchemaV1): this {
    return this.constrain(rule.standard(validator))
  }

  // ── text ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  minLength(limit: number): this {
    return this.constrain(rule.minLength(limit))
  }

  maxLength(limit: number): this {
    return this.constrain(rule.maxLength(limit))
  }

  pattern(expression: RegExp | string): this {
    return this.constrain(rule.pattern(expression))
  }

  email(options?: { readonly strict?: boolean }): this {
    return this.replaceFormat('email', rule.email(options))
  }

  strict(): this {
    return this.replaceFormat('email', rule.email({ strict: true }))
  }

  url(schemes?: readonly string[]): this {
    return this.replaceFormat('url', rule.url(schemes))
  }

  allowedSchemes(...schemes: readonly string[]): this {
    return this.replaceFormat('url', rule.url(schemes))
  }

  uuid(version?: number): this {
    return this.versioned(version)
  }

  version(version: number): this {
    return this.versioned(version)
  }

  slug(expression?: RegExp | string): this {
    return this.replaceFormat('slug', rule.slug(expression))
  }

  ip(version?: 4 | 6): this {
    return this.replaceFormat('ip', rule.ip(version))
  }

  v4(): this {
    return this.ip(4)
  }

  v6(): this {
    return this.ip(6)
  }

  both(): this {
    return this.ip()
  }

  // ── numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────

  min(bound: number | bigint): this {
    return this.constrain(rule.min(boundOf(this.spec.kind, bound)))
  }

  max(bound: number | bigint): this {
    return this.constrain(rule.max(boundOf(this.spec.kind, bound)))
  }

  exclusiveMin(bound: number | bigint): this {
    return this.constrain(rule.exclusiveMin(boundOf(this.spec.kind, bound)))
  }

  exclusiveMax(bound: number | bigint): this {
    return this.constrain(rule.exclusiveMax(boundOf(this.spec.kind, bound)))
  }

  multipleOf(step: number): this {
    return this.constrain(rule.multipleOf(step))
  }

  // ── dates and times ────────────────────────────────────────────────────────────────────────────────────────────────

  format(pattern: string): this {
    if (this.spec.kind.moment === null) {
      return this.fault('format() is for dates and times', 'remove format(), or declare dateTime(), date() or time()')
    }
    return this.with({ kind: Object.freeze({ ...this.spec.kind, moment: customFormat(pattern, this.spec.timezone) }) })
  }

  useTimezone(timezone: string): this {
    const { kind } = this.spec
    if (kind.moment === null) return this.fault('useTimezone() is for dates and times', 'remove useTimezone()')
    if (!isTimezone(timezone)) {
      return this.fault(`unknown time zone '${timezone}'`, "use an IANA time zone, such as 'Europe/Paris'")
    }
    const moment =
      kind.moment.schemaFormat === 'date-time' ? dateTimeFormat(timezone) : customFormat(kind.moment.pattern, timezone)
    return this.with({ timezone, kind: Object.freeze({ ...kind, moment }) })
  }

  before(bound: Moment): this {
    return this.constrain(rule.before(bound))
  }

  after(bound: Moment): this {
    return this.constrain(rule.after(bound))
  }

  between(from: Moment, to: Moment): this {
    return this.constrain(rule.between(from, to))
  }

  // ── lists and objects ─────────────────────────────────────────────────────────────────────────────────────────────

  of(items: ListItem): this {
    const kind = listKinds.get(items)
    if (kind === undefined) {
      return this.fault(`of('${items}') names an unknown item type`, `use one of ${[...listKinds.keys()].join(', ')}`)
    }
    return this.with(this.spec.kind.families.includes('list') ? { items, kind } : { items })
  }

  minItems(limit: number): this {
    return this.constrain(rule.minItems(limit))
  }

  maxItems(limit: number): this {
    return this.constrain(rule.maxItems(limit))
  }

  uniqueItems(): this {
    return this.constrain(rule.uniqueItems())
  }

  each(...constraints: readonly Constraint[]): this {
    return this.constrain(rule.each(...constraints))
  }

  sorted(): this {
    return this.with({ sorted: 'values' })
  }

  sortKeys(): this {
    return this.with({ sorted: 'keys' })
  }

  sortValues(): this {
    return this.with({ sorted: 'values' })
  }

  minProperties(limit: number): this {
    return this.constrain(rule.minProperties(limit))
  }

  maxProperties(limit: number): this {
    return this.constrain(rule.maxProperties(limit))
  }

  fields(children: Readonly<Record<string, AttributeDeclaration>>): this {
    return this.with({ children: Object.freeze({ ...this.spec.children, ...specsOf(children) }) }).childFaults(children)
  }

  discriminator(property: string): this {
    return this.with({ discriminator: property })
  }

  variant(name: string, children: Readonly<Record<string, AttributeDeclaration>>): this {
    return this.with({ variants: Object.freeze({ ...this.spec.variants, [name]: specsOf(children) }) }).childFaults(
      children,
    )
  }

  /**
   * Replaces the constraint of a format, such as the one that the kind starts with: two constraints of the same format
   * would contradict each other.
   */
  private replaceFormat(name: string, constraint: Constraint): this {
    const rest = this.spec.constraints.filter((other) => other.kind !== 'schema' || other.name !== name)
    return this.with({ constraints: rest }).constrain(constraint)
  }

  /** Adds the faults that the children recorded, and a fault for every child that is not an attribute. */
  private childFaults(children: Readonly<Record<string, AttributeDeclaration>>): this {
    const faults = Object.entries(children).flatMap(([name, child]: [string, unknown]) =>
      isAttribute(child)
        ? child.spec.faults.map(({ problem, remedy }) => ({ problem: `in '${name}', ${problem}`, remedy }))
        : [{ problem: `'${name}' is not an attribute`, remedy: 'declare it with the kit, such as a.string()' }],
    )
    return this.with({ faults: [...this.spec.faults, ...faults] })
  }

  private versioned(version: number | undefined): this {
    const fault = uuidVersionFault(version)
    if (fault !== null) return this.fault(fault.problem, fault.remedy)
    return this.replaceFormat('uuid', rule.uuid(version))
  }

  private accepts(constraint: Constraint): boolean {
    const family = familyOf(constraint)
    return family === 'any' || this.spec.kind.families.includes(family)
  }
}

/** A bound of whole numbers of eight bytes may be given as a number that has all digits. */
function boundOf({ digits }: ValueKind, bound: number | bigint): number | bigint {
  return digits !== null && Number.isSafeInteger(bound) ? BigInt(bound) : bound
}

function specsOf(children: Readonly<Record<string, AttributeDeclaration>>): ChildSpecs {
  const specs: Record<string, AttributeSpec> = {}
  for (const [name, child] of Object.entries(children)) if (isAttribute(child)) specs[name] = child.spec
  return Object.freeze(specs)
}

/**
 * Checks the shape instead of the class, so that two copies of the package in one process accept each other's values.
 */
export function isAttribute(value: unknown): value is AttributeDeclaration {
  return isObject(value) && isAttributeSpec(value['spec'])
}

function isAttributeSpec(spec: unknown): boolean {
  if (!isObject(spec) || spec['role'] !== 'attribute') return false
  const { kind, constraints, faults, children, variants } = spec
  return (
    isObject(kind) &&
    isObject(kind['schema']) &&
    [kind['families'], constraints, faults].every(Array.isArray) &&
    isObject(children) &&
    isObject(variants) &&
    [children, ...Object.values(variants)].every(
      (group) => isObject(group) && Object.values(group).every(isAttributeSpec),
    )
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function article(kind: string): string {
  return `${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}`
}

function isTimezone(timezone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
