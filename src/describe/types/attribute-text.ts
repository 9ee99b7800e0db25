import type { ServedSerializer } from '../../declare/resource/fields/serializer.js'
import type { AttributeSpec, ChildSpecs } from '../../declare/resource/fields/attribute-declaration.js'
import { readsColumns } from '../../declare/resource/compiled/compile-attribute.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import type { Constraint } from '../../declare/resource/fields/constraint.js'
import { itemKinds } from '../../declare/resource/fields/list-kinds.js'
import { attributeUse, isRequired } from '../contract/attribute-uses.js'
import { anyObject, schemaType } from './schema-text.js'
import type { TypeMember } from './type-text.js'
import { listType, literalType, objectType, quoted, unionType } from './type-text.js'

/** The declaration that the type of an object with arbitrary keys refers to. */
export const jsonValue =
  'type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }\n'

/**
 * Returns the object type of attributes, as clients read them, or as they send them to create or to update a resource. The rules are
 * those of `AttributesFor`, so that both sources of a contract agree.
 */
export function attributesType(attributes: ChildSpecs, purpose: DocumentPurpose): string {
  return objectType(
    Object.entries(attributes).flatMap(([name, spec]): readonly TypeMember[] => {
      if (attributeUse(spec, purpose) === 'never') return []
      const isOptional = !isMandatory(spec, purpose)
      return [{ name, type: attributeType(spec, purpose), isOptional, comment: attributeComment(spec) }]
    }),
  )
}

/** Returns the object type of the attributes that a serializer returns. */
export function serializedType({ members, schemas }: ServedSerializer, attributes: ChildSpecs): string {
  return objectType(
    members.flatMap((name): readonly TypeMember[] => {
      const spec = Object.hasOwn(attributes, name) ? attributes[name] : undefined
      const schema = schemas.get(name)
      if (spec === undefined) return [{ name, type: schemaType(schema), isOptional: schema === undefined }]
      if (attributeUse(spec, 'read') === 'never') return []
      const type = schema === undefined ? attributeType(spec, 'read') : schemaType(schema)
      return [{ name, type, isOptional: !isMandatory(spec, 'read'), comment: attributeComment(spec) }]
    }),
  )
}

/** Returns whether a member is not optional. A condition that depends on the request does not make a required attribute optional. */
function isMandatory(spec: AttributeSpec, purpose: DocumentPurpose): boolean {
  return purpose === 'create' ? isRequired(spec, 'create') : attributeUse(spec, purpose) === 'always'
}

function attributeType(spec: AttributeSpec, purpose: DocumentPurpose): string {
  const isNullable =
    spec.constraints.some(({ kind, on }) => kind === 'nullable' && on === 'always') &&
    !(purpose === 'read' && readsColumns(spec))
  const mayBeUnrelated = spec.on !== null && purpose !== 'create'
  return unionType([valueType(spec, purpose), ...(isNullable || mayBeUnrelated ? ['null'] : [])])
}

function valueType(spec: AttributeSpec, purpose: DocumentPurpose): string {
  switch (spec.kind.children) {
    case 'columns':
    case 'value':
      return attributesType(spec.children, purpose)
    case 'variants':
      return unionType(
        Object.entries(spec.variants).map((variant) => variantType(spec.discriminator, variant, purpose)),
      )
    case 'none':
      return plainType(spec)
  }
}

function variantType(
  discriminator: string,
  [name, children]: readonly [string, ChildSpecs],
  purpose: DocumentPurpose,
): string {
  const fields = attributesType(children, purpose)
  const kind = objectType([{ name: discriminator, type: quoted(name) }])
  // Merges two object types: omits the closing line of the first and the opening line of the second.
  return fields === '{}' ? kind : `${kind.slice(0, -1)}${fields.slice(2)}`
}

function plainType(spec: AttributeSpec): string {
  const { kind, items } = spec
  if (kind.families.includes('list')) return listType(jsonType(itemKinds[items ?? 'string'].schema['type']))
  return unionType(allowedValues(spec)?.map(literalType) ?? [jsonType(kind.schema['type'])])
}

/** Returns the values that `in()` or `enum()` lists, the last of them if there are several; `null` if any value is allowed. */
function allowedValues({ constraints }: AttributeSpec): readonly unknown[] | null {
  const values = constraints.findLast(isList)?.schema['enum']
  return Array.isArray(values) ? values : null
}

function isList(rule: Constraint): rule is Extract<Constraint, { kind: 'schema' }> {
  return rule.kind === 'schema' && rule.name === 'in' && rule.on === 'always'
}

function jsonType(type: unknown): string {
  switch (type) {
    case 'string':
    case 'boolean':
      return type
    case 'integer':
    case 'number':
      return 'number'
    default:
      return anyObject
  }
}

/** Returns the type of one value to compare an attribute with: an item of a list; a text for composite values. */
export function comparedType(spec: AttributeSpec): string {
  const { kind, items } = spec
  if (kind.families.includes('list')) return jsonType(itemKinds[items ?? 'string'].schema['type'])
  const isComposite = kind.children !== 'none' || kind.families.includes('properties')
  return isComposite ? 'string' : plainType(spec)
}

/** Returns the description of an attribute, and of each of its values. */
function attributeComment({ description, enumeration }: AttributeSpec): string {
  const values = (enumeration?.values ?? []).flatMap((value, index) => {
    const text = enumeration?.descriptions[index] ?? null
    return text === null ? [] : [`- \`${String(value)}\`: ${text}`]
  })
  return [...(description === null ? [] : [description]), ...values].join('\n')
}
