import { acceptedAmong } from '../../core/document/accepted-types.js'
import { MEDIA_TYPE, type MediaType, parseMediaTypes, uriList } from '../../core/document/media-type.js'
import type { DocumentProblem } from '../format/inspection/document-inspection.js'
import { documentProblems } from './document-problems.js'
import type { TestDocument, TestResponse } from './test-response.js'

/** The request of a response that is checked. */
export interface RequestFacts {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  /** The header `Accept`. A response in another media type that it names has no problems. */
  readonly accept?: string | undefined
}

/**
 * Returns all problems of a response: of its media type, `Vary`, `Allow`, `Location` and document, and of the resources
 * that `include` requests. The plain-text 404 of the router, for a path without a resource type, has no problems:
 * JSON:API does not apply to it.
 *
 * @example
 * ```ts
 * const response = await testClient(server, { validate: false }).get('/albums')
 * responseProblems(response, { method: 'GET', path: '/albums' }) // []
 * ```
 */
export function responseProblems(response: TestResponse, request: RequestFacts): readonly DocumentProblem[] {
  const mediaTypes = parseMediaTypes(response.headers.get('content-type') ?? '')
  if (isPlainNotFound(response, mediaTypes) || isOtherContent(response, mediaTypes, request)) return []
  return [...headerProblems(response, request, mediaTypes), ...bodyProblems(response, request, mediaTypes)]
}

function isPlainNotFound({ status }: TestResponse, mediaTypes: readonly MediaType[]): boolean {
  return status === 404 && mediaTypes[0]?.name === 'text/plain'
}

/** Returns whether a response is in another media type, which the client has asked for: bytes of an action. */
function isOtherContent(
  { status }: TestResponse,
  [mediaType]: readonly MediaType[],
  { accept = '*/*' }: RequestFacts,
): boolean {
  if (mediaType === undefined || mediaType.name === MEDIA_TYPE || status !== 200) return false
  return acceptedAmong(accept, [mediaType.name]).length > 0
}

function headerProblems(
  { status, headers, document }: TestResponse,
  { method }: RequestFacts,
  mediaTypes: readonly MediaType[],
): readonly DocumentProblem[] {
  const problems: string[] = []
  const varies = (headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase())
  if (!varies.includes('accept')) problems.push('A JSON:API response must have the header Vary: Accept.')
  if (status === 405 && !headers.has('allow'))
    problems.push('A response 405 must list the allowed methods in the header Allow.')
  const { data } = document ?? {}
  const self = data !== undefined && data !== null && 'links' in data ? data.links?.['self'] : undefined
  const location = headers.get('location')
  if (status === 201 && location !== null && typeof self === 'string' && self !== location) {
    problems.push(`Location is ${location}, but links.self of the new resource is ${self}.`)
  }
  if (mediaTypes.length === 0) {
    if (!hasNoBody(status) && method !== 'HEAD') problems.push('A response with a document must have a Content-Type.')
  } else problems.push(...mediaTypeProblems(mediaTypes))
  return problems.map((problem) => ({ pointer: '', problem }))
}

/** https://jsonapi.org/format/1.1/#content-negotiation-servers */
function mediaTypeProblems([mediaType, ...others]: readonly MediaType[]): readonly string[] {
  if (mediaType === undefined) return []
  if (others.length > 0 || mediaType.malformed || mediaType.name !== MEDIA_TYPE) {
    return [`The Content-Type of a JSON:API response must be ${MEDIA_TYPE}.`]
  }
  return mediaType.parameters
    .filter(({ name }) => name !== 'ext' && name !== 'profile')
    .map(({ name }) => `The Content-Type has the parameter '${name}'; only ext and profile are allowed.`)
}

function bodyProblems(
  { status, text, document }: TestResponse,
  { method, path }: RequestFacts,
  mediaTypes: readonly MediaType[],
): readonly DocumentProblem[] {
  if (hasNoBody(status)) return text === '' ? [] : [whole(`A response ${status} must not have a body.`)]
  if (method === 'HEAD') return []
  if (document === undefined) return [whole(`The body is not a JSON:API document: ${text}`)]
  const applied = (parameter: 'ext' | 'profile'): readonly string[] =>
    mediaTypes.flatMap((mediaType) => uriList(mediaType, parameter))
  const query = requestQuery(path)
  const problems = documentProblems(document, { status, extensions: applied('ext'), fieldsets: query.fieldsets })
  const contradicted = (['ext', 'profile'] as const).filter((parameter) => {
    const reported = document.jsonapi?.[parameter]
    return reported !== undefined && !isSameSet(reported, applied(parameter))
  })
  return [
    ...problems,
    ...includedProblems(document, path, query),
    ...contradicted.map((parameter) => ({
      pointer: `/jsonapi/${parameter}`,
      problem: `This differs from the parameter '${parameter}' of the Content-Type.`,
    })),
  ]
}

/** Compares lists of extensions or profiles; their order does not matter. */
function isSameSet(reported: unknown, applied: readonly string[]): boolean {
  if (!Array.isArray(reported)) return false
  return reported.length === applied.length && applied.every((uri) => reported.includes(uri))
}

/**
 * Checks the member `included`: a request with `include` gets it, even if it is empty, and a request with an empty
 * `include` gets no included resources. Relationship endpoints are not checked.
 * https://jsonapi.org/format/1.1/#fetching-includes
 */
function includedProblems(
  { data, included }: TestDocument,
  path: string,
  { include }: RequestQuery,
): readonly DocumentProblem[] {
  if (data === undefined || include === null || /\/relationships\/[^/?]+(?:\?|$)/.test(path)) return []
  if (include.length > 0) {
    return included === undefined
      ? [whole("The response to a request with 'include' must have the member 'included'.")]
      : []
  }
  const none = included === undefined || included.length === 0
  return none
    ? []
    : [{ pointer: '/included', problem: "There must be no included resources: the parameter 'include' is empty." }]
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 303 || status === 304
}

function whole(problem: string): DocumentProblem {
  return { pointer: '', problem }
}

/** The query parameters of a request that the response document depends on. */
export interface RequestQuery {
  /** The types with a sparse fieldset. */
  readonly fieldsets: readonly string[]
  /** The paths of `include`; `null` without the parameter. */
  readonly include: readonly string[] | null
}

/** Reads the query of a path. The last of several `include` parameters counts, and empty paths are ignored. */
function requestQuery(path: string): RequestQuery {
  const mark = path.indexOf('?')
  const parameters = new URLSearchParams(mark === -1 ? '' : path.slice(mark + 1))
  const fieldsets = [...parameters.keys()].flatMap((name) => /^fields\[([^\]]+)\]$/.exec(name)?.[1] ?? [])
  const include = parameters.getAll('include').at(-1) ?? null
  return { fieldsets, include: include === null ? null : include.split(',').filter((name) => name !== '') }
}
