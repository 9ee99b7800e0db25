import { anyOf } from '../../describe/contract/merged-schema.js'
import { contentType, UPSERT_EXTENSION } from '../../core/document/media-type.js'
import { deprecatedByHeaders } from '../../describe/openapi/deprecated-by-headers.js'
import type { Api } from '../../describe/openapi/described-server.js'
import { errorDocument } from '../../describe/openapi/error-schemas.js'
import {
  commonParameters,
  keyStatuses,
  writeHeaderParameters,
  writeHeaders,
} from '../../describe/openapi/request-parameters.js'
import { bodyHeaders, commonHeaders, headersMember, typeHeaderNames } from '../../describe/openapi/headers.js'
import { hasApplicationCode, parametersMember } from '../../describe/openapi/operation-parts.js'
import { identifierSchema } from '../../describe/openapi/linkage-schema.js'
import { reasonPhrases } from '../../describe/openapi/reason-phrases.js'
import { resourceSchema } from '../../describe/openapi/resource-schemas.js'
import type { Responses } from '../../describe/openapi/responses.js'
import { commonStatuses, errorResponse, writeStatuses } from '../../describe/openapi/responses.js'
import { securityOf } from '../../describe/openapi/security.js'
import { documentMembers, linksSchema, requiredMembers } from '../../describe/openapi/shared-schemas.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { operationSchema } from './operation-schemas.js'

/** The names of the components of batches. */
export const atomicComponents: readonly string[] = Object.freeze([
  'AtomicOperation',
  'AtomicOperationsRequest',
  'AtomicResult',
  'AtomicResultsResponse',
  'AtomicAddOperation',
  'AtomicUpdateOperation',
  'AtomicRemoveOperation',
  'AtomicToOneOperation',
  'AtomicAddMembersOperation',
  'AtomicUpdateMembersOperation',
  'AtomicRemoveMembersOperation',
  'AtomicIdentifier',
  'AtomicRef',
])

/** Describes the endpoint of batches: an OpenAPI Operation Object. */
export function describeAtomic(
  api: Api,
  { uri, maxOperations }: { readonly uri: string; readonly maxOperations: number },
): JsonSchema {
  const { server, contract } = api
  const mediaType = contentType([uri], [])
  const request = api.components.schema('AtomicOperationsRequest', () => ({
    type: 'object',
    properties: {
      'atomic:operations': { type: 'array', minItems: 1, maxItems: maxOperations, items: operationSchema(api) },
      meta: { type: 'object' },
    },
    required: ['atomic:operations'],
  }))
  const hasUpserts = contract.types.some(({ upsertBy }) => upsertBy.length > 0)
  const sent = [mediaType, ...(hasUpserts ? [contentType([uri, UPSERT_EXTENSION], [])] : [])]
  const isSecured = contract.types.some(({ hasPolicy }) => hasPolicy)
  return {
    operationId: 'atomic.operations',
    summary: 'Run a batch of operations',
    description: 'All operations are committed, or none.',
    tags: ['Atomic Operations'],
    ...deprecatedByHeaders(api, null),
    ...parametersMember([...writeHeaderParameters(api, write), ...commonParameters(api, true)]),
    requestBody: { required: true, content: Object.fromEntries(sent.map((each) => [each, { schema: request }])) },
    responses: { ...successes(api, mediaType), ...failures(api, mediaType, isSecured) },
    ...securityOf(server, isSecured ? 'some' : 'none'),
  }
}

/** The headers of batches. A batch always returns the results of its operations, whatever the client prefers. */
const write = Object.freeze({ isKeyed: true, isShown: false })

function successes(api: Api, mediaType: string): Responses {
  const common = [...commonHeaders(api), ...typeHeaderNames(api, null), ...writeHeaders(api, write)]
  return {
    '200': {
      description: 'The results of the operations, in their order.',
      ...headersMember(api, [...common, ...bodyHeaders(api)]),
      content: { [mediaType]: { schema: resultsSchema(api) } },
    },
    '204': { description: 'No operation has a result.', ...headersMember(api, common) },
  }
}

function resultsSchema(api: Api): JsonSchema {
  const { components } = api
  return components.schema('AtomicResultsResponse', () => ({
    type: 'object',
    properties: {
      'atomic:results': { type: 'array', items: resultSchema(api) },
      ...documentMembers(api),
      links: linksSchema(api),
    },
    required: ['atomic:results', ...requiredMembers(api)],
  }))
}

/** Returns the schema of a result: a resource, the linkage of a relationship, or nothing. */
function resultSchema(api: Api): JsonSchema {
  const { components, contract } = api
  return components.schema('AtomicResult', () => {
    const written = contract.types.filter(
      ({ operations }) => operations.includes('Create') || operations.includes('Update'),
    )
    const identifier = anyOf(contract.types.map(({ type }) => identifierSchema(api, type)))
    return {
      type: 'object',
      properties: {
        data: {
          anyOf: [
            ...written.map((type) => resourceSchema(api, type)),
            identifier,
            { type: 'array', items: identifier },
            { type: 'null' },
          ],
        },
        meta: { type: 'object' },
      },
    }
  })
}

/** Returns the error responses. Error documents name the extension, unless the negotiation has failed. */
function failures(api: Api, mediaType: string, isSecured: boolean): Responses {
  const { traits } = api.server
  const { types } = api.contract
  const gates = isSecured ? [401, 403] : []
  const versions = types.some(({ version }) => version?.required === true) ? [428] : []
  const statuses = new Set([
    ...commonStatuses(api),
    ...writeStatuses,
    ...keyStatuses(api, write),
    ...gates,
    ...versions,
    ...traits.mappedStatuses,
  ])
  const isOpen = types.some((type) => hasApplicationCode(api, type))
  const known = [...statuses]
    .toSorted((a, b) => a - b)
    .map((status): readonly [string, JsonSchema] => [
      String(status),
      status === 406 || status === 415 ? errorResponse(api, status) : failure(api, status, mediaType),
    ])
  return { ...Object.fromEntries(known), ...(isOpen ? { default: failure(api, null, mediaType) } : {}) }
}

function failure(api: Api, status: number | null, mediaType: string): JsonSchema {
  const phrase = status === null ? 'OtherError' : (reasonPhrases[status] ?? `Error ${status}`)
  return api.components.ref('responses', `Atomic${phrase.replaceAll(' ', '')}`, () => ({
    description: status === null ? 'An error of the application.' : `${phrase}. Nothing was written.`,
    ...headersMember(api, [
      ...commonHeaders(api),
      ...typeHeaderNames(api, null),
      ...bodyHeaders(api),
      ...(status === 401 && api.server.traits.authentication.length > 0 ? (['WWW-Authenticate'] as const) : []),
      ...(status === 401 ? [] : (['Retry-After'] as const)),
    ]),
    content: { [mediaType]: { schema: errorDocument(api, status) } },
  }))
}
