import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { ServedSerializer } from '../../declare/resource/fields/serializer.js'
import type { CompiledAttribute } from '../../declare/resource/compiled/compiled-type.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { annotatedSchema } from './merged-schema.js'
import type { OpenApiSettings } from './openapi-settings.js'
import { isAlwaysShown, isShown, shownKeyword } from './shown-fields.js'
import type { EnumerationSchema } from './value-schema.js'
import { isRequired, valueSchema } from './value-schema.js'

/**
 * Returns the schema of the attributes of a type, as clients read them, or as they send them to create or update a resource. A
 * restriction that depends on the request is ignored: the schema describes the attributes that any caller may see.
 */
export function attributesSchema(
  served: ServedType,
  purpose: DocumentPurpose,
  enumerations: EnumerationSchema,
  settings: OpenApiSettings = {},
): JsonSchema {
  if (purpose === 'read' && served.serializer !== null) return serializedSchema(served, served.serializer, enumerations)
  const attributes = served.type.attributes.filter(({ spec }) => hasAttribute(spec, purpose))
  const required = attributes.filter(({ spec }) => mustHave(spec, purpose)).map(({ name }) => name)
  const schemaOf = ({ spec }: CompiledAttribute): JsonSchema => valueSchema(spec, purpose, enumerations)
  return {
    type: 'object',
    properties: Object.fromEntries(attributes.map((attribute) => [attribute.name, schemaOf(attribute)])),
    ...(purpose === 'read' ? shownKeyword(required, settings) : required.length === 0 ? {} : { required }),
  }
}

/** Whether a new resource must have some attribute. */
export function isAttributeRequired({ type: { attributes } }: ServedType): boolean {
  return attributes.some(({ spec }) => hasAttribute(spec, 'create') && mustHave(spec, 'create'))
}

/** Returns the schema of the members of a serializer: that of the serializer, or of the declared attribute. A member may be missing. */
function serializedSchema(
  { type }: ServedType,
  { members, schemas }: ServedSerializer,
  enumerations: EnumerationSchema,
): JsonSchema {
  const shown = members.filter((name) => {
    const spec = type.attributeNamed.get(name)?.spec
    return spec === undefined || isShown(spec)
  })
  const schemaOf = (name: string): JsonSchema => {
    const spec = type.attributeNamed.get(name)?.spec
    const schema = schemas.get(name)
    if (schema === undefined) return spec === undefined ? {} : valueSchema(spec, 'read', enumerations)
    const { description = null, deprecation = null } = spec ?? {}
    return annotatedSchema(schema, { description, deprecation })
  }
  return { type: 'object', properties: Object.fromEntries(shown.map((name) => [name, schemaOf(name)])) }
}

function hasAttribute(spec: CompiledAttribute['spec'], purpose: DocumentPurpose): boolean {
  if (purpose === 'read') return isShown(spec)
  if (spec.hidden === true || (spec.computed && spec.fill === null)) return false
  return (purpose === 'create' ? spec.readOnlyOnCreate : spec.readOnlyOnUpdate) !== true
}

function mustHave(spec: CompiledAttribute['spec'], purpose: DocumentPurpose): boolean {
  switch (purpose) {
    case 'read':
      return isAlwaysShown(spec)
    case 'create':
      return (
        isRequired(spec, 'create') && spec.readOnlyOnCreate === false && spec.hidden === false && spec.guard === null
      )
    case 'update':
      return false
  }
}
