import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import type { IdSpec } from '../../declare/resource/fields/id-declaration.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Steps } from '../../core/util/in-slices.js'
import { attributesSchema } from './attributes-schema.js'
import { createId, readId, sentId } from './id-schema.js'
import type { OpenApiSettings } from './openapi-settings.js'
import { enumerationSchema } from './value-schema.js'

/**
 * Creates the JSON Schemas of the types of a server, by type. Each describes a resource object that is read; `create` and `update` among
 * its definitions describe those that are sent. Attributes are exact, and relationships, links and meta are any objects.
 */
export function* jsonSchemas(
  types: readonly ServedType[],
  settings: OpenApiSettings,
): Steps<Readonly<Record<string, JsonSchema>>> {
  const schemas: (readonly [type: string, schema: JsonSchema])[] = []
  for (const served of types) {
    schemas.push([served.type.type, typeSchema(served, settings)])
    yield
  }
  return Object.fromEntries(schemas)
}

function typeSchema(served: ServedType, settings: OpenApiSettings): JsonSchema {
  const { type, description, operations } = served.type
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:jsonapi:schema:${encodeURIComponent(type)}`,
    title: type,
    ...(description === null ? {} : { description }),
    ...resourceSchema(served, 'read', settings),
    $defs: {
      ...(operations.has('Create') ? { create: resourceSchema(served, 'create', settings) } : {}),
      ...(operations.has('Update') ? { update: resourceSchema(served, 'update', settings) } : {}),
    },
  }
}

function resourceSchema(served: ServedType, purpose: DocumentPurpose, settings: OpenApiSettings): JsonSchema {
  const { type, id } = served.type
  const attributes = attributesSchema(served, purpose, enumerationSchema, settings)
  const ids = purpose === 'create' ? createId(id.spec) : { schema: idSchema(id.spec, purpose), isRequired: true }
  return {
    type: 'object',
    properties: {
      type: { const: type },
      id: ids.schema,
      attributes,
      relationships: { type: 'object' },
      links: { type: 'object' },
      meta: { type: 'object' },
    },
    required: [
      'type',
      ...(ids.isRequired ? ['id'] : []),
      ...(attributes['required'] === undefined ? [] : ['attributes']),
    ],
  }
}

function idSchema(spec: IdSpec, purpose: 'read' | 'update'): JsonSchema {
  return purpose === 'read' ? readId(spec) : sentId(spec)
}
