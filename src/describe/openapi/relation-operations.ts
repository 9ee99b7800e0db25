import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Api } from './described-server.js'
import type { RelationContract, RelationshipChange, TypeContract } from '../contract/contract.js'
import { relatedTypes } from '../contract/include-paths.js'
import { hasLinkagePages } from '../contract/listed-keys.js'
import { relationsFor } from '../contract/relation-uses.js'
import {
  additionRequest,
  relatedDocument,
  relationshipDocument,
  relationshipRequest,
  removalRequest,
} from './document-schemas.js'
import {
  keyStatuses,
  readHeaderParameters,
  versionParameters,
  writeHeaderParameters,
  writeHeaders,
} from './request-parameters.js'
import type { HeaderName } from './headers.js'
import { readHeaders } from './headers.js'
import { filterTreeOfMembers } from './filter-tree.js'
import { documentBody, operationOf } from './operation-parts.js'
import { relatedParameters, relationshipParameters } from './query-parameters.js'
import type { Success } from './responses.js'
import { writeStatuses } from './responses.js'
import { componentName, sharedComponent } from './shared-component.js'
import {
  acceptedSuccess,
  exported,
  noContent,
  notModified,
  pathItem,
  readMembers,
  requiredVersion,
  validatorNames,
  withJobParameters,
} from './type-operations.js'

/** Returns the path items of the relations of a type. */
export function relationPaths(api: Api, type: TypeContract): readonly (readonly [path: string, item: JsonSchema])[] {
  return relationsFor(type, 'shown').flatMap((relation) => {
    const { name, uses } = relation
    const segment = encodeURIComponent(relation.path)
    const filterTree = filterTreeOfMembers(api, relation)
    const linkage = relationshipItem(api, type, relation, filterTree)
    const related = uses.includes('related') ? readMembers(api, fetchRelated(api, type, relation), filterTree) : {}
    const member = { relation: name, related: relation.related }
    return [
      ...pathItem(api, type, `/{id}/${segment}`, related, member),
      ...pathItem(api, type, `/{id}/relationships/${segment}`, linkage, member),
    ]
  })
}

function fetchRelated(api: Api, type: TypeContract, relation: RelationContract): JsonSchema {
  const { name, toMany } = relation
  // A to-one relation shows one resource, which may have a version.
  const validators = toMany ? [] : relatedTypes(relation, api.find).flatMap(validatorNames)
  const headers = [...readHeaders(type, 'related'), ...validators]
  return operationOf(api, type, {
    kind: 'fetchRelated',
    relation,
    summary: `Fetch ${name} of one of ${type.type}`,
    parameters: [...relatedParameters(api, relation), ...readHeaderParameters(api, validators)],
    successes: [
      {
        status: 200,
        description: toMany ? 'The related resources.' : 'The related resource, or null.',
        schema: relatedDocument(api, relation),
        headers,
        ...(api.isCompact ? { sharedAs: componentName(relatedDocument(api, relation)) } : {}),
      },
      ...exportedMembers(api, relation),
      ...notModified(validators.length === 0 ? [] : headers),
    ],
    errors: [404],
    requirement: relation.access.read,
  })
}

/** Returns the response with the rows of an export of the members, if they have one type, which declares it. */
function exportedMembers(api: Api, relation: RelationContract): readonly Success[] {
  const { toMany, targets } = relation
  return toMany && targets.length === 1 ? relatedTypes(relation, api.find).flatMap(exported) : []
}

/** Returns the operations of a relationship that some request may use. A relationship may be writable, but not readable. */
function relationshipItem(
  api: Api,
  type: TypeContract,
  relation: RelationContract,
  filterTree: JsonSchema | null,
): JsonSchema {
  const { uses, changes, toMany } = relation
  const ofLinkage = toMany && !hasLinkagePages(relation) ? null : filterTree
  return {
    ...(uses.includes('relationship') ? readMembers(api, fetchRelationship(api, type, relation), ofLinkage) : {}),
    ...Object.fromEntries(changes.map((change) => [methods[change], mutate(api, type, relation, change)])),
  }
}

const methods = Object.freeze({ update: 'patch', add: 'post', remove: 'delete' })

function fetchRelationship(api: Api, type: TypeContract, relation: RelationContract): JsonSchema {
  const { name } = relation
  return operationOf(api, type, {
    kind: 'fetchRelationship',
    relation,
    summary: `Fetch the identifiers of ${name} of one of ${type.type}`,
    parameters: relationshipParameters(api, relation),
    successes: [
      {
        status: 200,
        description: 'The linkage.',
        schema: relationshipDocument(api, relation),
        headers: readHeaders(type, 'relationship'),
        ...(api.isCompact ? { sharedAs: linkageName(api, relation) } : {}),
      },
    ],
    errors: [404],
    requirement: relation.access.read,
  })
}

const requests = Object.freeze({ update: relationshipRequest, add: additionRequest, remove: removalRequest })
/** In documents of many types, relations with the same documents have their bodies in common. */
function mutationBody(api: Api, relation: RelationContract, mode: RelationshipChange): JsonSchema {
  const schema = requests[mode](api, relation)
  const body = documentBody(schema)
  return api.isCompact ? sharedComponent(api, 'requestBodies', componentName(schema), body) : body
}

function linkageName(api: Api, relation: RelationContract): string {
  const { owner, name } = relation
  if (api.isCompact) return componentName(relationshipDocument(api, relation))
  return `${api.names.ofRelation(owner, name)}Linkage`
}

const verbs: Readonly<Record<RelationshipChange, string>> = Object.freeze({
  update: 'Replace',
  add: 'Add to',
  remove: 'Remove from',
})

function mutate(api: Api, type: TypeContract, relation: RelationContract, mode: RelationshipChange): JsonSchema {
  const { name } = relation
  const write = { isKeyed: mode !== 'remove', isShown: true }
  const headers: readonly HeaderName[] = [
    ...writeHeaders(api, write),
    ...(type.version === null ? [] : (['ETag'] as const)),
  ]
  const accepted = type.responses.update.flatMap((response): readonly Success[] =>
    response.kind === 'accepted' ? [acceptedSuccess(api, response, write.isKeyed)] : [],
  )
  return operationOf(api, type, {
    kind: `${mode}Relationship`,
    relation,
    summary: `${verbs[mode]} ${name} of one of ${type.type}`,
    parameters: [
      ...withJobParameters(api, [], type.responses.update),
      ...versionParameters(api, type),
      ...writeHeaderParameters(api, write),
    ],
    requestBody: mutationBody(api, relation, mode),
    successes: [
      {
        status: 200,
        description: api.isCompact ? 'The linkage.' : 'The linkage as it is now.',
        schema: relationshipDocument(api, relation),
        headers,
        sharedAs: linkageName(api, relation),
      },
      ...accepted,
      { ...noContent, description: 'The linkage is as requested.', headers },
    ],
    errors: [...writeStatuses, ...keyStatuses(api, write), ...requiredVersion(type)],
    replacedBy: ['afterRelationshipMutate'],
    requirement: relation.access.mutate,
  })
}
