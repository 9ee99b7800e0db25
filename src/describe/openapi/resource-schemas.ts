import { countableProfile } from '../../declare/profiles/profile.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { attributesSchema, isAttributeRequired, shownKeyword } from './attributes-schema.js'
import { relationsFor, relationUses } from '../contract/relation-uses.js'
import { isAlwaysShown } from '../contract/shown-fields.js'
import type { Api } from './described-server.js'
import { enumerations } from './enumerations.js'
import { createId, readId, sentId } from './id-schema.js'
import { linkageSchema, targetNames } from './linkage-schema.js'
import { annotatedSchema } from './merged-schema.js'
import { isRegistered } from './registered-profile.js'
import { relationSchema } from './relation-schema.js'
import { sharedComponent } from './shared-component.js'
import { linksSchema, metaSchema, relationshipLinks } from './shared-schemas.js'

/** Returns a reference to the resource objects of a type, as clients read them. */
export function resourceSchema(api: Api, served: ServedType): JsonSchema {
  const { components, names, server } = api
  const { settings } = server
  const { type, id, description, selfLink } = served.type
  const base = names.ofType(type)
  return components.schema(`${base}Resource`, () => {
    const relations = relationsFor(served, 'shown')
    const shown = relations.filter(({ spec }) => isAlwaysShown(spec)).map(({ name }) => name)
    const attributes = attributesSchema(served, 'read', enumerations(api), settings)
    const related = shownKeyword(shown, settings)
    const required = ['type', 'id']
    if (attributes['required'] !== undefined) required.push('attributes')
    if (related['required'] !== undefined) required.push('relationships')
    if (selfLink) required.push('links')
    return annotatedSchema(
      {
        type: 'object',
        properties: {
          type: { type: 'string', const: type },
          id: readId(id.spec),
          attributes: components.schema(`${base}Attributes`, () => attributes),
          ...(relations.length === 0 ? {} : { relationships: relationshipsSchema(api, relations, related) }),
          links: linksSchema(api),
          meta: metaSchema(api),
        },
        required,
      },
      { description },
    )
  })
}

function relationshipsSchema(api: Api, relations: readonly ServedRelation[], shown: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(relations.map((relation) => [relation.name, relationshipSchema(api, relation)])),
    ...shown,
  }
}

/** Returns a reference to the relationship objects of a relation. */
function relationshipSchema(api: Api, relation: ServedRelation): JsonSchema {
  const { spec } = relation
  return relationSchema(api, relation, 'Relationship', () => {
    const hasLinks = spec.links && (relation.hasRelatedEndpoint || relation.hasRelationshipEndpoint)
    const isCounted = relationUses(relation).has('countable') && isRegistered(api, countableProfile)
    return annotatedSchema(
      {
        type: 'object',
        properties: {
          data: linkageSchema(api, relation, 'read'),
          links: spec.traits.toMany ? relationshipLinks(api) : linksSchema(api),
          meta: isCounted
            ? { type: 'object', properties: { total: { type: 'integer', minimum: 0 } } }
            : metaSchema(api),
        },
        ...(hasLinks ? { required: ['links'] } : {}),
      },
      spec,
    )
  })
}

/** Returns a reference to the attributes that clients send. */
export function sentAttributes(api: Api, served: ServedType, purpose: 'create' | 'update'): JsonSchema {
  const base = api.names.ofType(served.type.type)
  const suffix = purpose === 'create' ? 'CreateAttributes' : 'UpdateAttributes'
  return api.components.schema(`${base}${suffix}`, () => attributesSchema(served, purpose, enumerations(api)))
}

/** Returns a reference to the document of a request that creates a resource. */
export function createRequest(api: Api, served: ServedType): JsonSchema {
  const base = api.names.ofType(served.type.type)
  return api.components.schema(`${base}CreateRequest`, () => requestOf(newResource(api, served)))
}

/** Returns a reference to the document of a request that updates a resource. */
export function updateRequest(api: Api, served: ServedType): JsonSchema {
  const base = api.names.ofType(served.type.type)
  return api.components.schema(`${base}UpdateRequest`, () => requestOf(changedResource(api, served)))
}

/**
 * Returns a reference to the document of a request that creates or updates a resource. What is required depends on whether the resource
 * exists.
 */
export function upsertRequest(api: Api, served: ServedType): JsonSchema {
  const base = api.names.ofType(served.type.type)
  return api.components.schema(`${base}UpsertRequest`, () => ({
    anyOf: [createRequest(api, served), updateRequest(api, served)],
  }))
}

function requestOf(data: JsonSchema): JsonSchema {
  return { type: 'object', properties: { data, meta: { type: 'object' } }, required: ['data'] }
}

/** The schema of the resource object that creates a resource. */
function newResource(api: Api, served: ServedType): JsonSchema {
  const { type, id, description } = served.type
  const ids = createId(id.spec)
  const relations = relationsFor(served, 'creatable')
  const needed = relations.filter((each) => relationUses(each).has('required')).map(({ name }) => name)
  const needsAttributes = isAttributeRequired(served)
  return annotatedSchema(
    {
      type: 'object',
      properties: {
        type: { type: 'string', const: type },
        id: ids.schema,
        lid: { type: 'string' },
        attributes: sentAttributes(api, served, 'create'),
        ...sentRelationships(api, relations, 'create', needed),
      },
      required: [
        'type',
        ...(ids.isRequired ? ['id'] : []),
        ...(needsAttributes ? ['attributes'] : []),
        ...(needed.length === 0 ? [] : ['relationships']),
      ],
    },
    { description },
  )
}

/** The schema of the resource object that updates a resource. */
function changedResource(api: Api, served: ServedType): JsonSchema {
  const { type, id, description } = served.type
  return annotatedSchema(
    {
      type: 'object',
      properties: {
        type: { type: 'string', const: type },
        id: sentId(id.spec),
        attributes: sentAttributes(api, served, 'update'),
        ...sentRelationships(api, relationsFor(served, 'replaceable'), 'update', []),
      },
      required: ['type', 'id'],
    },
    { description },
  )
}

function sentRelationships(
  api: Api,
  relations: readonly ServedRelation[],
  mode: 'create' | 'update',
  required: readonly string[],
): { readonly relationships?: JsonSchema } {
  if (relations.length === 0) return {}
  const schemaOf = (relation: ServedRelation): JsonSchema => {
    const schema = annotatedSchema(
      {
        type: 'object',
        properties: { data: sentLinkage(api, relation, mode) },
        ...(required.includes(relation.name) ? { required: ['data'] } : {}),
      },
      { description: relation.spec.description, deprecation: relation.spec.deprecation },
    )
    const [only, ...others] = targetNames(relation)
    if (!api.isCompact || only === undefined || others.length > 0) return schema
    const wanted = `${api.names.ofType(only)}${relation.spec.traits.toMany ? 'ToMany' : 'ToOne'}`
    return sharedComponent(api, 'schemas', wanted, schema)
  }
  return {
    relationships: {
      type: 'object',
      properties: Object.fromEntries(relations.map((relation) => [relation.name, schemaOf(relation)])),
      ...(required.length === 0 ? {} : { required }),
    },
  }
}

/** A new resource may be related to itself, by its local id. */
function sentLinkage(api: Api, relation: ServedRelation, mode: 'create' | 'update'): JsonSchema {
  const linkage = linkageSchema(api, relation, mode)
  const { type } = relation.owner
  if (mode === 'update' || !relation.related.has(type)) return linkage
  const itself = {
    type: 'object',
    properties: { type: { type: 'string', const: type }, lid: { type: 'string' } },
    required: ['type', 'lid'],
  }
  if (!relation.spec.traits.toMany) return { anyOf: [...(linkage['anyOf'] as readonly JsonSchema[]), itself] }
  return { ...linkage, items: { anyOf: [linkage['items'], itself] } }
}

/**
 * Returns a reference to the document that an action takes. Its attributes are checked like those of a new resource; the rest is ignored.
 */
export function inputRequest(api: Api, served: ServedType): JsonSchema {
  const { type } = served.type
  return api.components.schema(`${api.names.ofType(type)}ActionRequest`, () =>
    requestOf({
      type: 'object',
      properties: {
        type: { type: 'string', const: type },
        id: { type: 'string' },
        attributes: sentAttributes(api, served, 'create'),
      },
      required: ['type', ...(isAttributeRequired(served) ? ['attributes'] : [])],
    }),
  )
}
