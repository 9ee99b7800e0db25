import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { ServedSerializer } from '../../declare/resource/fields/serializer.js'
import type { CompiledAttribute } from '../../declare/resource/compiled/compiled-type.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { annotatedSchema } from './merged-schema.js'
import type { OpenApiSettings } from './openapi-settings.js'
import { attributeUse } from '../contract/attribute-uses.js'
import { isShown } from '../contract/shown-fields.js'
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
  settings: OpenApiSettings = {},
): JsonSchema {
  if (purpose === 'read' && served.serializer !== null) return serializedSchema(served, served.serializer, enumerations)
  const attributes = served.type.attributes.filter(({ spec }) => attributeUse(spec, purpose) !== 'never')
  const required = attributes.filter(({ spec }) => attributeUse(spec, purpose) === 'always').map(({ name }) => name)
  const schemaOf = ({ spec }: CompiledAttribute): JsonSchema => valueSchema(spec, purpose, enumerations)
  return {
    type: 'object',
    properties: Object.fromEntries(attributes.map((attribute) => [attribute.name, schemaOf(attribute)])),
    ...(purpose === 'read' ? shownKeyword(required, settings) : required.length === 0 ? {} : { required }),
  }
}

/** Whether a new resource must have some attribute. */
export function isAttributeRequired({ type: { attributes } }: ServedType): boolean {
  return attributes.some(({ spec }) => attributeUse(spec, 'create') === 'always')
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

/**
 * Returns the keyword with the fields that every response has, unless a fieldset leaves them out. Schemas require them only if the document
 * describes no fieldsets: a client that validates responses would otherwise refuse those to its own requests.
 */
export function shownKeyword(names: readonly string[], { fieldsets = true }: OpenApiSettings): JsonSchema {
  if (names.length === 0) return {}
  return fieldsets ? { 'x-always-shown': [...names] } : { required: [...names] }
}
