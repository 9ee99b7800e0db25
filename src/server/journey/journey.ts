import { extensionOf } from '../assembly/declared/extension.js'
import type { Service } from '../assembly/service.js'
import { addMissing } from '../../core/http/headers.js'
import type { HttpRequest } from '../../core/http/request.js'
import { QUERY, readMethods } from '../../core/http/request-method.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { Negotiated } from '../../serve/negotiate/accept.js'
import { negotiateExport } from '../../serve/negotiate/export-format.js'
import type { Negotiator } from '../../serve/negotiate/negotiator.js'
import { noPreconditions, preconditionsOf } from '../../serve/negotiate/preconditions.js'
import { checkPreferences, noPreferences, preferencesOf, rolledBackHeaders } from '../../serve/negotiate/prefer.js'
import type { ActionCall } from '../../serve/operation/action-call.js'
import { actionCallFor, type CallParts } from '../../serve/operation/action-call.js'
import type { ExtensionCall } from '../../serve/operation/extension-call.js'
import { withPointers } from '../../serve/operation/filter-tree.js'
import type { QueryParameters } from '../../serve/operation/query-parameters.js'
import type { CompiledExport } from '../../declare/resource/parts/export.js'
import { exportOfMembers } from '../../declare/resource/reading/export-columns.js'
import { filterTreeProfile } from '../../declare/profiles/profile.js'
import type { Operation } from '../../serve/operation/operation.js'
import { operationFor } from '../../serve/operation/operation.js'
import type { ResponseValue, ResultsValue } from '../../serve/operation/response-value.js'
import { fireServing } from '../../serve/operation/serving-event.js'
import type { Body } from '../../serve/parse/body.js'
import { readBody } from '../../serve/parse/body.js'
import { parametersInBody, readQueryBody, type SentQuery } from '../../serve/parse/query-body.js'
import { renderResponse } from '../../serve/render/render-response.js'
import { isPromise } from '../../core/util/awaitable.js'
import type { ExtensionMatch, Route, RouteMatch } from '../../serve/route/route-table.js'
import type { Call, Serve } from './call.js'
import {
  bodyKind,
  checkMethod,
  checkTargetLength,
  isFoundRoute,
  takesDocuments,
  targetOfRoute,
} from './check-method.js'
import { conditionalResponse } from './conditional-response.js'
import { descriptionResponse } from './description-response.js'
import { errorResponse } from './error-response.js'
import { optionsResponse, type ReadRequest, renderingFor } from './rendering-for.js'
import { inputTypeOf, negotiateAction } from './negotiate-action.js'
import { hasKey, respondOnce } from './respond-once.js'
import { rootResponse } from './root-response.js'

/**
 * The journey of a request: negotiate, parse, check the method, create the operation (or action call), fire `Serving`, handle, render.
 * Every failure becomes an error document. `around-journey.ts` has what comes before and after: the route, the queue, the middleware, and
 * the headers of the server.
 */
export function journey(service: Service, server: string): Serve {
  const isIdempotent = service.idempotency.has(server)
  return async (request, call) => {
    const { route, caller, trace } = call
    let negotiated: Negotiated | null = null
    let hasJsonQuery = false
    trace?.enter('parse')
    try {
      checkTargetLength(request, service.uriLength)
      if (route.kind === 'description') return await descriptionResponse(service, request, route)
      negotiated = negotiate(service, request, route)
      service.readAfter?.require(request)
      const { profiles } = negotiated
      const sent = request.method === QUERY ? await sentQuery(service, request, route) : null
      hasJsonQuery = sent?.kind === 'json'
      const query = sent === null ? service.readQuery(request.query, profiles) : readSent(service, sent, profiles)
      const kind = bodyKind(request.method, route)
      const body = kind === null ? noBody : await readBody(request, kind, service.bodies)
      const root = route.kind === 'root' ? route : null
      if (request.method === 'OPTIONS' && isFoundRoute(route)) return optionsResponse(route, service)
      checkMethod(request, route, service)
      if (root !== null) return await rootResponse(root, query, renderingFor(service, request, root, { negotiated }))
      const prefer = request.header('prefer')
      const preferences = prefer === undefined ? noPreferences : preferencesOf(prefer)
      const isRead = readMethods.has(request.method)
      const isDryRun = service.rollBack !== null && preferences.rollsBack && !isRead
      if (preferences.isStrict) checkPreferences(preferences, isDryRun)
      const preconditions = isRead ? noPreconditions : preconditionsOf(request, 'id' in route && route.id !== null)
      const context = { server: route.server.name, caller, request }
      const invocation = invocationFor(request, route, {
        query,
        profiles,
        document: body.document,
        bytes: body.bytes,
        mediaType: route.kind === 'action' ? inputTypeOf(request, route.action) : null,
        returns: preferences.returns,
        exportAs: negotiated.exportAs ?? null,
        ifMatch: preconditions.ifMatch,
        ifNoneMatch: preconditions.ifNoneMatch,
        context,
      })
      if (service.serving.current.length > 0) await fireServing(service.serving, invocation)
      const ready = { call, negotiated, invocation, sent }
      if (isDryRun) return await respondInVain(service, request, ready)
      if (isIdempotent && hasKey(request)) {
        return await respondOnce(service, { request, invocation }, () => respond(service, request, ready))
      }
      return await respond(service, request, ready)
    } catch (thrown) {
      const failure = hasJsonQuery ? withPointers(thrown) : thrown
      return errorResponse(service, request, { route, trace, thrown: failure, negotiated })
    }
  }
}

/** A request that is ready to be handled. */
interface Ready {
  readonly call: Call
  readonly negotiated: Negotiated
  readonly invocation: Invocation
  /** The query in the body; `null` if the URL has it. */
  readonly sent: SentQuery | null
}

type Invocation = Operation | ActionCall | ExtensionCall

/** Handles and renders. */
async function respond(
  service: Service,
  request: HttpRequest,
  { call: { route, trace }, negotiated, invocation, sent }: Ready,
): Promise<HttpResponse> {
  const handling = trace === null ? invoke(service, invocation) : trace.run('handle', () => invoke(service, invocation))
  const value = await handling
  const rendering = renderingFor(
    service,
    request,
    route,
    sent === null ? { negotiated } : rendersQuery(negotiated, sent),
  )
  const render = (): ReturnType<typeof renderResponse> => renderResponse(value, rendering)
  const rendered = trace === null ? renderResponse(value, rendering) : trace.run('render', render)
  const response = isPromise(rendered) ? await rendered : rendered
  if (!readMethods.has(request.method)) return response
  const located = request.method === QUERY ? atEquivalentUrl(response, rendering.self) : response
  return conditionalResponse(request, route, located)
}

/** Returns the query in the body of a QUERY request. */
function sentQuery(service: Service, request: HttpRequest, route: Route): Promise<SentQuery> {
  // The body of a request that no route serves is not read.
  checkMethod(request, route, service)
  const { queryMediaTypes: mediaTypes, queryFilterValues } = service
  return readQueryBody(request, service.bodies, { mediaTypes, maxParameters: parametersInBody(queryFilterValues) })
}

function readSent({ readQuery }: Service, sent: SentQuery, profiles: readonly string[]): QueryParameters {
  return sent.kind === 'json' ? readQuery.json(sent.document, profiles) : readQuery(sent.text, profiles, 'body')
}

/** Returns what a response depends on. The response to a JSON query applies the profile of filter trees. */
function rendersQuery(negotiated: Negotiated, sent: SentQuery): ReadRequest {
  if (sent.kind !== 'json') return { negotiated, query: sent.text }
  const profiles = [...new Set([...negotiated.profiles, filterTreeProfile.uri])]
  return { negotiated: { ...negotiated, profiles }, query: null }
}

/**
 * Names the URL of the GET request with the same response, if it is not too long: `Content-Location` for these results, and `Location` for
 * later ones. https://www.rfc-editor.org/rfc/rfc10008#name-equivalent-resource
 */
function atEquivalentUrl(response: HttpResponse, url: string | null): HttpResponse {
  if (response.status !== 200 || url === null) return response
  const headers = [...response.headers]
  addMissing(headers, ['Content-Location', url, 'Location', url])
  return { ...response, headers }
}

/** Handles and renders in a transaction that is rolled back. */
async function respondInVain(service: Service, request: HttpRequest, ready: Ready): Promise<HttpResponse> {
  const { rollBack } = service
  if (rollBack === null) return respond(service, request, ready)
  const response = await rollBack(ready.invocation, () => respond(service, request, ready))
  return { ...response, headers: rolledBackHeaders(response.headers) }
}

/** Returns the profiles and extensions that the response may apply, or fails with 415 or 406. */
function negotiate(service: Service, request: HttpRequest, route: Route): Negotiated {
  const negotiator = route.kind === 'extension' ? extensionNegotiator(service, request, route) : service.negotiator
  if (request.method !== QUERY && takesDocuments(route)) negotiator.checkContentType(request)
  if (route.kind === 'action') return negotiateAction(request, route.action, negotiator)
  const isRead = route.kind === 'match' && readMethods.has(request.method)
  const ofRelation = isRead && route.shape === 'related' ? exportOfRelation(service, route) : null
  const exported = isRead && route.shape === 'collection' ? route.type.exported : ofRelation
  const format = exported === null ? null : negotiateExport(request.header('accept'), exported)
  return format ?? negotiator.negotiate(request)
}

/** Returns the export of the related resources of a relation. */
function exportOfRelation({ services }: Service, { server, type, relationship }: RouteMatch): CompiledExport | null {
  const relation = services.find(server.name, type.type)?.relations.get(relationship ?? '')
  return relation === undefined ? null : exportOfMembers(relation)
}

/**
 * At the endpoint of an extension, a POST request must name the extension. Other requests, such as OPTIONS, need not.
 */
function extensionNegotiator(
  { extensions }: Service,
  { method }: HttpRequest,
  { extension }: ExtensionMatch,
): Negotiator {
  const { requiringNegotiator, permissiveNegotiator } = extensionOf(extensions, extension)
  return method === 'POST' ? requiringNegotiator : permissiveNegotiator
}

/** The body of a method without one: it is not read at all. */
const noBody: Body = Object.freeze({ document: undefined, bytes: null })

/** Creates one of the ten operations, the call of a user-defined action, or the call of an extension. */
function invocationFor({ method }: HttpRequest, route: Route, parts: CallParts & Body): Invocation {
  if (route.kind === 'extension') {
    const { query, profiles, document, context } = parts
    return { kind: 'Extension', extension: route.extension.uri, query, profiles, document, context }
  }
  if (route.kind === 'action') return actionCallFor(method, route, parts)
  return operationFor(method, targetOfRoute(route), parts)
}

function invoke(
  { handler, runAction, extensions }: Service,
  invocation: Invocation,
): Promise<ResponseValue | ResultsValue> {
  if (invocation.kind === 'Extension') return extensionOf(extensions, { uri: invocation.extension }).run(invocation)
  if (handler === null) throw new Error('This server has no handler: its settings have handler: null.')
  return invocation.kind === 'CustomAction' ? runAction(invocation) : handler(invocation)
}
