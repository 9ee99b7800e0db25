import type { AttributeSpec, ChildSpecs } from '../../declare/resource/fields/attribute-declaration.js'
import { readsColumns } from '../../declare/resource/compiled/compile-attribute.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import type { Constraint } from '../../declare/resource/fields/constraint.js'
import type { Enumeration } from '../../declare/resource/fields/enumeration.js'
import { itemTypes } from '../../declare/resource/fields/item-types.js'
import { itemKinds } from '../../declare/resource/fields/list-kinds.js'
import { allowsNullItems, flattenedRules } from '../../declare/resource/fields/null-items.js'
import type { ValueKind } from '../../declare/resource/fields/value-kind.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { describedRules } from './constraint-schema.js'
import { annotatedSchema, anyOf, isSame, mergedSchema, nullableSchema } from './merged-schema.js'
import { isRequired } from './attribute-uses.js'
import { isAlwaysShown, isShown } from './shown-fields.js'

/** Returns the schema of a named set of values: a reference, or the schema itself. */
export type EnumerationSchema = (enumeration: Enumeration) => JsonSchema

/**
 * Returns the schema of the wire values of an attribute: those that clients read, or those that they send to create or to update a
 * resource. Rules apply to values that are sent. Stored values may be older than the rules: of values that are read, only the
 * declared type and the declared enumeration are described.
 */
export function valueSchema(
  spec: AttributeSpec,
  purpose: DocumentPurpose,
  enumerations: EnumerationSchema,
): JsonSchema {
  const named = namedValues(spec, enumerations)
  const form = named ?? formSchema(spec, purpose, enumerations)
  // Rules of a composite value that is sent to update a resource are those of the merged value, which is not known here.
  const hasRules = purpose === 'create' || (purpose === 'update' && spec.kind.children === 'none')
  const rules = hasRules ? describedRules(rulesOf(spec), purpose, spec.kind) : noRules
  const schema = withItems(mergedSchema(form, ...rules.schemas, ...(purpose === 'read' ? [] : notEmpty(spec, purpose))))
  const nullable = isNullable(spec, purpose) ? nullableSchema(schema) : schema
  const described = annotatedSchema(nullable, spec, [...formNotes(spec), ...rules.notes])
  return rules.notes.length === 0 ? described : { ...described, 'x-rules': [...rules.notes] }
}

const noRules = Object.freeze({ schemas: [], notes: [] })

/** Returns the schema of a list with a schema of its items, which may be anything: linters require one. */
function withItems(schema: JsonSchema): JsonSchema {
  return schema['type'] === 'array' && schema['items'] === undefined ? { ...schema, items: {} } : schema
}

/** Returns the schema of the declared enumeration; `null` if the values have none. */
function namedValues({ enumeration, kind }: AttributeSpec, enumerations: EnumerationSchema): JsonSchema | null {
  if (enumeration === null || kind.moment !== null || kind.families.includes('list')) return null
  return enumerations(enumeration)
}

/** Returns the rules without the one of the enumeration, which is described by its own schema. */
function rulesOf({ constraints, enumeration }: AttributeSpec): readonly Constraint[] {
  if (enumeration === null) return constraints
  return constraints.filter((rule) => {
    return rule.kind !== 'schema' || rule.name !== 'in' || !isSame(rule.schema['enum'], enumeration.values)
  })
}

/** Returns the schema of a set of values, with the description of each. */
export function enumerationSchema({ values, descriptions, names }: Enumeration): JsonSchema {
  const isDescribed = descriptions.some((description) => description !== null)
  const table = values.map((value, index) => `- \`${String(value)}\`: ${descriptions[index] ?? ''}`.trimEnd())
  return {
    ...typeOfAll(values),
    enum: [...values],
    ...(names === undefined ? {} : { 'x-enum-varnames': [...names] }),
    ...(isDescribed
      ? {
          description: table.join('\n'),
          'x-enum-descriptions': descriptions.map((description) => description ?? ''),
        }
      : {}),
  }
}

function typeOfAll(values: readonly unknown[]): JsonSchema {
  if (values.every((value) => typeof value === 'string')) return { type: 'string' }
  if (values.every((value) => Number.isInteger(value))) return { type: 'integer' }
  return values.every((value) => typeof value === 'number') ? { type: 'number' } : {}
}

/** Returns the schema of the JSON type, and of the format if there is one. */
function formSchema(spec: AttributeSpec, purpose: DocumentPurpose, enumerations: EnumerationSchema): JsonSchema {
  const { kind } = spec
  switch (kind.children) {
    case 'variants':
      return variantsSchema(spec, purpose, enumerations)
    case 'columns':
    case 'value':
      return { type: 'object', ...membersSchema(spec.children, purpose, enumerations) }
    case 'none':
      return kind.families.includes('list') ? listSchema(spec) : plainSchema(kind)
  }
}

const formats = Object.freeze({ uuid: 'uuid', email: 'email', url: 'uri', ip: null })

/** The schema of values without members. A format is an annotation, which validators need not check. */
function plainSchema({ schema, moment, textFormat, digits }: ValueKind): JsonSchema {
  if (digits !== null) return { ...schema, pattern: digits.pattern }
  if (moment !== null && moment.schemaFormat === null) {
    return { ...schema, pattern: moment.expression, 'x-format': moment.pattern }
  }
  const format = moment === null ? textFormat && formats[textFormat] : moment.schemaFormat
  return format === null ? schema : { ...schema, format }
}

/** Returns sentences about the form of values for which JSON Schema has no format. */
function formNotes({ kind: { moment, digits } }: AttributeSpec): readonly string[] {
  if (digits !== null) return [digits.note]
  return moment === null || moment.schemaFormat !== null ? [] : [`Written ${moment.pattern}.`]
}

const itemSchemas = Object.freeze({
  string: { type: 'string' },
  number: { type: 'number' },
  list: { type: 'array' },
  object: { type: 'object' },
})

/** Returns the schema of a list. Items are strings, unless `of()` or the rules of the items define another type. */
function listSchema(spec: AttributeSpec): JsonSchema {
  const { kind, items, constraints } = spec
  const types = items === null ? itemTypes(constraints) : null
  if (items === null && types === null) return kind.schema
  const schemas = items === null ? [...(types ?? [])].map((type) => itemSchemas[type]) : [plainSchema(itemKinds[items])]
  const schema = anyOf(schemas)
  return { ...kind.schema, items: allowsNullItems(spec) ? nullableSchema(schema) : schema }
}

/** Returns the schema of the members of a composite value. */
export function membersSchema(
  children: ChildSpecs,
  purpose: DocumentPurpose,
  enumerations: EnumerationSchema,
): JsonSchema {
  const members = Object.entries(children).filter(([, child]) => hasMember(child, purpose))
  const required = members.filter(([, child]) => isRequiredMember(child, purpose)).map(([name]) => name)
  return {
    properties: Object.fromEntries(members.map(([name, child]) => [name, valueSchema(child, purpose, enumerations)])),
    ...(required.length === 0 ? {} : { required }),
  }
}

function hasMember(child: AttributeSpec, purpose: DocumentPurpose): boolean {
  if (purpose === 'read') return isShown(child)
  if (child.hidden === true) return false
  return !(child.readOnlyOnCreate === true && child.readOnlyOnUpdate === true)
}

/** Whether a member is required. A value that is read is complete, except for hidden members. A value of an update may be merged into the stored one. */
function isRequiredMember(child: AttributeSpec, purpose: DocumentPurpose): boolean {
  return purpose === 'read' ? isAlwaysShown(child) : purpose === 'create' && isRequired(child, 'create')
}

function variantsSchema(
  { variants, discriminator }: AttributeSpec,
  purpose: DocumentPurpose,
  enumerations: EnumerationSchema,
): JsonSchema {
  const schemas = Object.entries(variants).map(([name, children]) => {
    const { properties, required } = membersSchema(children, purpose, enumerations)
    const names = Array.isArray(required) ? (required as readonly string[]) : []
    return {
      type: 'object',
      properties: { [discriminator]: { const: name }, ...(properties as JsonSchema) },
      required: [discriminator, ...names],
    }
  })
  // A stored value may be of a variant that is not declared any more.
  return purpose === 'read'
    ? { type: 'object', anyOf: [...schemas, unknownVariant(variants, discriminator)] }
    : { oneOf: schemas }
}

function unknownVariant(variants: AttributeSpec['variants'], discriminator: string): JsonSchema {
  return {
    type: 'object',
    properties: { [discriminator]: { not: { enum: Object.keys(variants) } } },
    additionalProperties: true,
  }
}

/** Returns whether null is a value: the declaration allows it, or, unless the resource is new, there may be no related row. */
function isNullable(spec: AttributeSpec, purpose: DocumentPurpose): boolean {
  if (purpose !== 'create' && spec.on !== null) return true
  if (purpose === 'read' && readsColumns(spec)) return false
  return flattenedRules(spec.constraints).some(
    ({ kind, on }) => kind === 'nullable' && (purpose === 'read' || on === 'always' || on === purpose),
  )
}

/** Returns the rule that a required text or list must not be empty. */
function notEmpty(spec: AttributeSpec, mode: 'create' | 'update'): readonly JsonSchema[] {
  if (!isRequired(spec, mode) || spec.enumeration !== null) return []
  const { schema, families } = spec.kind
  if (families.includes('list')) return [{ minItems: 1 }]
  return schema['type'] === 'string' && families.includes('text') ? [{ minLength: 1 }] : []
}
