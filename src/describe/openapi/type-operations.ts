import { encodedPath } from '../../core/http/encoded-uri.js'
import { exportMediaTypes } from '../../declare/resource/parts/export.js'
import type { SuccessResponse } from '../../declare/resource/replies/responses.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { TypeContract } from '../contract/contract.js'
import type { Api } from './described-server.js'
import { collectionDocument, singleDocument, singularDocument } from './document-schemas.js'
import {
  keyStatuses,
  createHeaderParameters,
  upsertHeaderParameters,
  readHeaderParameters,
  versionParameters,
  writeHeaderParameters,
  writeHeaders,
} from './request-parameters.js'
import { filterTreeOf } from './filter-tree.js'
import type { HeaderName } from './headers.js'
import { readHeaders } from './headers.js'
import { documentBody, operationOf } from './operation-parts.js'
import { collectionParameters, fieldsParameter, singleParameters } from './query-parameters.js'
import { queryMember } from './query-operation.js'
import { createRequest, updateRequest, upsertRequest } from './resource-schemas.js'
import type { Success } from './responses.js'
import { writeStatuses } from './responses.js'
import { strictestOf } from './security.js'
import { metaDocument } from './shared-schemas.js'

type PathItem = readonly [path: string, item: JsonSchema]

/** Returns the path items of the collection and of the resources of a type, without paths that have no operations. */
export function typePaths(api: Api, type: TypeContract): readonly PathItem[] {
  const { operations } = type
  return [
    ...pathItem(api, type, '', {
      ...(operations.includes('FetchCollection')
        ? readMembers(api, fetchCollection(api, type), filterTreeOf(api, type))
        : {}),
      ...(operations.includes('Create') ? { post: create(api, type) } : {}),
    }),
    ...pathItem(api, type, '/{id}', {
      ...(operations.includes('FetchOne') ? readMembers(api, fetchOne(api, type), null) : {}),
      ...(operations.includes('Update') ? { patch: update(api, type) } : {}),
      ...(operations.includes('Upsert') ? { put: upsert(api, type) } : {}),
      ...(operations.includes('Delete') ? { delete: remove(api, type) } : {}),
    }),
  ]
}

/** Returns the GET operation of a path, and its QUERY request. */
export function readMembers(api: Api, get: JsonSchema, filterTree: JsonSchema | null): JsonSchema {
  return { get, ...queryMember(api, { get, filterTree }) }
}

/** The relation of a path item with the related types, or its action. */
type PathMember = { readonly relation: string; readonly related: readonly string[] } | { readonly action: string }

/**
 * Returns a path item, or none if it has no operations. It names its type, and its relation or action, so that readers of the document need
 * not look for them in paths and ids, which the application may change.
 *
 * @param below the path below the collection
 */
export function pathItem(
  api: Api,
  type: TypeContract,
  below: string,
  operations: JsonSchema,
  member?: PathMember,
): readonly PathItem[] {
  if (Object.keys(operations).length === 0) return []
  const parameters = below.startsWith('/{id}') ? { parameters: [idParameter(api, type)] } : {}
  const item = { ...parameters, ...operations, 'x-subject': { type: type.type, ...member, ...aggregateMember(type) } }
  return [[`${collectionPath(type)}${below}`, item]]
}

/** Returns the aggregate of a type of groups: what it groups, and how it computes its fields. */
function aggregateMember({ groupsOf }: TypeContract): JsonSchema {
  if (groupsOf === null) return {}
  const { owner, groups, measures } = groupsOf
  return { aggregate: { of: owner, groups, measures } }
}

export function collectionPath({ path }: TypeContract): string {
  return `/${encodedPath(path)}`
}

/** The parameter `{id}` of paths, by reference. */
function idParameter(api: Api, { type, id }: TypeContract): JsonSchema {
  return api.components.ref('parameters', `${api.names.ofType(type)}Id`, () => ({
    name: 'id',
    in: 'path',
    required: true,
    schema: id.path,
  }))
}

/** Returns the validators of single resources: entity tags and times of change. */
export function validatorNames({ version, lastModified }: TypeContract): readonly HeaderName[] {
  return [...(version === null ? [] : (['ETag'] as const)), ...(lastModified ? (['Last-Modified'] as const) : [])]
}

const known = Object.freeze({ status: 304, description: 'The client has the current representation.', schema: null })

/** The response to a read if the client has the current representation. */
export const notModified = (headers: readonly HeaderName[]): readonly Success[] =>
  headers.length === 0 ? [] : [{ ...known, headers: [...headers, 'X-Content-Type-Options'] }]

function fetchCollection(api: Api, type: TypeContract): JsonSchema {
  const isSingular = Object.values(type.filters).some((filter) => filter.isSingular)
  // The match of a singular filter is shown like a single resource.
  const tags = [...(type.collectionTags ? (['ETag'] as const) : []), ...(isSingular ? validatorNames(type) : [])]
  const headers = [...readHeaders(type, 'collection'), ...tags]
  const { groupsOf } = type
  const description = groupsOf === null ? 'The collection.' : 'The groups.'
  const collection = { status: 200, description, schema: collectionDocument(api, type), headers }
  const singular = isSingular
    ? [{ ...collection, description: 'Or one resource.', schema: singularDocument(api, type) }]
    : []
  const operation = operationOf(api, type, {
    kind: 'fetchCollection',
    summary: groupsOf === null ? `List ${type.type}` : `Aggregate ${groupsOf.owner}: ${groupsOf.name}`,
    parameters: [...collectionParameters(api, type), ...readHeaderParameters(api, tags)],
    successes: [collection, ...exported(type), ...singular, ...notModified(tags.length > 0 ? headers : [])],
    errors: groupsOf?.mayBeHidden === true ? [404] : [],
    replacedBy: ['afterFetchCollection'],
    requirement: type.access.viewAny,
  })
  return type.exportRows === null ? operation : { ...operation, 'x-export': { maxRows: type.exportRows } }
}

/** Returns the response with the rows of an export, in the formats of the type. */
export function exported({ exportFormats }: TypeContract): readonly Success[] {
  if (exportFormats.length === 0) return []
  const mediaTypes = exportFormats.map((format) => exportMediaTypes[format])
  return [{ status: 200, description: 'Or its rows.', schema: null, mediaTypes, headers: ['Content-Disposition'] }]
}

function fetchOne(api: Api, type: TypeContract): JsonSchema {
  const validators = validatorNames(type)
  const headers = [...readHeaders(type, 'read'), ...validators]
  const isAsync = type.responses.fetchOne.some(({ kind }) => kind === 'seeOther')
  return operationOf(api, type, {
    kind: 'fetchOne',
    summary: `Fetch one of ${type.type}`,
    parameters: [...singleParameters(api, type), ...readHeaderParameters(api, validators)],
    successes: [
      { status: 200, description: 'The resource.', schema: singleDocument(api, type), headers },
      ...(isAsync ? [seeOther([])] : []),
      ...notModified(validators.length === 0 ? [] : headers),
    ],
    errors: [404],
    replacedBy: ['afterFetchOne'],
    requirement: type.access.view,
  })
}

/** Returns the response that redirects to another resource. */
export function seeOther(headers: readonly HeaderName[]): Success {
  return { status: 303, description: 'The result is at the location.', schema: null, headers: ['Location', ...headers] }
}

/** Returns the response of work that continues after the response. */
export function acceptedSuccess(
  api: Api,
  { jobType }: Extract<SuccessResponse, { kind: 'accepted' }>,
  isKeyed: boolean,
): Success {
  const job = api.find(jobType)
  const meta = metaDocument(api)
  return {
    status: 202,
    description: `The work continues after the response. The document has ${job === null ? 'meta only' : 'the resource of the job, or meta only'}.`,
    schema: job === null ? meta : { anyOf: [singleDocument(api, job), meta] },
    headers: ['Content-Location', 'Retry-After', ...writeHeaders(api, { isKeyed, isShown: false })],
  }
}

/** Returns the parameters, and those of the jobs that a write may respond with. Clients can choose the fields of jobs, but include nothing. */
export function withJobParameters(
  api: Api,
  parameters: readonly JsonSchema[],
  responses: readonly SuccessResponse[],
): readonly JsonSchema[] {
  const jobs = responses.flatMap((response) => (response.kind === 'accepted' ? (api.find(response.jobType) ?? []) : []))
  const fields = jobs.flatMap((job) => fieldsParameter(api, job))
  return [...parameters, ...fields.filter((each) => !parameters.includes(each))]
}

/** Returns the query parameters of a write that responds with a resource, with a job, or with neither. */
function writtenParameters(api: Api, type: TypeContract, responses: readonly SuccessResponse[]): readonly JsonSchema[] {
  const isShown = responses.some(({ kind }) => kind === 'created' || kind === 'ok')
  return withJobParameters(api, isShown ? singleParameters(api, type) : [], responses)
}

/** Returns the headers of a response without a body: the version of the resource, but not the time of its change. */
function withoutTime(headers: readonly HeaderName[]): readonly HeaderName[] {
  return headers.filter((name) => name !== 'Last-Modified')
}

function create(api: Api, type: TypeContract): JsonSchema {
  const write = { isKeyed: true, isShown: type.responses.create.some(({ kind }) => kind === 'created') }
  const headers = [...writeHeaders(api, write), ...validatorNames(type)]
  const shown = createdResponse(headers)
  const isMinimal = type.id.client !== 'never'
  return operationOf(api, type, {
    kind: 'create',
    summary: `Create one of ${type.type}`,
    parameters: [
      ...writtenParameters(api, type, type.responses.create),
      ...createHeaderParameters(api, type),
      ...writeHeaderParameters(api, write),
    ],
    requestBody: documentBody(createRequest(api, type)),
    successes: writeSuccesses(api, type, type.responses.create, { shown, isMinimal, headers }),
    errors: [...writeStatuses, ...keyStatuses(api, write)],
    replacedBy: ['afterCreate', 'afterSave'],
    requirement: type.access.create,
  })
}

function createdResponse(headers: readonly HeaderName[]): WriteSuccesses['shown'] {
  return { status: 201, description: 'The resource was created.', headers: [...headers, 'Location'] }
}

interface WriteSuccesses {
  /** The response with the resource. */
  readonly shown: Required<Pick<Success, 'status' | 'description' | 'headers'>>
  /** Whether a client may ask for a response without the resource. */
  readonly isMinimal: boolean
  readonly headers: readonly HeaderName[]
}

/** Returns the responses of a write. */
function writeSuccesses(
  api: Api,
  type: TypeContract,
  responses: readonly SuccessResponse[],
  { shown, isMinimal, headers }: WriteSuccesses,
): readonly Success[] {
  const successes = responses.flatMap((response): readonly Success[] => {
    switch (response.kind) {
      case 'created':
      case 'ok':
        return [
          { ...shown, schema: singleDocument(api, type) },
          ...(isMinimal ? [{ ...noContent, headers: withoutTime(shown.headers) }] : []),
        ]
      case 'accepted':
        return [acceptedSuccess(api, response, true)]
      default:
        return [{ ...noContent, headers: withoutTime(headers) }]
    }
  })
  return withoutRepetition(successes)
}

/** Returns the responses, those without a body once. */
function withoutRepetition(successes: readonly Success[]): readonly Success[] {
  return successes.filter(
    ({ status, schema }, index) =>
      schema !== null || successes.findIndex((other) => other.schema === null && other.status === status) === index,
  )
}

export const noContent: Success = Object.freeze<Success>({ status: 204, description: 'It is done.', schema: null })

function update(api: Api, type: TypeContract): JsonSchema {
  const write = { isKeyed: true, isShown: type.responses.update.some(({ kind }) => kind === 'ok') }
  const headers = [...writeHeaders(api, write), ...validatorNames(type)]
  const shown = { status: 200, description: 'The resource as it is now.', headers }
  return operationOf(api, type, {
    kind: 'update',
    summary: `Update one of ${type.type}`,
    parameters: [
      ...writtenParameters(api, type, type.responses.update),
      ...versionParameters(api, type),
      ...writeHeaderParameters(api, write),
    ],
    requestBody: documentBody(updateRequest(api, type)),
    successes: writeSuccesses(api, type, type.responses.update, { shown, isMinimal: true, headers }),
    errors: [...writeStatuses, ...keyStatuses(api, write), ...requiredVersion(type)],
    replacedBy: ['afterUpdate', 'afterSave'],
    requirement: type.access.update,
  })
}

function upsert(api: Api, type: TypeContract): JsonSchema {
  const { create: creations, update: updates } = type.responses
  const responses = [...creations, ...updates.filter((each) => !creations.includes(each))]
  const write = { isKeyed: true, isShown: responses.some(({ kind }) => kind === 'created' || kind === 'ok') }
  const headers = [...writeHeaders(api, write), ...validatorNames(type)]
  const updated = { status: 200, description: 'The resource was updated.', headers }
  return operationOf(api, type, {
    kind: 'upsert',
    summary: `Create or update one of ${type.type}`,
    parameters: [
      ...writtenParameters(api, type, responses),
      ...upsertHeaderParameters(api),
      ...writeHeaderParameters(api, write),
    ],
    requestBody: documentBody(upsertRequest(api, type)),
    successes: withoutRepetition([
      ...writeSuccesses(api, type, creations, { shown: createdResponse(headers), isMinimal: true, headers }),
      ...writeSuccesses(api, type, updates, { shown: updated, isMinimal: true, headers }),
    ]),
    errors: [...writeStatuses, ...keyStatuses(api, write), ...requiredVersion(type)],
    replacedBy: ['afterCreate', 'afterUpdate', 'afterSave'],
    requirement: strictestOf(type.access.create, type.access.update),
  })
}

/** Returns 428, the status of a write without a version, if the type requires one. */
export function requiredVersion({ version }: TypeContract): readonly number[] {
  return version?.required === true ? [428] : []
}

function remove(api: Api, type: TypeContract): JsonSchema {
  const hasMeta = type.responses.delete.some(({ kind }) => kind === 'metaResult')
  const hasNone = type.responses.delete.some(({ kind }) => kind === 'noContent')
  const write = { isKeyed: false, isShown: false }
  const headers = writeHeaders(api, write)
  return operationOf(api, type, {
    kind: 'delete',
    summary: `Delete one of ${type.type}`,
    parameters: [...versionParameters(api, type), ...writeHeaderParameters(api, write)],
    successes: [
      ...(hasMeta
        ? [{ status: 200, description: 'The resource was deleted.', schema: metaDocument(api), headers }]
        : []),
      ...(hasNone ? [{ ...noContent, description: 'The resource was deleted.', headers }] : []),
    ],
    errors: [403, 404, 409, 412, 422, ...requiredVersion(type)],
    replacedBy: ['afterDelete'],
    requirement: type.access.delete,
  })
}
