import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { ServedSerializer } from '../../declare/resource/fields/serializer.js'
import type { CompiledAttribute } from '../../declare/resource/compiled/compiled-type.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { annotatedSchema } from './merged-schema.js'
import { attributeUse } from './attribute-uses.js'
import { isShown } from './shown-fields.js'
import type { EnumerationSchema } from './value-schema.js'
import { valueSchema } from './value-schema.js'

/**
 * Returns the schema of the attributes of a type, as clients read them, or as they send them to create or update a resource. A
 * restriction that depends on the request is ignored: the schema describes the attributes that any caller may see.
 */
export function attributesSchema(
  served: ServedType,
  purpose: DocumentPurpose,
  enumerations: EnumerationSchema,
): JsonSchema {
  if (purpose === 'read' && served.serializer !== null) return serializedSchema(served, served.serializer, enumerations)
  const attributes = served.type.attributes.filter(({ spec }) => attributeUse(spec, purpose) !== 'never')
  const required = attributes.filter(({ spec }) => attributeUse(spec, purpose) === 'always').map(({ name }) => name)
  const schemaOf = ({ spec }: CompiledAttribute): JsonSchema => valueSchema(spec, purpose, enumerations)
  return {
    type: 'object',
    properties: Object.fromEntries(attributes.map((attribute) => [attribute.name, schemaOf(attribute)])),
    ...(required.length === 0 ? {} : { [purpose === 'read' ? alwaysShown : 'required']: required }),
  }
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

/** The keyword with the fields that every response has, unless a fieldset leaves them out. */
export const alwaysShown = 'x-always-shown'
