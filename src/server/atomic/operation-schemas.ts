import { isAttributeRequired } from '../../describe/openapi/attributes-schema.js'
import type { Api } from '../../describe/openapi/described-server.js'
import { createId, sentId } from '../../describe/openapi/id-schema.js'
import { pivotSchema, targetNames, withPivot } from '../../describe/openapi/linkage-schema.js'
import { nothing } from '../../describe/openapi/merged-schema.js'
import { relationsFor } from '../../describe/contract/relation-uses.js'
import { sentAttributes } from '../../describe/openapi/resource-schemas.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { relationshipOperations } from './relationship-operation-schemas.js'
import {
  anyOf,
  batchedTypes,
  identifierOfType,
  idOrLid,
  operationWith,
  refOrHref,
  targetSchema,
} from './target-schemas.js'

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
  const data = anyOf(types.map((served) => addedSchema(api, served)))
  return [api.components.schema('AtomicAddOperation', () => operationWith(['add'], { ref, data }, ['data']))]
}

function updateOperation(api: Api): readonly JsonSchema[] {
  const types = batchedTypes(api, 'Update')
  if (types.length === 0) return []
  const data = anyOf(types.map((served) => updatedSchema(api, served)))
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

function nameOf(types: readonly ServedType[]): JsonSchema {
  return { type: 'string', enum: types.map(({ type }) => type.type) }
}

/** Returns the relationships of a resource object. Linkage may name resources of the same batch by their local ids. */
function relationshipsMember(
  api: Api,
  served: ServedType,
  mode: 'create' | 'update',
): { readonly relationships?: JsonSchema } {
  const relations = relationsFor(served, mode === 'create' ? 'creatable' : 'replaceable')
  if (relations.length === 0) return {}
  if (api.isCompact) return { relationships: { type: 'object' } }
  const properties = relations.map((relation) => [relation.name, relationshipSchema(api, relation, mode)])
  return { relationships: { type: 'object', properties: Object.fromEntries(properties) as JsonSchema } }
}

/** Relationships to resources of one type, without fields of join rows, have the same components. */
function relationshipSchema(api: Api, relation: ServedRelation, mode: 'create' | 'update'): JsonSchema {
  const { toMany } = relation.spec.traits
  const pivot = pivotSchema(api, relation, mode)
  const targets = targetNames(relation)
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

function addedSchema(api: Api, served: ServedType): JsonSchema {
  const { type, id } = served.type
  const { schema, isRequired } = createId(id.spec)
  return api.components.schema(`${api.names.ofType(type)}AtomicAdd`, () => ({
    type: 'object',
    properties: {
      type: { type: 'string', const: type },
      id: schema === false ? nothing : schema,
      lid: { type: 'string' },
      attributes: sentAttributes(api, served, 'create'),
      ...relationshipsMember(api, served, 'create'),
    },
    required: ['type', ...(isRequired ? ['id'] : []), ...(isAttributeRequired(served) ? ['attributes'] : [])],
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
    anyOf: idOrLid,
  }))
}
