import type { Steps } from '../../core/util/in-slices.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Contract, TypeContract } from '../contract/contract.js'
import type { OpenApiSettings } from './openapi-settings.js'
import { inlined } from './enumerations.js'
import { createId, readAttributes, requiredOfNew } from './resource-schemas.js'

/**
 * Creates the JSON Schemas of the types of a server, by type. Each describes a resource object that is read; `create` and `update` among
 * its definitions describe those that are sent. Attributes are exact, and relationships, links and meta are any objects.
 */
export function* jsonSchemas(
  contract: Contract,
  settings: OpenApiSettings,
): Steps<Readonly<Record<string, JsonSchema>>> {
  const schemas: (readonly [type: string, schema: JsonSchema])[] = []
  for (const type of contract.types) {
    schemas.push([type.type, inlined(contract, typeSchema(type, settings))])
    yield
  }
  return Object.fromEntries(schemas)
}

function typeSchema(contract: TypeContract, settings: OpenApiSettings): JsonSchema {
  const { type, description, operations } = contract
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:jsonapi:schema:${encodeURIComponent(type)}`,
    title: type,
    ...(description === null ? {} : { description }),
    ...resourceSchema(contract, 'read', settings),
    $defs: {
      ...(operations.includes('Create') ? { create: resourceSchema(contract, 'create', settings) } : {}),
      ...(operations.includes('Update') ? { update: resourceSchema(contract, 'update', settings) } : {}),
    },
  }
}

const ids = Object.freeze({
  read: ({ id }: TypeContract) => id.read,
  create: createId,
  update: ({ id }: TypeContract) => id.sent,
})

function resourceSchema(contract: TypeContract, purpose: DocumentPurpose, settings: OpenApiSettings): JsonSchema {
  const attributes = purpose === 'read' ? readAttributes(contract, settings) : contract.attributes[purpose].served
  const needsAttributes = attributes['required'] !== undefined
  return {
    type: 'object',
    properties: {
      type: { const: contract.type },
      id: ids[purpose](contract),
      attributes,
      relationships: { type: 'object' },
      links: { type: 'object' },
      meta: { type: 'object' },
    },
    required: [
      'type',
      ...(purpose === 'create' ? requiredOfNew(contract) : ['id', ...(needsAttributes ? ['attributes'] : [])]),
    ],
  }
}
