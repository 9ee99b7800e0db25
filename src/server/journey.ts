import { extensionOf } from '../build/declared/extension.js'
import type { Service } from '../build/service.js'
import type { HttpRequest } from '../http/request.js'
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
import type { Route } from '../route/route-table.js'
import type { Call, Serve } from './call.js'
import { bodyKind, checkMethod, isOptions, takesDocuments, targetOfRoute } from './check-method.js'
import { conditionalResponse } from './conditional-response.js'
import { descriptionResponse } from './description-response.js'
import { errorResponse } from './error-response.js'
import { optionsResponse, renderingFor } from './rendering-for.js'
import { hasKey, respondOnce } from './respond-once.js'
import { rootResponse } from './root-response.js'

/**
 * The journey of a request: negotiate, parse, check the method, create the operation (or action call), fire `Serving`, handle, render.
 * Every failure becomes an error document. `around-journey.ts` has what comes before and after: the route, the queue, the middleware, and
 * the headers of the server.
 */
export function journey(service: Service): Serve {
  return async (request, call) => {
    const { route, caller, trace } = call
    let negotiated: Negotiated | null = null
    trace?.enter('parse')
    try {
      checkTargetLength(request, service.uriLength)
      if (route.kind === 'description') return await descriptionResponse(service, request, route)
      negotiated = negotiate(service, request, route)
      service.readAfter?.require(request)
      const { profiles } = negotiated
      const query = service.readQuery(request.query, profiles)
      const kind = bodyKind(request.method, route)
      const body = kind === null ? noBody : await readBody(request, kind, service.bodies)
      const root = route.kind === 'root' ? route : null
      if (isOptions(request, route)) return optionsResponse(route)
      checkMethod(request, route)
      if (root !== null) return await rootResponse(root, query, renderingFor(service, request, root, negotiated))
      const preferences = preferencesOf(request)
      const isDryRun = service.rollBack !== null && preferences.rollsBack && !isSafe(request.method)
      checkPreferences(preferences, isDryRun)
      const preconditions = preconditionsOf(request, 'id' in route && route.id !== null)
      const context = { server: route.server.name, caller, request }
      const invocation = invocationFor(request, route, {
        query,
        profiles,
        document: body.document,
        bytes: body.bytes,
        returns: preferences.returns,
        ifMatch: preconditions.ifMatch,
        ifNoneMatch: preconditions.ifNoneMatch,
        context,
      })
      if (service.serving.current.length > 0) await fireServing(service.serving, invocation)
      const ready = { call, negotiated, invocation }
      if (isDryRun) return await respondInVain(service, request, ready)
      if (hasKey(service, request, route.server.name)) {
        return await respondOnce(service, { request, invocation }, () => respond(service, request, ready))
      }
      return await respond(service, request, ready)
    } catch (thrown) {
      return errorResponse(service, request, { route, trace, thrown, negotiated })
    }
  }
}

/** A request that is ready to be handled. */
interface Ready {
  readonly call: Call
  readonly negotiated: Negotiated
  readonly invocation: Invocation
}

type Invocation = Operation | ActionCall | ExtensionCall

/** Handles and renders. */
async function respond(
  service: Service,
  request: HttpRequest,
  { call: { route, trace }, negotiated, invocation }: Ready,
): Promise<HttpResponse> {
  const handle = (): Promise<ResponseValue | ResultsValue> => invoke(service, invocation)
  const value = await (trace === null ? handle() : trace.run('handle', handle))
  const rendering = renderingFor(service, request, route, negotiated)
  const render = (): ReturnType<typeof renderResponse> => renderResponse(value, rendering)
  return conditionalResponse(request, route, await (trace === null ? render() : trace.run('render', render)))
}

/** Handles and renders in a transaction that is rolled back. */
async function respondInVain(service: Service, request: HttpRequest, ready: Ready): Promise<HttpResponse> {
  const { rollBack } = service
  if (rollBack === null) return respond(service, request, ready)
  const response = await rollBack(ready.invocation, () => respond(service, request, ready))
  return { ...response, headers: rolledBackHeaders(response.headers) }
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
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

/** Creates one of the nine operations, the call of a user-defined action, or the call of an extension. */
function invocationFor({ method }: HttpRequest, route: Route, parts: OperationParts & Body): Invocation {
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
