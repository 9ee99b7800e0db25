import type { Api } from '../openapi/described-server.js'
import { createId, sentId } from '../openapi/id-schema.js'
import { isAttributeRequired, sentAttributes, writableRelations } from '../openapi/resource-schemas.js'
import type { ServedRelation, ServedType } from '../resource/capabilities/served-type.js'
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

/** The members of an identifier. A resource of an earlier operation of the batch is named by its local id. */
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

/** Returns the schema of `data`: a resource object, or the linkage of a relationship. */
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

/** Returns the relationships of a resource object. Linkage may name resources of the same batch by their local ids. */
function relationshipsMember(
  api: Api,
  served: ServedType,
  mode: 'create' | 'update',
): { readonly relationships?: JsonSchema } {
  const relations = writableRelations(served, mode)
  if (relations.length === 0) return {}
  const identifier = identifierSchema(api)
  const dataOf = ({ spec }: ServedRelation): JsonSchema =>
    spec.traits.toMany ? { type: 'array', items: identifier } : { anyOf: [identifier, { type: 'null' }] }
  const properties = relations.map((relation) => [
    relation.name,
    { type: 'object', properties: { data: dataOf(relation) } },
  ])
  return { relationships: { type: 'object', properties: Object.fromEntries(properties) as JsonSchema } }
}

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
      ...relationshipsMember(api, served, 'create'),
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
      ...relationshipsMember(api, served, 'update'),
      meta: { type: 'object' },
    },
    required: ['type'],
  }))
}
