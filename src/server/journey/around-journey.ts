import type { ServedOverload } from '../assembly/serve-overload.js'
import type { Service } from '../assembly/service.js'
import { JsonApiError, problem } from '../../core/errors/json-api-error.js'
import type { Refusal } from '../../core/http/admission.js'
import type { HttpRequest } from '../../core/http/request.js'
import { inTrace } from '../../core/http/request-trace.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { AnyTarget, Route, ServedRoute } from '../../serve/route/route-table.js'
import { usualCallerHeaders } from '../assembly/caller-headers.js'
import type { Call, Serve } from './call.js'
import { allowedMethods, isFoundRoute } from './check-method.js'
import { isPreflight, preflightResponse } from './cors.js'
import { errorInFront, errorResponse } from './error-response.js'
import type { HandleOptions } from './handle-options.js'
import { journey } from './journey.js'
import { logRequest, observed } from './observed.js'
import { plainNotFound } from './rendering-for.js'
import type { ResponseFacts } from './response-headers.js'
import { addsHeaders, headerAdder } from './response-headers.js'
import { throughMiddleware } from './run-middleware.js'

/** The ways into a server, for adapters. */
export interface ServedRequests {
  readonly handle: (request: HttpRequest, options?: HandleOptions) => Promise<HttpResponse>
  /** Serves a request whose target a router of the application has matched. */
  readonly handleAt: (request: HttpRequest, target: AnyTarget | null, server: string) => Promise<HttpResponse>
  /** Returns whether a request has a path of this server. */
  readonly isServed: (request: HttpRequest, options?: HandleOptions) => boolean
  /** Returns the error document of an error that the application has thrown before the request reached the server. */
  readonly failed: (request: HttpRequest, thrown: unknown, options?: HandleOptions) => HttpResponse
}

const noOptions: HandleOptions = Object.freeze({})

/**
 * What is around the journey of a request, from the adapter on: find the route, observe, wait for a turn, be admitted, add the headers of
 * the server, check the host, run the middleware. Each is a wrapper of the next one, composed once for each named server, and a server
 * that does not need one does not have it. A path that matches no route gets a response that is not JSON:API.
 */
export function aroundJourney(service: Service): ServedRequests {
  const { routes, requests } = service
  const clientRequest = service.clientRequest ?? ((request: HttpRequest) => request)
  const serves = new Map(service.servers.map((name) => [name, serveOn(service.forServer(name), name)]))
  // A target of the application may name a server that does not exist: a 500 error document.
  const onNoServer = serveOn(service, '')

  function routeOf(request: HttpRequest, { server }: HandleOptions): Route {
    if (server !== undefined) return routes.matchPlaced(server, request.path)
    return routes.match(request.path, () => request.origin)
  }

  function serve(request: HttpRequest, route: Route, options: HandleOptions): Promise<HttpResponse> {
    if (route.kind === 'notServed') return Promise.resolve(plainNotFound)
    const serving = serves.get(route.server.name) ?? onNoServer
    requests.start()
    return serving(request, { route, options, caller: options.caller ?? null, trace: null, waited: 0 }).then(
      requests.end,
    )
  }

  const handle: ServedRequests['handle'] = (request, options = noOptions) => {
    service.start?.()
    return serve(request, routeOf(request, options), options)
  }

  return Object.freeze<ServedRequests>({
    handle: service.clientRequest === null ? handle : (given, options) => handle(clientRequest(given), options),
    handleAt(given, target, server) {
      service.start?.()
      return serve(clientRequest(given), routes.matchTarget(target, server), noOptions)
    },
    isServed: (given, options = noOptions) => routeOf(clientRequest(given), options).kind !== 'notServed',
    failed(given, thrown, options = noOptions) {
      const request = clientRequest(given)
      const route = routeOf(request, options)
      if (route.kind === 'notServed') return plainNotFound
      const start = performance.now()
      requests.start()
      const own = service.forServer(route.server.name)
      const call = { route, options, caller: null, trace: null, waited: 0 }
      const response = completion(own, route.server.name)(request, call, errorInFront(own, request, route, thrown))
      logRequest(service, request, { route, response, start, trace: null })
      return requests.end(response)
    },
  })
}

/** @param service the service with the settings of the server */
function serveOn(service: Service, server: string): Serve {
  const { isAllowedHost, overload } = service
  const middleware = service.middleware.get(server)
  let serve = journey(service, server)
  if (middleware !== undefined) serve = throughMiddleware(service, middleware, serve)
  if (isAllowedHost !== null) serve = onAllowedHosts(service, isAllowedHost, serve)
  serve = withHeaders(service, server, serve)
  if (service.isObserved) serve = traced(serve)
  if (overload !== null) serve = admitted(service, server, overload, serve)
  serve = inTurn(service, serve)
  return service.isObserved ? observed(service, serve) : serve
}

/** Serves a request immediately or after a wait for earlier ones. */
function inTurn({ turns }: Service, next: Serve): Serve {
  const nextAfter = async (turn: Promise<number>, request: HttpRequest, call: Call): Promise<HttpResponse> =>
    next(request, { ...call, waited: await turn })
  return (request, call) => {
    call.trace?.enter('wait')
    const turn = request.isEvent === true ? turns.wait() : null
    return turn === null ? next(request, call) : nextAfter(turn, request, call)
  }
}

/** Serves a request immediately or when others are done, or refuses it if there are too many. */
function admitted(service: Service, server: string, overload: ServedOverload, next: Serve): Serve {
  const complete = completion(service, server)
  return (request, call) =>
    overload.admission.handle(
      { request, waited: call.waited },
      {
        handle: (admission) => next(admission, call),
        refuse: (reason) => complete(request, call, refusal(service, request, call.route, { overload, reason })),
      },
    )
}

/** Returns the response to a request that is refused. It must be cheap, so that more requests can be served. */
function refusal(
  service: Service,
  request: HttpRequest,
  route: ServedRoute,
  { overload: { errors, responses }, reason }: { readonly overload: ServedOverload; readonly reason: Refusal },
): HttpResponse {
  // Messages of the application may depend on the request.
  if (service.errors.resolver !== null) return errorInFront(service, request, route, errors[reason])
  const extension = route.kind === 'extension' ? route.extension.uri : ''
  const key = `${reason} ${route.server.name} ${route.kind} ${extension}`
  const known = responses.get(key)
  if (known !== undefined) return known
  const response = errorInFront(service, request, route, errors[reason])
  responses.set(key, response)
  return response
}

/** Serves a request, so that stores find its trace. */
function traced(next: Serve): Serve {
  return (request, call) => (call.trace === null ? next(request, call) : inTrace(call.trace, () => next(request, call)))
}

/**
 * Adds the headers of the server to every response. A preflight request of a browser has no credentials, so it never reaches the
 * middleware.
 */
function withHeaders(service: Service, server: string, next: Serve): Serve {
  const cors = service.cors.get(server) ?? null
  const addHeaders = headerAdder(service, server)
  const complete: Serve = async (request, call) => addHeaders(request, factsOf(call, null), await next(request, call))
  if (!addsHeaders(service, server)) {
    return (request, call) => (hasNamedCaller(call) ? complete(request, call) : next(request, call))
  }
  if (cors === null) return complete
  return async (request, call) => {
    const { route, trace } = call
    let origin: string | null
    try {
      origin = cors.allowedOrigin(request.header('origin'))
    } catch (thrown) {
      const failed = errorResponse(service, request, { route, trace, thrown, negotiated: null })
      return addHeaders(request, factsOf(call, null), failed)
    }
    if (isPreflight(request) && isFoundRoute(route)) {
      const offered = { methods: allowedMethods(route), queryMediaTypes: service.queryMediaTypes }
      return addHeaders(request, factsOf(call, null), preflightResponse(cors, origin, offered))
    }
    return addHeaders(request, factsOf(call, origin), await next(request, call))
  }
}

/** Returns what adds the headers of a server to a response in front of the middleware. */
function completion(
  service: Service,
  server: string,
): (request: HttpRequest, call: Call, response: HttpResponse) => HttpResponse {
  const cors = service.cors.get(server) ?? null
  const addHeaders = headerAdder(service, server)
  return (request, call, response) => {
    let origin: string | null = null
    try {
      origin = cors?.allowedOrigin(request.header('origin')) ?? null
    } catch {
      // The response is an error already, and no page of another origin can read it.
    }
    return addHeaders(request, factsOf(call, origin), response)
  }
}

function factsOf({ route, options: { caller, callerHeaders } }: Call, origin: string | null): ResponseFacts {
  const usual = caller === undefined ? none : usualCallerHeaders
  return { route, origin, callerHeaders: callerHeaders ?? usual }
}

function hasNamedCaller({ options: { caller, callerHeaders } }: Call): boolean {
  return caller !== undefined || callerHeaders !== undefined
}

const none: readonly string[] = Object.freeze([])

/** Fails with 421 if the server does not serve the host: links would refer to that host. */
function onAllowedHosts(service: Service, isAllowed: (origin: string) => boolean, next: Serve): Serve {
  return (request, call) => {
    const { origin } = request
    if (isAllowed(origin)) return next(request, call)
    const { route, trace } = call
    const host = origin.slice(origin.indexOf('://') + 3)
    const thrown = new JsonApiError([problem('HOST_NOT_ALLOWED', { host }, { source: { header: 'Host' } })])
    return Promise.resolve(errorResponse(service, request, { route, trace, thrown, negotiated: null }))
  }
}
