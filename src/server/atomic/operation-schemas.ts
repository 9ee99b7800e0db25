import { UPSERT_EXTENSION } from '../../core/document/media-type.js'
import type { Api } from '../../describe/openapi/described-server.js'
import { pivotSchema, withPivot } from '../../describe/openapi/linkage-schema.js'
import { anyOf, nothing } from '../../describe/contract/merged-schema.js'
import { relationsFor } from '../../describe/contract/relation-uses.js'
import { createId, requiredOfNew, sentAttributes } from '../../describe/openapi/resource-schemas.js'
import type { RelationContract, TypeContract } from '../../describe/contract/contract.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { upsertMember } from './read-batch.js'
import { relationshipOperations } from './relationship-operation-schemas.js'
import { batchedTypes, identifierOfType, idOrLid, operationWith, refOrHref, targetSchema } from './target-schemas.js'

/**
 * Returns a reference to the operations of a batch: those that the types of the server allow, each with the targets and the data that it
 * may have. https://jsonapi.org/ext/atomic/#operation-objects
 */
export function operationSchema(api: Api): JsonSchema {
  return api.components.schema('AtomicOperation', () =>
    anyOf([...addOperation(api), ...updateOperation(api), ...removeOperation(api), ...relationshipOperations(api)]),
  )
}

function addOperation(api: Api): readonly JsonSchema[] {
  const types = batchedTypes(api, 'Create')
  if (types.length === 0) return []
  // The target of a new resource may repeat its identity.
  const ref = { type: 'object', properties: { type: nameOf(types), id: text, lid: text }, required: ['type'] }
  const data = anyOf(types.map((type) => addedSchema(api, type)))
  const keys = [...new Set(types.flatMap(({ upsertBy }) => upsertBy))]
  return [
    api.components.schema('AtomicAddOperation', () =>
      withUpsertKey(operationWith(['add'], { ref, data }, ['data']), keys),
    ),
  ]
}

/** Adds the member by which the operation creates or updates a resource. */
function withUpsertKey(schema: JsonSchema, keys: readonly string[]): JsonSchema {
  if (keys.length === 0) return schema
  const description =
    'Updates the resource that the caller sees with this key, if there is one. The media type must name the extension.'
  const member = { type: 'string', enum: keys, description, 'x-extension': UPSERT_EXTENSION }
  return { ...schema, properties: { ...(schema['properties'] as object), [upsertMember]: member } }
}

function updateOperation(api: Api): readonly JsonSchema[] {
  const types = batchedTypes(api, 'Update')
  if (types.length === 0) return []
  const data = anyOf(types.map((type) => updatedSchema(api, type)))
  const ref = targetSchema(nameOf(types), { relationship: nothing })
  return [api.components.schema('AtomicUpdateOperation', () => operationWith(['update'], { ref, data }, ['data']))]
}

function removeOperation(api: Api): readonly JsonSchema[] {
  const types = batchedTypes(api, 'Delete')
  if (types.length === 0) return []
  const ref = targetSchema(nameOf(types), { relationship: nothing })
  return [
    api.components.schema('AtomicRemoveOperation', () => ({
      ...operationWith(['remove'], { ref }, []),
      anyOf: refOrHref,
    })),
  ]
}

const text: JsonSchema = Object.freeze({ type: 'string' })

function nameOf(types: readonly TypeContract[]): JsonSchema {
  return { type: 'string', enum: types.map(({ type }) => type) }
}

/** Returns the relationships of a resource object. Linkage may name resources of the same batch by their local ids. */
function relationshipsMember(
  api: Api,
  type: TypeContract,
  mode: 'create' | 'update',
): { readonly relationships?: JsonSchema } {
  const relations = relationsFor(type, mode === 'create' ? 'creatable' : 'replaceable')
  if (relations.length === 0) return {}
  if (api.isCompact) return { relationships: { type: 'object' } }
  const properties = relations.map((relation) => [relation.name, relationshipSchema(api, relation, mode)])
  return { relationships: { type: 'object', properties: Object.fromEntries(properties) as JsonSchema } }
}

/** Relationships to resources of one type, without fields of join rows, have the same components. */
function relationshipSchema(api: Api, relation: RelationContract, mode: 'create' | 'update'): JsonSchema {
  const { toMany, related: targets } = relation
  const pivot = pivotSchema(api, relation, mode)
  const references = targets.map((type) => identifierOfType(api, type))
  const identifier = anyOf(pivot === null ? references : references.map((each) => withPivot(each, pivot)))
  const create = (): JsonSchema => {
    const data = toMany ? { type: 'array', items: identifier } : { anyOf: [identifier, { type: 'null' }] }
    return { type: 'object', properties: { data }, required: ['data'] }
  }
  const [only, ...others] = targets
  if (only === undefined || others.length > 0 || pivot !== null) return create()
  return api.components.schema(`${api.names.ofType(only)}Atomic${toMany ? 'ToMany' : 'ToOne'}`, create)
}

function addedSchema(api: Api, contract: TypeContract): JsonSchema {
  const { type } = contract
  const id = createId(contract)
  return api.components.schema(`${api.names.ofType(type)}AtomicAdd`, () => ({
    type: 'object',
    properties: {
      type: { type: 'string', const: type },
      id: id === false ? nothing : id,
      lid: { type: 'string' },
      attributes: sentAttributes(api, contract, 'create'),
      ...relationshipsMember(api, contract, 'create'),
    },
    required: ['type', ...requiredOfNew(contract)],
  }))
}

function updatedSchema(api: Api, contract: TypeContract): JsonSchema {
  const { type, id } = contract
  return api.components.schema(`${api.names.ofType(type)}AtomicUpdate`, () => ({
    type: 'object',
    properties: {
      type: { type: 'string', const: type },
      id: id.sent,
      lid: { type: 'string' },
      attributes: sentAttributes(api, contract, 'update'),
      ...relationshipsMember(api, contract, 'update'),
      meta: { type: 'object' },
    },
    required: ['type'],
    anyOf: idOrLid,
  }))
}
