import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { ActionData } from '../../declare/resource/replies/responses.js'
import { hasLinkagePages } from '../../declare/resource/relations/relation-spec.js'
import type { Api } from './described-server.js'
import { includedMember } from './included-types.js'
import { linkageSchema, pivotSchema, withPivot } from './linkage-schema.js'
import { isSame } from './merged-schema.js'
import type { DescribedList } from './page-schemas.js'
import { linkageMeta, pageMeta } from './page-schemas.js'
import { resourceSchema } from './resource-schemas.js'
import { relationSchema } from './relation-schema.js'
import { documentLinks, documentMembers, paginationLinks, requiredMembers } from './shared-schemas.js'

interface DocumentParts {
  readonly data: JsonSchema
  readonly primary: readonly ServedType[]
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
  return api.components.schema(name, () => {
    const { minGroupSize = 1 } = served.type.groupsOf?.aggregate ?? {}
    const list = { paginator: served.paginator, countable: served.type.countable, minGroupSize }
    return collectionSchema(api, { items: resourceSchema(api, served), primary: [served], list })
  })
}

/** Returns a reference to the document of an action, which has one resource, one or none, or a list that is not a page of the collection. */
export function actionDocument(api: Api, served: ServedType, data: ActionData): JsonSchema {
  if (data === 'one') return singleDocument(api, served)
  if (data === 'oneOrNull') return singularDocument(api, served)
  return api.components.schema(`${api.names.ofType(served.type.type)}ActionCollection`, () => {
    const list = { type: 'array', items: resourceSchema(api, served) }
    return documentSchema(api, { data: list, primary: [served], links: documentLinks(api) })
  })
}

interface CollectionParts extends Pick<DocumentParts, 'primary'> {
  readonly items: JsonSchema
  readonly list: DescribedList
}

/** A hook may return other resources than those of the page. */
function collectionSchema(api: Api, { items, primary, list }: CollectionParts): JsonSchema {
  const isMetaOptional = primary.some(({ type: { hooks } }) => hooks?.afterFetchCollection !== undefined)
  const data = { type: 'array', items }
  return documentSchema(api, { data, primary, links: paginationLinks(api), meta: pageMeta(api, list), isMetaOptional })
}

/** Returns a reference to the documents at the related endpoint of a relation. */
export function relatedDocument(api: Api, relation: ServedRelation): JsonSchema {
  const { spec, owner, name, related } = relation
  const types = [...related.values()]
  const base = api.names.ofRelation(owner.type, name)
  const resource = relatedResource(api, relation)
  const [only] = types
  if (!spec.traits.toMany) {
    const data = { anyOf: [resource, { type: 'null' }] }
    if (api.isCompact && only !== undefined && types.length === 1) return singularDocument(api, only)
    return api.components.schema(`${base}RelatedDocument`, () =>
      documentSchema(api, { data, primary: types, links: documentLinks(api) }),
    )
  }
  const isPlain = only !== undefined && types.length === 1 && pivotSchema(api, relation, 'read') === null
  const list = listOf(relation)
  if (isPlain && isSame(list, { paginator: only.paginator, countable: only.type.countable })) {
    return collectionDocument(api, only)
  }
  return api.components.schema(`${base}RelatedCollection`, () =>
    collectionSchema(api, { items: resource, primary: types, list }),
  )
}

function listOf({ paginator, spec }: ServedRelation): DescribedList {
  return { paginator, countable: spec.countable }
}

/** A related resource has the fields of its join row in its meta. */
function relatedResource(api: Api, relation: ServedRelation): JsonSchema {
  const resources = [...relation.related.values()].map((served) => resourceSchema(api, served))
  const pivot = pivotSchema(api, relation, 'read')
  const schemas = pivot === null ? resources : resources.map((resource) => withPivot(resource, pivot))
  const [only] = schemas
  return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas }
}

/** Returns a reference to the documents at the relationship endpoint of a relation. */
export function relationshipDocument(api: Api, relation: ServedRelation): JsonSchema {
  const { spec } = relation
  return relationSchema(api, relation, 'RelationshipDocument', () => {
    const meta = spec.traits.toMany ? linkageMeta(api, listOf(relation), hasLinkagePages(spec)) : null
    const links = spec.traits.toMany ? paginationLinks(api) : documentLinks(api)
    return documentSchema(api, { data: linkageSchema(api, relation, 'read'), primary: [], links, meta })
  })
}

/** Returns a reference to the document that removes members from a relationship. The fields of join rows are ignored in it. */
export function removalRequest(api: Api, relation: ServedRelation): JsonSchema {
  if (pivotSchema(api, relation, 'update') === null) return relationshipRequest(api, relation)
  const { items } = linkageSchema(api, { ...relation, spec: { ...relation.spec, pivot: {} } }, 'update')
  return membersRequest(api, relation, 'Removal', items)
}

/** Returns a reference to the document that adds members to a relationship. New members have the required fields of their join rows. */
export function additionRequest(api: Api, relation: ServedRelation): JsonSchema {
  if (pivotSchema(api, relation, 'create')?.['required'] === undefined) return relationshipRequest(api, relation)
  return membersRequest(api, relation, 'Addition', linkageSchema(api, relation, 'create')['items'])
}

function membersRequest(
  { components, names }: Api,
  { owner, name }: ServedRelation,
  suffix: 'Addition' | 'Removal',
  items: unknown,
): JsonSchema {
  return components.schema(`${names.ofRelation(owner.type, name)}Relationship${suffix}`, () => ({
    type: 'object',
    properties: { data: { type: 'array', items }, meta: { type: 'object' } },
    required: ['data'],
  }))
}

/** Returns a reference to the document that changes a relationship. */
export function relationshipRequest(api: Api, relation: ServedRelation): JsonSchema {
  const { spec } = relation
  const { items, ...linkage } = linkageSchema(api, relation, 'update')
  // The bounds apply to the resulting members, so only to those of a replacement.
  const data = spec.traits.toMany ? { type: 'array', items } : linkage
  return relationSchema(api, relation, 'RelationshipRequest', () => ({
    type: 'object',
    properties: { data, meta: { type: 'object' } },
    required: ['data'],
  }))
}
