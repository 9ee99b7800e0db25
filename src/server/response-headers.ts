import type { Service } from '../build/service.js'
import { READ_AFTER } from '../build/serve-read-after.js'
import { addMissing, addVary, makePrivate } from '../http/headers.js'
import { requestId } from '../http/request-id.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { ReadShape } from '../resource/cache-headers.js'
import { shownCost } from '../resource/request-costs.js'
import { isOpen } from '../route/description-routes.js'
import type { PathShape } from '../route/route-names.js'
import type { ServedRoute } from '../route/route-table.js'

/** What the headers of a response depend on, besides the response itself. */
export interface ResponseFacts {
  readonly route: ServedRoute
  /** The origin of the web page that may read the response; `null` if it is none, or if the server does not have `cors`. */
  readonly origin: string | null
  /** The request headers by which the application has found the caller; empty if it has named none. */
  readonly callerHeaders: readonly string[]
}

/**
 * Adds all headers that the server adds to its responses, whoever has made them: the handler, a middleware, or the conversion of an error.
 * None of them replaces a header that a response already has, and none is a part of a response that is stored for a repeated request.
 */
export function withServerHeaders(
  service: Service,
  request: HttpRequest,
  { route, origin, callerHeaders }: ResponseFacts,
  { status, headers: given, body }: HttpResponse,
): HttpResponse {
  // Responses may share their list.
  const headers = given.slice()
  addTypeHeaders(headers, service, request, { route, status })
  addQueryCost(headers, service, request)
  addReadAfter(headers, service, request)
  addChallenge(headers, service, route, status)
  if (!isOpen(route)) addCallerHeaders(headers, service.callerHeaders.of(route), callerHeaders)
  addCors(headers, service, route, origin)
  addRequestId(headers, service, request)
  return { status, headers, body }
}

/** Whether a server adds headers to some of its responses, whatever the application says about their callers. */
export function addsHeaders(service: Service, server: string): boolean {
  const { services, readAfter, middleware, callerHeaders, cors, sendsRequestIds, addsTypeHeaders } = service
  const isForCallers = callerHeaders.has(server) || (middleware.get(server)?.challenge ?? null) !== null
  const isForClients = services.queryCost?.isShown === true || readAfter !== null || cors.has(server)
  return isForCallers || isForClients || sendsRequestIds || addsTypeHeaders
}

/** Adds the headers of a type: those of a deprecation to every response, caching headers to successful reads. */
function addTypeHeaders(
  headers: string[],
  service: Service,
  { method }: HttpRequest,
  { route, status }: Pick<ResponseFacts, 'route'> & Pick<HttpResponse, 'status'>,
): void {
  if (!('type' in route)) return addMissing(headers, service.headersOfServer)
  const { always, cacheControl, vary } = service.headersOf(route.type)
  addMissing(headers, always)
  const isRead = (method === 'GET' || method === 'HEAD') && ((status >= 200 && status < 300) || status === 304)
  if (!isRead || route.kind !== 'match') return
  const shape = readShapeOf[route.shape]
  const caching = cacheControl[shape]
  addVary(headers, vary[shape])
  if (caching !== null) addMissing(headers, ['Cache-Control', caching])
}

const readShapeOf: Readonly<Record<PathShape, ReadShape>> = Object.freeze({
  collection: 'collection',
  resource: 'read',
  related: 'related',
  relationship: 'relationship',
})

/**
 * Adds the cost of a request in debug mode: `Query-Cost: 165;budget=2000`. It is a header, so that documents are the same in debug mode
 * and in production, and responses without a document have it too.
 */
function addQueryCost(headers: string[], { services: { queryCost } }: Service, request: HttpRequest): void {
  const shown = queryCost?.isShown === true ? shownCost(request) : null
  if (shown === null) return
  const budget = Number.isFinite(shown.budget) ? `;budget=${shown.budget}` : ''
  headers.push('Query-Cost', `${shown.cost}${budget}`)
}

/**
 * Adds the position of the writes of a request. Reads vary by the position that a request requires: a cache must not return an older
 * response.
 */
function addReadAfter(headers: string[], { readAfter }: Service, request: HttpRequest): void {
  if (readAfter === null) return
  if (request.method === 'GET' || request.method === 'HEAD') addVary(headers, readAfterNames)
  const value = readAfter.valueFor(request)
  if (value !== null) headers.push(READ_AFTER, value)
}

const readAfterNames: readonly string[] = Object.freeze([READ_AFTER])

/** Adds the challenge to a 401 response that has none: https://httpwg.org/specs/rfc9110.html#status.401 */
function addChallenge(headers: string[], { middleware }: Service, route: ServedRoute, status: number): void {
  if (status !== 401) return
  const challenge = middleware.get(route.server.name)?.challenge ?? null
  if (challenge !== null) addMissing(headers, ['WWW-Authenticate', challenge])
}

/**
 * Marks a response that depends on the caller, also an error: no shared cache stores it unless its type says so, and no cache serves one
 * caller the response of another.
 *
 * @param ofServer the request headers that decide about the caller
 * @param ofApplication those by which the application has found it
 */
function addCallerHeaders(headers: string[], ofServer: readonly string[], ofApplication: readonly string[]): void {
  if (ofServer.length + ofApplication.length === 0) return
  addVary(headers, ofServer)
  addVary(headers, ofApplication)
  makePrivate(headers)
}

/** Adds the headers that let pages of an allowed origin read a response. */
function addCors(headers: string[], service: Service, { server: { name } }: ServedRoute, origin: string | null): void {
  const cors = service.cors.get(name)
  if (cors === undefined) return
  if (cors.varies) addVary(headers, originNames)
  if (origin !== null) headers.push('Access-Control-Allow-Origin', origin, ...cors.response)
}

const originNames: readonly string[] = Object.freeze(['Origin'])

function addRequestId(headers: string[], { sendsRequestIds }: Service, request: HttpRequest): void {
  if (sendsRequestIds) headers.push('X-Request-Id', requestId(request))
}

/** Adds only the id of the request, if the settings say so, to a response that has all other headers. */
export function withRequestId(service: Service, request: HttpRequest, response: HttpResponse): HttpResponse {
  const headers = response.headers.slice()
  addRequestId(headers, service, request)
  return { ...response, headers }
}
