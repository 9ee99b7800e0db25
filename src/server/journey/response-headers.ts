import type { Service } from '../assembly/service.js'
import type { ServedCors } from '../assembly/serve-cors.js'
import type { ServedReadAfter } from '../assembly/serve-read-after.js'
import { READ_AFTER } from '../assembly/serve-read-after.js'
import { addMissing, addVary, makePrivate } from '../../core/http/headers.js'
import { requestId } from '../../core/http/request-id.js'
import type { HttpRequest } from '../../core/http/request.js'
import { readMethods } from '../../core/http/request-method.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { ReadShape } from '../../declare/resource/parts/cache-headers.js'
import { shownCost } from '../../declare/resource/request/request-costs.js'
import { isOpen } from '../../serve/route/description-routes.js'
import type { PathShape } from '../../serve/route/route-names.js'
import type { ServedRoute } from '../../serve/route/route-table.js'
import { isPreflight } from './cors.js'

/** What the headers of a response depend on, besides the response itself. */
export interface ResponseFacts {
  readonly route: ServedRoute
  /** The origin of the web page that may read the response; `null` if it is none, or if the server does not have `cors`. */
  readonly origin: string | null
  /** The request headers by which the application has found the caller; empty if it has named none. */
  readonly callerHeaders: readonly string[]
}

/** Adds all headers of a server to a response. */
export type AddHeaders = (request: HttpRequest, facts: ResponseFacts, response: HttpResponse) => HttpResponse

/** Adds some headers to a list that belongs to a single response. */
type HeaderStep = (headers: string[], request: HttpRequest, facts: ResponseFacts, status: number) => void

/**
 * Composes the headers that a server adds to its responses, whoever has made them: the handler, a middleware, or the conversion of an
 * error. None of them replaces a header that a response already has, and none is a part of a response that is stored for a repeated
 * request. The settings of the server decide which steps it needs.
 */
export function headerAdder(service: Service, server: string): AddHeaders {
  const steps = stepsOf(service, server)
  return (request, facts, { status, headers: given, body }) => {
    // Responses may share their list.
    const headers = given.slice()
    for (const step of steps) step(headers, request, facts, status)
    return { status, headers, body }
  }
}

function stepsOf(service: Service, server: string): readonly HeaderStep[] {
  const { services, readAfter, sendsRequestIds, addsTypeHeaders } = service
  const challenge = service.middleware.get(server)?.challenge ?? null
  const cors = service.cors.get(server)
  const steps = [
    addsTypeHeaders ? typeHeaderAdder(service) : null,
    services.queryCost?.isShown === true ? addQueryCost : null,
    readAfter === null ? null : readAfterAdder(readAfter),
    challenge === null ? null : challengeAdder(challenge),
    callerHeaderAdder(service, server),
    cors === undefined ? null : corsAdder(cors),
    sendsRequestIds ? addRequestId : null,
  ]
  return steps.filter((step) => step !== null)
}

/** Whether a server adds headers to some of its responses, whatever the application says about their callers. */
export function addsHeaders(service: Service, server: string): boolean {
  // The headers of callers are always a step.
  return service.callerHeaders.has(server) || stepsOf(service, server).length > 1
}

/** Adds the headers of a type: those of a deprecation to every response, caching headers to successful reads. */
function typeHeaderAdder(service: Service): HeaderStep {
  return (headers, { method }, { route }, status) => {
    if (!('type' in route)) return addMissing(headers, service.headersOfServer)
    const { always, cacheControl, vary } = service.headersOf(route.type)
    addMissing(headers, always)
    const isRead = readMethods.has(method) && ((status >= 200 && status < 300) || status === 304)
    if (!isRead || route.kind !== 'match') return
    const shape = readShapeOf[route.shape]
    const caching = cacheControl[shape]
    addVary(headers, vary[shape])
    if (caching !== null) addMissing(headers, ['Cache-Control', caching])
  }
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
const addQueryCost: HeaderStep = (headers, request) => {
  const shown = shownCost(request)
  if (shown === null) return
  const budget = Number.isFinite(shown.budget) ? `;budget=${shown.budget}` : ''
  headers.push('Query-Cost', `${shown.cost}${budget}`)
}

/**
 * Adds the position of the writes of a request. Reads vary by the position that a request requires: a cache must not return an older
 * response.
 */
function readAfterAdder(readAfter: ServedReadAfter): HeaderStep {
  return (headers, request) => {
    if (readMethods.has(request.method)) addVary(headers, readAfterNames)
    const value = readAfter.valueFor(request)
    if (value !== null) headers.push(READ_AFTER, value)
  }
}

const readAfterNames: readonly string[] = Object.freeze([READ_AFTER])

/** Adds the challenge to a 401 response that has none: https://httpwg.org/specs/rfc9110.html#status.401 */
function challengeAdder(challenge: string): HeaderStep {
  return (headers, _request, _facts, status) => {
    if (status === 401) addMissing(headers, ['WWW-Authenticate', challenge])
  }
}

/**
 * Marks responses that depend on the caller, also errors: no shared cache stores them unless their type says so, and no cache serves one
 * caller the response of another. The application may have named request headers by which it has found the caller.
 */
function callerHeaderAdder({ callerHeaders }: Service, server: string): HeaderStep {
  const declared = callerHeaders.declaredBy(server)
  return (headers, request, { route, callerHeaders: named }) => {
    if (route.kind === 'description' && isOpen(route)) return
    // A preflight request has no credentials.
    if (request.method === 'OPTIONS' && isPreflight(request)) return
    const ofServer = declared.length > 0 ? declared : callerHeaders.of(route)
    if (ofServer.length + named.length === 0) return
    if (ofServer.length > 0) addVary(headers, ofServer)
    if (named.length > 0) addVary(headers, named)
    makePrivate(headers)
  }
}

/** Adds the headers that let pages of an allowed origin read a response. */
function corsAdder({ varies, response }: ServedCors): HeaderStep {
  return (headers, _request, { origin }) => {
    if (varies) addVary(headers, originNames)
    if (origin !== null) headers.push('Access-Control-Allow-Origin', origin, ...response)
  }
}

const originNames: readonly string[] = Object.freeze(['Origin'])

const addRequestId: HeaderStep = (headers, request) => {
  headers.push('X-Request-Id', requestId(request))
}
