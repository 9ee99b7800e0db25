import { MEDIA_TYPE, type MediaType, parseMediaTypes, uriList } from '../document/media-type.js'
import type { DocumentProblem } from './document/inspection.js'
import { documentProblems } from './document-problems.js'
import type { RequestQuery } from './request-query.js'
import { requestQuery } from './request-query.js'
import type { TestDocument, TestResponse } from './test-response.js'

/** What the request tells the examiner of its response. */
export interface RequestFacts {
  readonly method: string
  /** With the query. */
  readonly path: string
}

/**
 * Everything that is wrong with a response: its media type, `Vary`, `Allow`, `Location`, its document, and whether that
 * has what `include` asks for. The plain 404 of the router, for a path of no resource type, is none of the format's
 * business and passes.
 *
 * @example
 * ```ts
 * const response = await testClient(server, { validate: false }).get('/albums')
 * responseProblems(response, { method: 'GET', path: '/albums' }) // []
 * ```
 */
export function responseProblems(response: TestResponse, request: RequestFacts): readonly DocumentProblem[] {
  const mediaTypes = parseMediaTypes(response.headers.get('content-type') ?? '')
  if (isPlainNotFound(response, mediaTypes)) return []
  return [...headerProblems(response, request, mediaTypes), ...bodyProblems(response, request, mediaTypes)]
}

function isPlainNotFound({ status }: TestResponse, mediaTypes: readonly MediaType[]): boolean {
  return status === 404 && mediaTypes[0]?.name === 'text/plain'
}

function headerProblems(
  { status, headers, document }: TestResponse,
  { method }: RequestFacts,
  mediaTypes: readonly MediaType[],
): readonly DocumentProblem[] {
  const problems: string[] = []
  const varies = (headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase())
  if (!varies.includes('accept')) problems.push('Every JSON:API response says Vary: Accept.')
  if (status === 405 && !headers.has('allow')) problems.push('A response 405 names the methods in Allow.')
  const { data } = document ?? {}
  const self = data !== undefined && data !== null && 'links' in data ? data.links?.['self'] : undefined
  const location = headers.get('location')
  if (status === 201 && location !== null && typeof self === 'string' && self !== location) {
    problems.push(`Location is ${location}, but links.self of the new resource is ${self}.`)
  }
  if (mediaTypes.length === 0) {
    if (!isBodiless(status) && method !== 'HEAD') problems.push('A response with a document has a Content-Type.')
  } else problems.push(...mediaTypeProblems(mediaTypes))
  return problems.map((problem) => ({ pointer: '', problem }))
}

/** https://jsonapi.org/format/1.1/#content-negotiation-servers */
function mediaTypeProblems([mediaType, ...others]: readonly MediaType[]): readonly string[] {
  if (mediaType === undefined) return []
  if (others.length > 0 || mediaType.malformed || mediaType.name !== MEDIA_TYPE) {
    return [`The Content-Type of a JSON:API response is ${MEDIA_TYPE}.`]
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
  if (isBodiless(status)) return text === '' ? [] : [whole(`A response ${status} has no body.`)]
  if (method === 'HEAD') return []
  if (document === undefined) return [whole(`The body is not the JSON of a document: ${text}`)]
  const applied = (parameter: 'ext' | 'profile'): readonly string[] =>
    mediaTypes.flatMap((mediaType) => uriList(mediaType, parameter))
  const query = requestQuery(path)
  const problems = documentProblems(document, { status, extensions: applied('ext'), fieldsets: query.fieldsets })
  const contradicted = (['ext', 'profile'] as const).filter((parameter) => {
    const told = document.jsonapi?.[parameter]
    return told !== undefined && !isSameSet(told, applied(parameter))
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

/** The order of applied extensions and profiles means nothing. */
function isSameSet(told: unknown, applied: readonly string[]): boolean {
  if (!Array.isArray(told)) return false
  return told.length === applied.length && applied.every((uri) => told.includes(uri))
}

/**
 * Who asks for related resources gets the member, empty or not; who asks for none gets none. A relationship endpoint has
 * none to show. https://jsonapi.org/format/1.1/#fetching-includes
 */
function includedProblems(
  { data, included }: TestDocument,
  path: string,
  { include }: RequestQuery,
): readonly DocumentProblem[] {
  if (data === undefined || include === null || /\/relationships\/[^/?]+(?:\?|$)/.test(path)) return []
  if (include.length > 0) {
    return included === undefined ? [whole("The answer to a request with 'include' has the member 'included'.")] : []
  }
  const none = included === undefined || included.length === 0
  return none ? [] : [{ pointer: '/included', problem: "The request wants nothing included: its 'include' is empty." }]
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 303 || status === 304
}

function whole(problem: string): DocumentProblem {
  return { pointer: '', problem }
}
