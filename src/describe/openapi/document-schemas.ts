import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { ActionData } from '../../declare/resource/replies/responses.js'
import type { RelationContract, TypeContract } from '../contract/contract.js'
import { relatedTypes } from '../contract/include-paths.js'
import { hasLinkagePages } from '../contract/listed-keys.js'
import type { Api } from './described-server.js'
import { includedMember } from './included-types.js'
import { linkageSchema, pivotSchema, withPivot } from './linkage-schema.js'
import { anyOf, isSame } from '../contract/merged-schema.js'
import type { DescribedList } from './page-schemas.js'
import { linkageMeta, pageMeta } from './page-schemas.js'
import { resourceSchema } from './resource-schemas.js'
import { relationSchema } from './relation-schema.js'
import { documentLinks, documentMembers, paginationLinks, requiredMembers } from './shared-schemas.js'

interface DocumentParts {
  readonly data: JsonSchema
  readonly primary: readonly TypeContract[]
  readonly links: JsonSchema
  /** Default: any members. */
  readonly meta?: JsonSchema | null
  /** Whether documents may lack the meta, although some of its members are required. */
  readonly isMetaOptional?: boolean
}

function documentSchema(api: Api, parts: DocumentParts): JsonSchema {
  const { data, primary, links, meta = null, isMetaOptional = false } = parts
  const hasMeta = meta?.['required'] !== undefined && !isMetaOptional
  return {
    type: 'object',
    properties: {
      data,
      ...(primary.length === 0 ? {} : includedMember(api, primary)),
      ...documentMembers(api),
      ...(meta === null ? {} : { meta }),
      links,
    },
    required: ['data', ...(hasMeta ? ['meta'] : []), 'links', ...requiredMembers(api)],
  }
}

/** Returns a reference to a document with one resource of a type. */
export function singleDocument(api: Api, type: TypeContract): JsonSchema {
  const name = `${api.names.ofType(type.type)}Document`
  return api.components.schema(name, () =>
    documentSchema(api, { data: resourceSchema(api, type), primary: [type], links: documentLinks(api) }),
  )
}

/** Returns a reference to a document with the only resource that a singular filter has found, or with none. */
export function singularDocument(api: Api, type: TypeContract): JsonSchema {
  const name = `${api.names.ofType(type.type)}SingularDocument`
  const data = { anyOf: [resourceSchema(api, type), { type: 'null' }] }
  return api.components.schema(name, () => documentSchema(api, { data, primary: [type], links: documentLinks(api) }))
}

/** Returns a reference to the documents of a collection. */
export function collectionDocument(api: Api, type: TypeContract): JsonSchema {
  const name = `${api.names.ofType(type.type)}Collection`
  return api.components.schema(name, () =>
    collectionSchema(api, {
      items: resourceSchema(api, type),
      primary: [type],
      list: { ...type, minGroupSize: type.groupsOf?.minGroupSize ?? 1 },
    }),
  )
}

/** Returns a reference to the document of an action, which has one resource, one or none, or a list that is not a page of the collection. */
export function actionDocument(api: Api, type: TypeContract, data: ActionData): JsonSchema {
  if (data === 'one') return singleDocument(api, type)
  if (data === 'oneOrNull') return singularDocument(api, type)
  return api.components.schema(`${api.names.ofType(type.type)}ActionCollection`, () => {
    const list = { type: 'array', items: resourceSchema(api, type) }
    return documentSchema(api, { data: list, primary: [type], links: documentLinks(api) })
  })
}

interface CollectionParts extends Pick<DocumentParts, 'primary'> {
  readonly items: JsonSchema
  readonly list: DescribedList
}

/** A hook may return other resources than those of the page. */
function collectionSchema(api: Api, { items, primary, list }: CollectionParts): JsonSchema {
  const isMetaOptional = primary.some(({ hooks }) => hooks.includes('afterFetchCollection'))
  const data = { type: 'array', items }
  return documentSchema(api, { data, primary, links: paginationLinks(api), meta: pageMeta(api, list), isMetaOptional })
}

/** Returns a reference to the documents at the related endpoint of a relation. */
export function relatedDocument(api: Api, relation: RelationContract): JsonSchema {
  const { owner, name, toMany } = relation
  const types = relatedTypes(relation, api.find)
  const base = api.names.ofRelation(owner, name)
  const resource = relatedResource(api, relation)
  const [only] = types
  if (!toMany) {
    const data = { anyOf: [resource, { type: 'null' }] }
    if (api.isCompact && only !== undefined && types.length === 1) return singularDocument(api, only)
    return api.components.schema(`${base}RelatedDocument`, () =>
      documentSchema(api, { data, primary: types, links: documentLinks(api) }),
    )
  }
  const isPlain = only !== undefined && types.length === 1 && relation.pivot === null
  if (isPlain && isSame(relation.page, only.page) && relation.countable === only.countable) {
    return collectionDocument(api, only)
  }
  return api.components.schema(`${base}RelatedCollection`, () =>
    collectionSchema(api, { items: resource, primary: types, list: relation }),
  )
}

/** A related resource has the fields of its join row in its meta. */
function relatedResource(api: Api, relation: RelationContract): JsonSchema {
  const resources = relatedTypes(relation, api.find).map((type) => resourceSchema(api, type))
  const pivot = pivotSchema(api, relation, 'read')
  return anyOf(pivot === null ? resources : resources.map((resource) => withPivot(resource, pivot)))
}

/** Returns a reference to the documents at the relationship endpoint of a relation. */
export function relationshipDocument(api: Api, relation: RelationContract): JsonSchema {
  return relationSchema(api, relation, 'RelationshipDocument', () => {
    const meta = relation.toMany ? linkageMeta(api, relation, hasLinkagePages(relation)) : null
    const links = relation.toMany ? paginationLinks(api) : documentLinks(api)
    return documentSchema(api, { data: linkageSchema(api, relation, 'read'), primary: [], links, meta })
  })
}

/** Returns a reference to the document that removes members from a relationship. The fields of join rows are ignored in it. */
export function removalRequest(api: Api, relation: RelationContract): JsonSchema {
  if (relation.pivot === null) return relationshipRequest(api, relation)
  const { items } = linkageSchema(api, { ...relation, pivot: null }, 'update')
  return membersRequest(api, relation, 'Removal', items)
}

/** Returns a reference to the document that adds members to a relationship. New members have the required fields of their join rows. */
export function additionRequest(api: Api, relation: RelationContract): JsonSchema {
  if (relation.pivot?.create.served['required'] === undefined) return relationshipRequest(api, relation)
  return membersRequest(api, relation, 'Addition', linkageSchema(api, relation, 'create')['items'])
}

function membersRequest(
  { components, names }: Api,
  { owner, name }: RelationContract,
  suffix: 'Addition' | 'Removal',
  items: unknown,
): JsonSchema {
  return components.schema(`${names.ofRelation(owner, name)}Relationship${suffix}`, () => ({
    type: 'object',
    properties: { data: { type: 'array', items }, meta: { type: 'object' } },
    required: ['data'],
  }))
}

/** Returns a reference to the document that changes a relationship. */
export function relationshipRequest(api: Api, relation: RelationContract): JsonSchema {
  const { items, ...linkage } = linkageSchema(api, relation, 'update')
  // The bounds apply to the resulting members, so only to those of a replacement.
  const data = relation.toMany ? { type: 'array', items } : linkage
  return relationSchema(api, relation, 'RelationshipRequest', () => ({
    type: 'object',
    properties: { data, meta: { type: 'object' } },
    required: ['data'],
  }))
}
