import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Api } from './described-server.js'
import { relationsFor, relationUses } from '../contract/relation-uses.js'
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
import { targetNames } from './linkage-schema.js'
import { documentBody, operationOf } from './operation-parts.js'
import { relatedParameters, relationshipParameters } from './query-parameters.js'
import type { Success } from './responses.js'
import { writeStatuses } from './responses.js'
import { mutateRequirement, readRequirement } from './security.js'
import { sharedComponent } from './shared-component.js'
import {
  acceptedSuccess,
  noContent,
  notModified,
  pathItem,
  requiredVersion,
  validatorNames,
  withJobParameters,
} from './type-operations.js'

/** Returns the path items of the relations of a type. */
export function relationPaths(api: Api, served: ServedType): readonly (readonly [path: string, item: JsonSchema])[] {
  return relationsFor(served, 'shown').flatMap((relation) => {
    const { spec, name, uriName } = relation
    const segment = encodeURIComponent(uriName)
    const linkage = spec.relationshipEndpoint ? relationshipItem(api, served, relation) : {}
    const related = relation.hasRelatedEndpoint ? { get: fetchRelated(api, served, relation) } : {}
    const member = { relation: name, related: targetNames(relation) }
    return [
      ...pathItem(api, served, `/{id}/${segment}`, related, member),
      ...pathItem(api, served, `/{id}/relationships/${segment}`, linkage, member),
    ]
  })
}

function fetchRelated(api: Api, served: ServedType, relation: ServedRelation): JsonSchema {
  const { type } = served.type
  const { name, spec } = relation
  // A to-one relation shows one resource, which may have a version.
  const validators = spec.traits.toMany ? [] : [...relation.related.values()].flatMap(validatorNames)
  const headers = [...readHeaders(api, served.type, 'related'), ...validators]
  return operationOf(api, served, {
    kind: 'fetchRelated',
    relation,
    summary: `Fetch ${name} of one of ${type}`,
    parameters: [...relatedParameters(api, relation), ...readHeaderParameters(api, validators)],
    successes: [
      {
        status: 200,
        description: spec.traits.toMany ? 'The related resources.' : 'The related resource, or null.',
        schema: relatedDocument(api, relation),
        headers,
        ...(api.isCompact ? { sharedAs: componentName(relatedDocument(api, relation)) } : {}),
      },
      ...notModified(validators.length === 0 ? [] : headers),
    ],
    errors: [404],
    requirement: readRequirement(api.server, served, relation),
  })
}

/** Returns the operations of a relationship that some request may use. A relationship may be writable, but not readable. */
function relationshipItem(api: Api, served: ServedType, relation: ServedRelation): JsonSchema {
  const modes = relationshipModes(served, relation)
  return {
    ...(relation.hasRelationshipEndpoint ? { get: fetchRelationship(api, served, relation) } : {}),
    ...Object.fromEntries(modes.map((mode) => [methods[mode], mutate(api, served, relation, mode)])),
  }
}

/** How a relationship can be changed: its members are replaced, added or removed. */
export type RelationshipChange = (typeof changes)[number]

const methods = Object.freeze({ update: 'patch', add: 'post', remove: 'delete' })

/** Returns how some request may change a relationship by its own endpoint, or by an operation of a batch. */
export function relationshipModes({ type }: ServedType, relation: ServedRelation): readonly RelationshipChange[] {
  const uses = relationUses(relation)
  const isOpen = type.operations.has('Update') && relation.spec.relationshipEndpoint && uses.has('shown')
  return isOpen ? changes.filter((change) => uses.has(useOf[change])) : []
}

const changes = ['update', 'add', 'remove'] as const
const useOf = Object.freeze({ update: 'replaceable', add: 'addable', remove: 'removable' })

function fetchRelationship(api: Api, served: ServedType, relation: ServedRelation): JsonSchema {
  const { type } = served.type
  const { name } = relation
  return operationOf(api, served, {
    kind: 'fetchRelationship',
    relation,
    summary: `Fetch the identifiers of ${name} of one of ${type}`,
    parameters: relationshipParameters(api, relation),
    successes: [
      {
        status: 200,
        description: 'The linkage.',
        schema: relationshipDocument(api, relation),
        headers: readHeaders(api, served.type, 'relationship'),
        ...(api.isCompact ? { sharedAs: linkageName(api, relation) } : {}),
      },
    ],
    errors: [404],
    requirement: readRequirement(api.server, served, relation),
  })
}

const requests = Object.freeze({ update: relationshipRequest, add: additionRequest, remove: removalRequest })
/** In documents of many types, relations with the same documents have their bodies in common. */
function mutationBody(api: Api, relation: ServedRelation, mode: RelationshipChange): JsonSchema {
  const schema = requests[mode](api, relation)
  const body = documentBody(schema)
  return api.isCompact ? sharedComponent(api, 'requestBodies', componentName(schema), body) : body
}

function linkageName(api: Api, relation: ServedRelation): string {
  const { owner, name } = relation
  if (api.isCompact) return componentName(relationshipDocument(api, relation))
  return `${api.names.ofRelation(owner.type, name)}Linkage`
}

function componentName({ $ref }: JsonSchema): string {
  return String($ref).slice(String($ref).lastIndexOf('/') + 1)
}

const verbs: Readonly<Record<RelationshipChange, string>> = Object.freeze({
  update: 'Replace',
  add: 'Add to',
  remove: 'Remove from',
})

function mutate(api: Api, served: ServedType, relation: ServedRelation, mode: RelationshipChange): JsonSchema {
  const { type } = served.type
  const { name } = relation
  const write = { isKeyed: mode !== 'remove', isShown: true }
  const headers: readonly HeaderName[] = [
    ...writeHeaders(api, write),
    ...(served.type.version === null ? [] : (['ETag'] as const)),
  ]
  const accepted = served.type.responses.update.flatMap((response): readonly Success[] =>
    response.kind === 'accepted' ? [acceptedSuccess(api, response, write.isKeyed)] : [],
  )
  return operationOf(api, served, {
    kind: `${mode}Relationship`,
    relation,
    summary: `${verbs[mode]} ${name} of one of ${type}`,
    parameters: [
      ...withJobParameters(api, [], served.type.responses.update),
      ...versionParameters(api, served.type),
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
    errors: [...writeStatuses, ...keyStatuses(api, write), ...requiredVersion(served)],
    replacedBy: ['afterRelationshipMutate'],
    requirement: mutateRequirement(api.server, served, relation),
  })
}
