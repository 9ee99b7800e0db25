import { countableProfile } from '../../declare/profiles/profile.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { alwaysShown } from '../contract/attributes-schema.js'
import type { RelationContract, TypeContract } from '../contract/contract.js'
import { relationsFor } from '../contract/relation-uses.js'
import type { Api } from './described-server.js'
import { documentSchemaOf } from './enumerations.js'
import { linkageSchema } from './linkage-schema.js'
import type { OpenApiSettings } from './openapi-settings.js'
import { annotatedSchema } from '../contract/merged-schema.js'
import { isRegistered } from './registered-profile.js'
import { relationSchema } from './relation-schema.js'
import { sharedComponent } from './shared-component.js'
import { linksSchema, metaSchema, relationshipLinks } from './shared-schemas.js'

/** Returns a reference to the resource objects of a type, as clients read them. */
export function resourceSchema(api: Api, contract: TypeContract): JsonSchema {
  const { components, names, server } = api
  const { settings } = server
  const { type, id, description, selfLink } = contract
  const base = names.ofType(type)
  return components.schema(`${base}Resource`, () => {
    const relations = relationsFor(contract, 'shown')
    const shown = relations.flatMap(({ name, isAlwaysShown }) => (isAlwaysShown ? [name] : []))
    const attributes = documentSchemaOf(api, readAttributes(contract, settings))
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
          id: id.read,
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

/** Returns the schema of the attributes that clients read. */
export function readAttributes({ attributes }: TypeContract, settings: OpenApiSettings): JsonSchema {
  const { [alwaysShown]: shown, ...schema } = attributes.read.served
  return { ...schema, ...shownKeyword((shown ?? []) as readonly string[], settings) }
}

/**
 * Returns the keyword with the fields that every response has, unless a fieldset leaves them out. Schemas require them only if the document
 * describes no fieldsets: a client that validates responses would otherwise refuse those to its own requests.
 */
function shownKeyword(names: readonly string[], { fieldsets = true }: OpenApiSettings): JsonSchema {
  return names.length === 0 ? {} : { [fieldsets ? alwaysShown : 'required']: names }
}

function relationshipsSchema(api: Api, relations: readonly RelationContract[], shown: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(relations.map((relation) => [relation.name, relationshipSchema(api, relation)])),
    ...shown,
  }
}

/** Returns a reference to the relationship objects of a relation. */
function relationshipSchema(api: Api, relation: RelationContract): JsonSchema {
  const { uses, links, toMany } = relation
  return relationSchema(api, relation, 'Relationship', () => {
    const hasLinks = links && (uses.includes('related') || uses.includes('relationship'))
    const isCounted = uses.includes('countable') && isRegistered(api, countableProfile)
    return annotatedSchema(
      {
        type: 'object',
        properties: {
          data: linkageSchema(api, relation, 'read'),
          links: toMany ? relationshipLinks(api) : linksSchema(api),
          meta: isCounted
            ? { type: 'object', properties: { total: { type: 'integer', minimum: 0 } } }
            : metaSchema(api),
        },
        ...(hasLinks ? { required: ['links'] } : {}),
      },
      relation,
    )
  })
}

/** Returns a reference to the attributes that clients send. */
export function sentAttributes(api: Api, type: TypeContract, purpose: 'create' | 'update'): JsonSchema {
  const base = api.names.ofType(type.type)
  const suffix = purpose === 'create' ? 'CreateAttributes' : 'UpdateAttributes'
  return api.components.schema(`${base}${suffix}`, () => documentSchemaOf(api, type.attributes[purpose].served))
}

/** Returns the schema of the id of a new resource: `false` if the server or the store creates it. */
export function createId({ id: { client, sent } }: TypeContract): JsonSchema | false {
  return client === 'never' ? false : sent
}

/** Returns the members that a new resource must have, besides its type. */
export function requiredOfNew({ id, attributes }: TypeContract): readonly string[] {
  return [
    ...(id.client === 'required' ? ['id'] : []),
    ...(attributes.create.served['required'] === undefined ? [] : ['attributes']),
  ]
}

/** Returns a reference to the document of a request that creates a resource. */
export function createRequest(api: Api, type: TypeContract): JsonSchema {
  const base = api.names.ofType(type.type)
  return api.components.schema(`${base}CreateRequest`, () => requestOf(newResource(api, type)))
}

/** Returns a reference to the document of a request that updates a resource. */
export function updateRequest(api: Api, type: TypeContract): JsonSchema {
  const base = api.names.ofType(type.type)
  return api.components.schema(`${base}UpdateRequest`, () => requestOf(changedResource(api, type)))
}

/**
 * Returns a reference to the document of a request that creates or updates a resource. What is required depends on whether the resource
 * exists.
 */
export function upsertRequest(api: Api, type: TypeContract): JsonSchema {
  const base = api.names.ofType(type.type)
  // The document of a create may lack the id, unless the client must send it.
  const withId = type.id.client === 'required' ? {} : { properties: { data: { type: 'object', required: ['id'] } } }
  return api.components.schema(`${base}UpsertRequest`, () => ({
    anyOf: [createRequest(api, type), updateRequest(api, type)],
    ...withId,
  }))
}

function requestOf(data: JsonSchema): JsonSchema {
  return { type: 'object', properties: { data, meta: { type: 'object' } }, required: ['data'] }
}

/** The schema of the resource object that creates a resource. */
function newResource(api: Api, contract: TypeContract): JsonSchema {
  const { type, description } = contract
  const relations = relationsFor(contract, 'creatable')
  const needed = relationsFor(contract, 'required').map(({ name }) => name)
  return annotatedSchema(
    {
      type: 'object',
      properties: {
        type: { type: 'string', const: type },
        id: createId(contract),
        lid: { type: 'string' },
        attributes: sentAttributes(api, contract, 'create'),
        ...sentRelationships(api, relations, 'create', needed),
      },
      required: ['type', ...requiredOfNew(contract), ...(needed.length === 0 ? [] : ['relationships'])],
    },
    { description },
  )
}

/** The schema of the resource object that updates a resource. */
function changedResource(api: Api, contract: TypeContract): JsonSchema {
  const { type, id, description } = contract
  return annotatedSchema(
    {
      type: 'object',
      properties: {
        type: { type: 'string', const: type },
        id: id.sent,
        attributes: sentAttributes(api, contract, 'update'),
        ...sentRelationships(api, relationsFor(contract, 'replaceable'), 'update', []),
      },
      required: ['type', 'id'],
    },
    { description },
  )
}

function sentRelationships(
  api: Api,
  relations: readonly RelationContract[],
  mode: 'create' | 'update',
  required: readonly string[],
): { readonly relationships?: JsonSchema } {
  if (relations.length === 0) return {}
  const schemaOf = (relation: RelationContract): JsonSchema => {
    const schema = annotatedSchema(
      {
        type: 'object',
        properties: { data: sentLinkage(api, relation, mode) },
        ...(required.includes(relation.name) ? { required: ['data'] } : {}),
      },
      { description: relation.description, deprecation: relation.deprecation },
    )
    const [only, ...others] = relation.related
    if (!api.isCompact || only === undefined || others.length > 0) return schema
    const wanted = `${api.names.ofType(only)}${relation.toMany ? 'ToMany' : 'ToOne'}`
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
function sentLinkage(api: Api, relation: RelationContract, mode: 'create' | 'update'): JsonSchema {
  const linkage = linkageSchema(api, relation, mode)
  const { owner: type } = relation
  if (mode === 'update' || !relation.related.includes(type)) return linkage
  const itself = {
    type: 'object',
    properties: { type: { type: 'string', const: type }, lid: { type: 'string' } },
    required: ['type', 'lid'],
  }
  if (!relation.toMany) return { anyOf: [...(linkage['anyOf'] as readonly JsonSchema[]), itself] }
  return { ...linkage, items: { anyOf: [linkage['items'], itself] } }
}

/**
 * Returns a reference to the document that an action takes. Its attributes are checked like those of a new resource; the rest is ignored.
 */
export function inputRequest(api: Api, contract: TypeContract): JsonSchema {
  const { type } = contract
  return api.components.schema(`${api.names.ofType(type)}ActionRequest`, () =>
    requestOf({
      type: 'object',
      properties: {
        type: { type: 'string', const: type },
        id: { type: 'string' },
        attributes: sentAttributes(api, contract, 'create'),
      },
      required: ['type', ...requiredOfNew(contract).filter((name) => name !== 'id')],
    }),
  )
}
