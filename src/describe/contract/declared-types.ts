import type { ServedSerializer } from '../../declare/resource/fields/serializer.js'
import type { AttributeSpec, ChildSpecs } from '../../declare/resource/fields/attribute-declaration.js'
import { readsColumns } from '../../declare/resource/compiled/compile-attribute.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import type { Constraint } from '../../declare/resource/fields/constraint.js'
import { itemKinds } from '../../declare/resource/fields/list-kinds.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { attributeUse, isRequired } from './attribute-uses.js'

/**
 * Returns the type of objects with attributes, as clients read them, or as they send them to create or to update a resource: the type that
 * `AttributesFor` infers, as a JSON Schema.
 */
export function declaredType(attributes: ChildSpecs, purpose: DocumentPurpose): JsonSchema {
  const shown = Object.entries(attributes).filter(([, spec]) => attributeUse(spec, purpose) !== 'never')
  return objectOf(
    shown.map(([name, spec]) => [name, attributeType(spec, purpose)]),
    shown.flatMap(([name, spec]) => (isMandatory(spec, purpose) ? [name] : [])),
  )
}

/** Returns the type of the attributes that a serializer returns. */
export function serializedType({ members, schemas }: ServedSerializer, attributes: ChildSpecs): JsonSchema {
  const specOf = (name: string): AttributeSpec | undefined =>
    Object.hasOwn(attributes, name) ? attributes[name] : undefined
  const shown = members.filter((name) => {
    const spec = specOf(name)
    return spec === undefined || attributeUse(spec, 'read') !== 'never'
  })
  return objectOf(
    shown.map((name) => {
      const spec = specOf(name)
      const schema = schemas.get(name) ?? (spec === undefined ? {} : attributeType(spec, 'read'))
      return [name, { ...schema, ...(spec === undefined ? {} : commentOf(spec)) }]
    }),
    shown.filter((name) => {
      const spec = specOf(name)
      return spec === undefined ? schemas.has(name) : isMandatory(spec, 'read')
    }),
  )
}

function objectOf(members: readonly (readonly [string, JsonSchema])[], required: readonly string[]): JsonSchema {
  return { type: 'object', properties: Object.fromEntries(members), required }
}

/** Returns whether a member is not optional. A condition that depends on the request does not make a required attribute optional. */
function isMandatory(spec: AttributeSpec, purpose: DocumentPurpose): boolean {
  return purpose === 'create' ? isRequired(spec, 'create') : attributeUse(spec, purpose) === 'always'
}

function attributeType(spec: AttributeSpec, purpose: DocumentPurpose): JsonSchema {
  const isNullable =
    spec.constraints.some(({ kind, on }) => kind === 'nullable' && on === 'always') &&
    !(purpose === 'read' && readsColumns(spec))
  const mayBeUnrelated = spec.on !== null && purpose !== 'create'
  const type = valueType(spec, purpose)
  return { ...(isNullable || mayBeUnrelated ? { anyOf: [type, { type: 'null' }] } : type), ...commentOf(spec) }
}

function valueType(spec: AttributeSpec, purpose: DocumentPurpose): JsonSchema {
  switch (spec.kind.children) {
    case 'columns':
    case 'value':
      return declaredType(spec.children, purpose)
    case 'variants':
      return {
        anyOf: Object.entries(spec.variants).map(([name, children]) => {
          const { properties, required } = declaredType(children, purpose)
          const { discriminator } = spec
          return objectOf(
            Object.entries({ [discriminator]: { const: name }, ...(properties as JsonSchema) }) as [
              string,
              JsonSchema,
            ][],
            [discriminator, ...(required as readonly string[])],
          )
        }),
      }
    case 'none':
      return plainType(spec)
  }
}

function plainType(spec: AttributeSpec): JsonSchema {
  const { kind } = spec
  if (kind.families.includes('list')) return { type: 'array', items: itemType(spec) }
  const values = allowedValues(spec)
  return values === null ? { type: kind.schema['type'] ?? 'object' } : { enum: values }
}

function itemType({ items }: AttributeSpec): JsonSchema {
  return { type: itemKinds[items ?? 'string'].schema['type'] }
}

/** Returns the values that `in()` or `enum()` lists, the last of them if there are several; `null` if any value is allowed. */
function allowedValues({ constraints }: AttributeSpec): readonly unknown[] | null {
  const values = constraints.findLast(isList)?.schema['enum']
  return Array.isArray(values) ? values : null
}

function isList(rule: Constraint): rule is Extract<Constraint, { kind: 'schema' }> {
  return rule.kind === 'schema' && rule.name === 'in' && rule.on === 'always'
}

/** Returns the type of one value to compare an attribute with: an item of a list; a text for composite values. */
export function comparedType(spec: AttributeSpec): JsonSchema {
  const { kind } = spec
  if (kind.families.includes('list')) return itemType(spec)
  const isComposite = kind.children !== 'none' || kind.families.includes('properties')
  return isComposite ? { type: 'string' } : plainType(spec)
}

/** Returns the description of an attribute, and of each of its values. */
function commentOf({ description, enumeration }: AttributeSpec): JsonSchema {
  const values = (enumeration?.values ?? []).flatMap((value, index) => {
    const text = enumeration?.descriptions[index] ?? null
    return text === null ? [] : [`- \`${String(value)}\`: ${text}`]
  })
  const lines = [...(description === null ? [] : [description]), ...values]
  return lines.length === 0 ? {} : { description: lines.join('\n') }
}
