import { fail } from '../errors/json-api-error.js'
import type { ArrivedRequest } from '../http/admission.js'
import type { HttpRequest } from '../http/request.js'
import { inTrace, type RequestTrace } from '../http/request-trace.js'
import type { HttpResponse } from '../http/response.js'
import type { Negotiated } from '../negotiate/accept.js'
import type { Negotiator } from '../negotiate/negotiator.js'
import { preconditionsOf } from '../negotiate/preconditions.js'
import { checkPreferences, preferencesOf, rolledBackHeaders } from '../negotiate/prefer.js'
import type { ActionCall } from '../operation/action-call.js'
import { actionCallFor } from '../operation/action-call.js'
import type { ExtensionCall } from '../operation/extension-call.js'
import type { Operation, OperationParts } from '../operation/operation.js'
import { operationFor } from '../operation/operation.js'
import type { ResponseValue, ResultsValue } from '../operation/response-value.js'
import { fireServing } from '../operation/serving-event.js'
import type { Body } from '../parse/body.js'
import { readBody } from '../parse/body.js'
import { checkTargetLength } from '../parse/target-length.js'
import { renderResponse } from '../render/render-response.js'
import { isOpen } from '../route/description-routes.js'
import type { AnyTarget, Route, ServedRoute } from '../route/route-table.js'
import { optionsResponse, plainNotFound, renderingFor } from './rendering-for.js'
import {
  allowedMethods,
  bodyKind,
  checkMethod,
  isFoundRoute,
  isOptions,
  takesDocuments,
  targetOfRoute,
} from './check-method.js'
import { conditionalResponse } from './conditional-response.js'
import { descriptionResponse } from './description-response.js'
import { isPreflight, preflightResponse, withCors } from './cors.js'
import { errorResponse, failedInFront, refusedResponse } from './failed-response.js'
import type { HandleOptions } from './handle-options.js'
import { extensionOf } from '../build/declared/extension.js'
import type { ServedCors } from '../build/serve-cors.js'
import type { ServerMiddleware, Service } from '../build/service.js'
import type { Caller } from '../resource/capabilities/registered.js'
import { observed, withLogEntry } from './observed.js'
import { withQueryCost } from './query-cost-header.js'
import { hasKey, respondOnce } from './respond-once.js'
import { isPromise } from '../util/awaitable.js'
import { rootResponse } from './root-response.js'
import { withReadAfter } from './with-read-after.js'
import { runMiddleware, withChallenge } from './run-middleware.js'
import { usualCallerHeaders } from '../build/caller-headers.js'
import { withCallerHeaders } from './with-caller-headers.js'
import { withTypeHeaders } from './with-type-headers.js'

/**
 * The journey of a request, from the adapter and back to it: route, wait, origin, middleware, negotiate, parse, check the method, create the
 * operation (or action call), fire `Serving`, handle, render. A request with an `Idempotency-Key` runs
 * the last two in a transaction, or gets the stored response. Every failure on a path of this server becomes an error document. A path that matches no route returns
 * immediately, with a response that is not JSON:API.
 */
export function journey(
  service: Service,
  request: HttpRequest,
  { caller, callerHeaders, server }: HandleOptions = noOptions,
): Promise<HttpResponse> {
  return serve(service, request, { route: routeOf(service, request, server), givenCaller: caller, callerHeaders })
}

function routeOf({ routes }: Service, request: HttpRequest, placed: string | undefined): Route {
  if (placed !== undefined) return routes.matchPlaced(placed, request.path)
  return routes.match(request.path, () => request.origin)
}

/** Returns whether a request has a path of this server. */
export function isServed(service: Service, request: HttpRequest, { server }: HandleOptions = noOptions): boolean {
  return routeOf(service, request, server).kind !== 'notServed'
}

/** Returns the error document of an error that the application has thrown before the request reached the server. */
export function failedResponse(
  service: Service,
  request: HttpRequest,
  { thrown, server, callerHeaders = noHeaders }: HandleOptions & { readonly thrown: unknown },
): HttpResponse {
  const route = routeOf(service, request, server)
  if (route.kind === 'notServed') return plainNotFound
  const start = performance.now()
  service.requests.start()
  const failed = withCallerHeaders(failedInFront(service, request, route, thrown), callerHeaders)
  const response = service.requests.end(failed)
  return withLogEntry(service, request, { route, response, start, trace: null })
}

const noOptions: HandleOptions = Object.freeze({})

/** The same journey for a request whose target a router of the application has matched. */
export function routedJourney(
  service: Service,
  request: HttpRequest,
  { target, server }: { readonly target: AnyTarget | null; readonly server: string },
): Promise<HttpResponse> {
  const route = service.routes.matchTarget(target, server)
  return serve(service, request, { route, givenCaller: undefined, callerHeaders: undefined })
}

/** Serves a request, counts it, and logs and traces it if the server does that. */
function serve(service: Service, request: HttpRequest, { route, ...caller }: RoutedRequest): Promise<HttpResponse> {
  if (route.kind === 'notServed') return Promise.resolve(plainNotFound)
  const { requests, isObserved } = service
  requests.start()
  const served = (trace: RequestTrace | null): Promise<HttpResponse> =>
    serveInTurn(service, request, { route, ...caller, trace })
  return (isObserved ? observed(service, request, route, served) : served(null)).then(requests.end)
}

/** Serves a request immediately or after a wait for earlier ones. */
function serveInTurn(service: Service, request: HttpRequest, call: ServedRequest): Promise<HttpResponse> {
  call.trace?.enter('wait')
  const turn = request.isEvent === true ? service.turns.wait() : null
  if (turn === null) return serveAdmitted(service, { request, waited: 0 }, call)
  return turn.then((waited) => serveAdmitted(service, { request, waited }, call))
}

/** Serves a request immediately or when others are done, or refuses it if there are too many. */
function serveAdmitted(service: Service, arrived: ArrivedRequest, call: ServedRequest): Promise<HttpResponse> {
  const { overload } = service
  const { request } = arrived
  if (overload === null) return serveTraced(service, request, call)
  return overload.admission.handle(arrived, {
    handle: (admitted) => serveTraced(service, admitted, call),
    refuse: (reason) => refusedResponse(service, request, call.route, { overload, reason }),
  })
}

/** Serves a request, so that stores find its trace. */
function serveTraced(service: Service, request: HttpRequest, call: ServedRequest): Promise<HttpResponse> {
  if (call.trace === null) return serveServer(service, request, call)
  return inTrace(call.trace, () => serveServer(service, request, call))
}

/** Serves a request with the settings of the server that its route belongs to. */
function serveServer(service: Service, request: HttpRequest, call: ServedRequest): Promise<HttpResponse> {
  const { name } = call.route.server
  const own = service.forServer(name)
  const cors = own.cors.get(name)
  return cors === undefined ? serveCaller(own, request, call) : serveOrigins(cors, own, request, call)
}

/** Serves pages of other origins too. A preflight request has no credentials, so it never reaches the middleware. */
async function serveOrigins(
  cors: ServedCors,
  service: Service,
  request: HttpRequest,
  call: ServedRequest,
): Promise<HttpResponse> {
  const { route, trace } = call
  let origin: string | null
  try {
    origin = cors.allowedOrigin(request.header('origin'))
  } catch (thrown) {
    return withCors(cors, null, errorResponse(service, request, { route, trace, thrown, negotiated: null }))
  }
  if (isPreflight(request) && isFoundRoute(route)) return preflightResponse(cors, origin, allowedMethods(route))
  return withCors(cors, origin, await serveCaller(service, request, call))
}

/** Runs the middleware of the server, then the route. A server without middleware, or an open route, runs the route immediately. */
function serveCaller(service: Service, request: HttpRequest, call: ServedRequest): Promise<HttpResponse> {
  const { route, givenCaller = null, callerHeaders, trace } = call
  if (isOpen(route)) return serveRoute(service, request, { route, trace, caller: givenCaller })
  const middleware = service.middleware.get(route.server.name)
  const response =
    middleware === undefined
      ? serveRoute(service, request, { route, trace, caller: givenCaller })
      : serveThrough(middleware, service, request, call)
  const own = service.callerHeaders.of(route)
  const given = callerHeaders ?? (call.givenCaller === undefined ? noHeaders : usualCallerHeaders)
  if (own.length + given.length === 0) return response
  return response.then((served) => withCallerHeaders(withCallerHeaders(served, own), given))
}

const noHeaders: readonly string[] = Object.freeze([])

interface RoutedRequest {
  readonly route: Route
  /** The caller that the application has named; `undefined` if it has named none. */
  readonly givenCaller: HandleOptions['caller']
  /** The request headers by which the application finds callers; `undefined` if it has not named them. */
  readonly callerHeaders: HandleOptions['callerHeaders']
}

type ServedRequest = Pick<Call, 'route' | 'trace'> & Pick<RoutedRequest, 'givenCaller' | 'callerHeaders'>

/** Runs the middleware of a server, and the route with the caller that it sets. */
async function serveThrough(
  middleware: ServerMiddleware,
  service: Service,
  request: HttpRequest,
  { route, givenCaller, trace }: ServedRequest,
): Promise<HttpResponse> {
  const failed = (thrown: unknown): HttpResponse =>
    withChallenge(errorResponse(service, request, { route, trace, thrown, negotiated: null }), middleware)
  trace?.enter('middleware')
  try {
    checkHost(service, request)
  } catch (thrown) {
    return failed(thrown)
  }
  const response = await runMiddleware(middleware.list, {
    request,
    server: route.server.name,
    givenCaller,
    serve: (caller) => serveRoute(service, request, { route, trace, caller }),
    failed,
  })
  return withChallenge(response, middleware)
}

/** A matched route and its caller. */
interface Call {
  readonly route: ServedRoute
  readonly caller: Caller
  /** `null` if the request is not traced. */
  readonly trace: RequestTrace | null
}

/** Serves a route. With read replicas, the response has the positions of the writes of the request. */
function serveRoute(service: Service, request: HttpRequest, call: Call): Promise<HttpResponse> {
  const { readAfter } = service
  const response = respond(service, request, call)
  return readAfter === null ? response : response.then((served) => withReadAfter(readAfter, request, served))
}

async function respond(service: Service, request: HttpRequest, { route, caller, trace }: Call): Promise<HttpResponse> {
  let negotiated: Negotiated | null = null
  trace?.enter('parse')
  try {
    checkHost(service, request)
    checkTargetLength(request, service.uriLength)
    if (route.kind === 'description') return await descriptionResponse(service, request, route)
    negotiated = negotiate(service, request, route)
    if (service.readAfter !== null) service.readAfter.require(request)
    const { profiles } = negotiated
    const query = service.readQuery(request.query, profiles)
    const kind = bodyKind(request.method, route)
    const body = kind === null ? noBody : await readBody(request, kind, service.bodies)
    const root = route.kind === 'root' ? route : null
    if (isOptions(request, route)) return withTypeHeaders(service, request, route, optionsResponse(route))
    checkMethod(request, route)
    if (root !== null) {
      const rendering = renderingFor(service, request, route, negotiated)
      const response = await renderResponse(rootResponse(root, rendering.base, query), rendering)
      return withTypeHeaders(service, request, route, response)
    }
    const context = { server: route.server.name, caller, request }
    const { document, bytes } = body
    const preferences = preferencesOf(request)
    const { returns } = preferences
    const isDryRun = service.rollBack !== null && preferences.rollsBack && !isSafe(request.method)
    checkPreferences(preferences, isDryRun)
    const { ifMatch, ifNoneMatch } = preconditionsOf(request, 'id' in route && route.id !== null)
    const parts = { query, profiles, document, bytes, returns, ifMatch, ifNoneMatch, context }
    const invocation = invocationFor(request, route, parts)
    if (service.serving.current.length > 0) await fireServing(service.serving, invocation)
    const handled = { route, trace, negotiated, invocation }
    if (isDryRun || hasKey(service, request, route.server.name)) {
      return await respondInTransaction(service, request, handled, isDryRun)
    }
    const response = renderedResponse(service, request, handled, await handle(service, handled))
    return isPromise(response) ? await response : response
  } catch (thrown) {
    return errorResponse(service, request, { route, trace, thrown, negotiated })
  }
}

interface Handled extends Pick<Call, 'route' | 'trace'> {
  readonly negotiated: Negotiated
  readonly invocation: Invocation
}

/** Handles and renders in one transaction: one that is rolled back, or the one that also stores the response. */
async function respondInTransaction(
  service: Service,
  request: HttpRequest,
  handled: Handled,
  isDryRun: boolean,
): Promise<HttpResponse> {
  const { invocation } = handled
  const run = async (): Promise<HttpResponse> =>
    renderedResponse(service, request, handled, await handle(service, handled))
  if (!isDryRun || service.rollBack === null) return respondOnce(service, { request, invocation }, run)
  const response = await service.rollBack(invocation, run)
  return { ...response, headers: rolledBackHeaders(response.headers) }
}

/** Renders the result of the handler. */
function renderedResponse(
  service: Service,
  request: HttpRequest,
  { route, trace, negotiated }: Handled,
  value: ResponseValue | ResultsValue,
): HttpResponse | Promise<HttpResponse> {
  const complete = (rendered: HttpResponse): HttpResponse =>
    withQueryCost(
      service,
      request,
      conditionalResponse(request, route, withTypeHeaders(service, request, route, rendered)),
    )
  const render = (): ReturnType<typeof renderResponse> =>
    renderResponse(value, renderingFor(service, request, route, negotiated))
  const rendered = trace === null ? render() : trace.run('render', render)
  return isPromise(rendered) ? rendered.then(complete) : complete(rendered)
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Fails with 421 if the server does not serve the host: links would refer to that host. */
function checkHost({ isAllowedHost }: Service, { origin }: HttpRequest): void {
  if (isAllowedHost === null || isAllowedHost(origin)) return
  fail('HOST_NOT_ALLOWED', { host: origin.slice(origin.indexOf('://') + 3) }, { source: { header: 'Host' } })
}

/** Returns the profiles and extensions that the response may apply, or fails with 415 or 406. */
function negotiate(service: Service, request: HttpRequest, route: Route): Negotiated {
  const negotiator = negotiatorOf(service, request, route)
  if (takesDocuments(route)) negotiator.checkContentType(request)
  return negotiator.negotiate(request)
}

/**
 * At the endpoint of an extension, a POST request must name the extension. Other requests, such as OPTIONS, need not.
 */
function negotiatorOf({ negotiator, extensions }: Service, { method }: HttpRequest, route: Route): Negotiator {
  if (route.kind !== 'extension') return negotiator
  const { requiringNegotiator, permissiveNegotiator } = extensionOf(extensions, route.extension)
  return method === 'POST' ? requiringNegotiator : permissiveNegotiator
}

/** The body of a method without one: it is not read at all. */
const noBody: Body = Object.freeze({ document: undefined, bytes: null })

type Invocation = Operation | ActionCall | ExtensionCall

/** Creates one of the nine operations, the call of a user-defined action, or the call of an extension. */
function invocationFor({ method }: HttpRequest, route: Route, parts: OperationParts & Body): Invocation {
  if (route.kind === 'extension') {
    const { query, profiles, document, context } = parts
    return { kind: 'Extension', extension: route.extension.uri, query, profiles, document, context }
  }
  if (route.kind === 'action') return actionCallFor(method, route, parts)
  return operationFor(method, targetOfRoute(route), parts)
}

function handle(service: Service, { invocation, trace }: Handled): Promise<ResponseValue | ResultsValue> {
  return trace === null ? invoke(service, invocation) : trace.run('handle', () => invoke(service, invocation))
}

function invoke(
  { handler, runAction, extensions }: Service,
  invocation: Invocation,
): Promise<ResponseValue | ResultsValue> {
  if (invocation.kind === 'Extension') return extensionOf(extensions, { uri: invocation.extension }).run(invocation)
  if (handler === null) throw new Error('This server has no handler: its settings have handler: null.')
  return invocation.kind === 'CustomAction' ? runAction(invocation) : handler(invocation)
}
