import type { AnyPaginator } from '../pagination/paginator.js'
import type { ServedRelation, ServedType } from '../resource/capabilities/served-type.js'
import type { JsonSchema } from '../resource/json-schema.js'
import type { Api } from './described-server.js'
import { includedMember } from './included-types.js'
import { linkageSchema, pivotSchema } from './linkage-schema.js'
import { isSame } from './merged-schema.js'
import { pageMeta } from './page-schemas.js'
import { resourceSchema } from './resource-schemas.js'
import { documentLinks, documentMembers, paginationLinks, requiredMembers } from './shared-schemas.js'

interface DocumentParts {
  readonly data: JsonSchema
  readonly primary: readonly ServedType[]
  readonly links: JsonSchema
  readonly meta?: JsonSchema
}

function documentSchema(api: Api, { data, primary, links, meta }: DocumentParts): JsonSchema {
  return {
    type: 'object',
    properties: {
      data,
      ...(primary.length === 0 ? {} : includedMember(api, primary)),
      ...documentMembers(api),
      ...(meta === undefined ? {} : { meta }),
      links,
    },
    required: ['data', 'links', ...requiredMembers(api)],
  }
}

/** Returns a reference to a document with one resource of a type. */
export function singleDocument(api: Api, served: ServedType): JsonSchema {
  const name = `${api.names.ofType(served.type.type)}Document`
  return api.components.schema(name, () =>
    documentSchema(api, { data: resourceSchema(api, served), primary: [served], links: documentLinks(api) }),
  )
}

/** Returns a reference to a document with the only resource that a singular filter has found, or with none. */
export function singularDocument(api: Api, served: ServedType): JsonSchema {
  const name = `${api.names.ofType(served.type.type)}SingularDocument`
  const data = { anyOf: [resourceSchema(api, served), { type: 'null' }] }
  return api.components.schema(name, () => documentSchema(api, { data, primary: [served], links: documentLinks(api) }))
}

/** Returns a reference to the documents of a collection. */
export function collectionDocument(api: Api, served: ServedType): JsonSchema {
  const name = `${api.names.ofType(served.type.type)}Collection`
  return api.components.schema(name, () =>
    collectionSchema(api, resourceSchema(api, served), [served], served.paginator),
  )
}

function collectionSchema(
  api: Api,
  items: JsonSchema,
  primary: readonly ServedType[],
  paginator: AnyPaginator | null,
): JsonSchema {
  const data = { type: 'array', items }
  return documentSchema(api, { data, primary, links: paginationLinks(api), meta: pageMeta(api, paginator) })
}

/** Returns a reference to the documents at the related endpoint of a relation. */
export function relatedDocument(api: Api, relation: ServedRelation): JsonSchema {
  const { spec, owner, name, related, paginator } = relation
  const types = [...related.values()]
  const base = api.names.ofRelation(owner.type, name)
  const resource = relatedResource(api, relation)
  if (!spec.traits.toMany) {
    const data = { anyOf: [resource, { type: 'null' }] }
    return api.components.schema(`${base}RelatedDocument`, () =>
      documentSchema(api, { data, primary: types, links: documentLinks(api) }),
    )
  }
  const [only] = types
  const isPlain = only !== undefined && types.length === 1 && pivotSchema(api, relation, 'read') === null
  if (isPlain && isSame(only.paginator, paginator)) return collectionDocument(api, only)
  return api.components.schema(`${base}RelatedCollection`, () => collectionSchema(api, resource, types, paginator))
}

/** A related resource has the fields of its join row in its meta. */
function relatedResource(api: Api, relation: ServedRelation): JsonSchema {
  const schemas = [...relation.related.values()].map((served) => resourceSchema(api, served))
  const [only] = schemas
  const resource = schemas.length === 1 && only !== undefined ? only : { anyOf: schemas }
  const pivot = pivotSchema(api, relation, 'read')
  if (pivot === null) return resource
  return { allOf: [resource], properties: { meta: { type: 'object', properties: { pivot } } } }
}

/** Returns a reference to the documents at the relationship endpoint of a relation. */
export function relationshipDocument(api: Api, relation: ServedRelation): JsonSchema {
  const { owner, name } = relation
  return api.components.schema(`${api.names.ofRelation(owner.type, name)}RelationshipDocument`, () =>
    documentSchema(api, { data: linkageSchema(api, relation, 'read'), primary: [], links: paginationLinks(api) }),
  )
}

/** Returns the document that removes members from a relationship. The fields of join rows mean nothing in it. */
export function removalRequest(api: Api, relation: ServedRelation): JsonSchema {
  if (pivotSchema(api, relation, 'update') === null) return relationshipRequest(api, relation)
  const { items } = linkageSchema(api, { ...relation, spec: { ...relation.spec, pivot: {} } }, 'update')
  return {
    type: 'object',
    properties: { data: { type: 'array', items }, meta: { type: 'object' } },
    required: ['data'],
  }
}

/** Returns a reference to the document that changes a relationship. */
export function relationshipRequest(api: Api, relation: ServedRelation): JsonSchema {
  const { owner, name, spec } = relation
  const { items, ...linkage } = linkageSchema(api, relation, 'update')
  // The bounds hold for the members that the change leads to, so only for those of a replacement.
  const data = spec.traits.toMany ? { type: 'array', items } : linkage
  return api.components.schema(`${api.names.ofRelation(owner.type, name)}RelationshipRequest`, () => ({
    type: 'object',
    properties: { data, meta: { type: 'object' } },
    required: ['data'],
  }))
}
