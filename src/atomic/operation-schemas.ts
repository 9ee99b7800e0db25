import type { Api } from '../openapi/described-server.js'
import { createId, sentId } from '../openapi/id-schema.js'
import { isAttributeRequired, sentAttributes } from '../openapi/resource-schemas.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { JsonSchema } from '../resource/json-schema.js'

/** Returns a reference to the operations of a batch: https://jsonapi.org/ext/atomic/#operation-objects */
export function operationSchema(api: Api): JsonSchema {
  return api.components.schema('AtomicOperation', () => ({
    type: 'object',
    properties: {
      op: { type: 'string', enum: ['add', 'update', 'remove'] },
      ref: refSchema(api),
      href: { type: 'string', format: 'uri-reference' },
      data: dataSchema(api),
      meta: { type: 'object' },
    },
    required: ['op'],
  }))
}

/** A resource of an earlier operation of the batch is named by its local id. */
const names = Object.freeze({ type: { type: 'string' }, id: { type: 'string' }, lid: { type: 'string' } })

function refSchema({ components }: Api): JsonSchema {
  return components.schema('AtomicRef', () => ({
    type: 'object',
    properties: { ...names, relationship: { type: 'string' } },
    required: ['type'],
  }))
}

function identifierSchema({ components }: Api): JsonSchema {
  return components.schema('AtomicIdentifier', () => ({
    type: 'object',
    properties: { ...names, meta: { type: 'object' } },
    required: ['type'],
    anyOf: [
      { properties: { id: names.id }, required: ['id'] },
      { properties: { lid: names.lid }, required: ['lid'] },
    ],
  }))
}

/** A resource object, or the linkage of a relationship. */
function dataSchema(api: Api): JsonSchema {
  const { types } = api.server
  const identifier = identifierSchema(api)
  return {
    anyOf: [
      ...types.filter(({ type }) => type.operations.has('Create')).map((served) => addedSchema(api, served)),
      ...types.filter(({ type }) => type.operations.has('Update')).map((served) => updatedSchema(api, served)),
      identifier,
      { type: 'array', items: identifier },
      { type: 'null' },
    ],
  }
}

/** Linkage may name resources by local ids, so relationships are described in general only. */
const relationships = Object.freeze({ type: 'object', additionalProperties: { type: 'object' } })

function addedSchema(api: Api, served: ServedType): JsonSchema {
  const { type, id } = served.type
  const { schema, isRequired } = createId(id.spec)
  return api.components.schema(`${api.names.ofType(type)}AtomicAdd`, () => ({
    type: 'object',
    properties: {
      type: { type: 'string', const: type },
      id: schema,
      lid: { type: 'string' },
      attributes: sentAttributes(api, served, 'create'),
      relationships,
    },
    required: ['type', ...(isRequired ? ['id'] : []), ...(isAttributeRequired(api, served) ? ['attributes'] : [])],
  }))
}

function updatedSchema(api: Api, served: ServedType): JsonSchema {
  const { type, id } = served.type
  return api.components.schema(`${api.names.ofType(type)}AtomicUpdate`, () => ({
    type: 'object',
    properties: {
      type: { type: 'string', const: type },
      id: sentId(id.spec),
      lid: { type: 'string' },
      attributes: sentAttributes(api, served, 'update'),
      relationships,
      meta: { type: 'object' },
    },
    required: ['type'],
  }))
}
