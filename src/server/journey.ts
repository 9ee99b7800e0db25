import { errorAnswer } from '../errors/error-answer.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { Negotiated } from '../negotiate/accept.js'
import type { Negotiator } from '../negotiate/negotiator.js'
import type { ActionCall } from '../operation/action-call.js'
import { actionCallFor } from '../operation/action-call.js'
import type { ExtensionCall } from '../operation/extension-call.js'
import type { Operation, OperationParts } from '../operation/operation.js'
import { operationFor } from '../operation/operation.js'
import type { ResponseValue, ResultsValue } from '../operation/response-value.js'
import type { ExtensionTarget, Target } from '../route/target.js'
import { readBytes, readDocument } from '../parse/body.js'
import { checkTargetLength } from '../parse/target-length.js'
import { checkTopLevel } from '../parse/top-level.js'
import { renderError, renderResponse } from '../render/render-response.js'
import type { Route } from '../route/route-table.js'
import { optionsResponse, plainNotFound, rendering, spokenAt } from './answer.js'
import type { BodyKind } from './placement.js'
import { bodyKind, checkMethod, isOptions, RouterRefusal, takesDocuments, targetOf } from './placement.js'
import { extensionOf } from '../build/declared/extension.js'
import type { Service } from '../build/service.js'
import { withTypeHeaders } from './with-type-headers.js'

/**
 * The journey of a request, from the adapter and back to it: route, negotiate, parse, place, operation (or action),
 * authorize, handle, render. Every failure on a path of ours leaves through the one `catch`, as an error document. A path that
 * belongs to nobody leaves at once, and is no JSON:API answer.
 */
export function journey(service: Service, request: HttpRequest): Promise<HttpResponse> {
  return travel(service, request, service.routes.match(request.path, hostOf(request)))
}

/** The same for a request whose target a caller's own router has found. */
export function placedJourney(
  service: Service,
  request: HttpRequest,
  { target, server }: { readonly target: Target | ExtensionTarget | null; readonly server: string },
): Promise<HttpResponse> {
  return travel(service, request, service.routes.placed(target, server))
}

async function travel(service: Service, request: HttpRequest, route: Route): Promise<HttpResponse> {
  if (route.kind === 'stranger') return plainNotFound
  let negotiated: Negotiated | null = null
  try {
    checkTargetLength(request, service.uriLength)
    negotiated = negotiate(service, request, route)
    const { profiles } = negotiated
    const query = service.readQuery(request.query, profiles)
    const kind = bodyKind(request.method, route)
    const body = kind === null ? noBody : await parseBody(service, request, kind)
    if (isOptions(request, route)) return withTypeHeaders(service, request, route, optionsResponse(route))
    checkMethod(request, route)
    const context = { server: route.server.name, request }
    const { document, bytes } = body
    const asked = askedFor(request, route, { query, profiles, document, bytes, context })
    if (service.serving !== null) await authorize(service.serving, asked)
    const value = await handle(service, asked)
    const response = renderResponse(value, rendering(service, request, route, negotiated))
    return withTypeHeaders(service, request, route, response)
  } catch (thrown) {
    const settings = thrown instanceof RouterRefusal ? service.routerErrors : service.errors
    const answer = errorAnswer(thrown, settings, { request })
    const spoken = negotiated ?? spokenAt(route, answer.status)
    return withTypeHeaders(service, request, route, renderError(answer, rendering(service, request, route, spoken)))
  }
}

function hostOf({ origin }: HttpRequest): string {
  return origin.slice(origin.indexOf('://') + 3)
}

/** 415, 406, or the profiles and extensions that the answer may apply. */
function negotiate(service: Service, request: HttpRequest, route: Route): Negotiated {
  const negotiator = negotiatorOf(service, request, route)
  if (takesDocuments(route)) negotiator.checkContentType(request)
  return negotiator.negotiate(request)
}

/** The endpoint of an extension answers only those who name it; to ask what it serves, nobody has to. */
function negotiatorOf({ negotiator, extensions }: Service, { method }: HttpRequest, route: Route): Negotiator {
  if (route.kind !== 'extension') return negotiator
  const { speaking, listening } = extensionOf(extensions, route.extension)
  return method === 'POST' ? speaking : listening
}

interface Body {
  readonly document: unknown
  /** Of an action that takes anything. */
  readonly bytes: Uint8Array | null
}

const noBody: Body = Object.freeze({ document: undefined, bytes: null })

/** The body of the methods that have one; other bodies are not even read. */
async function parseBody({ bodyLimits }: Service, request: HttpRequest, kind: BodyKind): Promise<Body> {
  if (kind === 'bytes') return { document: undefined, bytes: await readBytes(request, bodyLimits) }
  if (kind === 'extension') return { document: await readDocument(request, bodyLimits), bytes: null }
  return { document: checkTopLevel(await readDocument(request, bodyLimits), kind), bytes: null }
}

type Asked = Operation | ActionCall | ExtensionCall

/** One of the nine operations, an action of the author's, or what an extension makes of the document. */
function askedFor({ method }: HttpRequest, route: Route, parts: OperationParts & Body): Asked {
  if (route.kind === 'extension') {
    const { query, profiles, document, context } = parts
    return { kind: 'Extension', extension: route.extension.uri, query, profiles, document, context }
  }
  if (route.kind === 'action') return actionCallFor(method, route, parts)
  return operationFor(method, targetOf(route), parts)
}

/** The serving hook may refuse by throwing. Access rules stand here too: the target is known, nothing is read or written. */
async function authorize(serving: NonNullable<Service['serving']>, asked: Asked): Promise<void> {
  await serving(asked)
}

function handle({ handler, runAction, extensions }: Service, asked: Asked): Promise<ResponseValue | ResultsValue> {
  if (asked.kind === 'Extension') return extensionOf(extensions, { uri: asked.extension }).run(asked)
  if (handler === null) throw new Error('This server has no handler: its settings say handler: null.')
  return asked.kind === 'CustomAction' ? runAction(asked) : handler(asked)
}
