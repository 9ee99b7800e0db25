import { type Context, type Env, type ErrorHandler, type Handler, Hono } from 'hono'
import type { RouterRoute } from 'hono/types'
import { findTargetHandler } from 'hono/utils/handler'
import { dividedTarget, segmentsOf } from '../../serve/adapters/divided-target.js'
import { toHttpRequest, toWebResponse } from '../../serve/adapters/fetch.js'
import { lostBody } from '../../serve/adapters/lost-body.js'
import { combinedCacheControl } from '../../core/http/cache-control.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import { automaticPatterns } from './automatic-patterns.js'
import type { FrameworkOptions, FrameworkServer, PlacementOptions } from './framework-server.js'
import { type MountedServer, mountedServer } from './mounted-server.js'
import { placedPatterns } from './placed-patterns.js'

/**
 * Serves an Ashlar server in a Hono application, on any runtime: routes for `app.route()`. Requests to other paths go on to the
 * next handler.
 *
 * @example
 * ```ts
 * import { Hono } from 'hono'
 * import type { Server } from 'ashlar'
 * import { honoAdapter } from 'ashlar/hono'
 *
 * export const application = (server: Server) => new Hono().route('/api/v1', honoAdapter(server))
 * ```
 */
export function honoAdapter<E extends Env = Env>(
  server: FrameworkServer,
  options: FrameworkOptions<Context<E>> = {},
): Hono<E> {
  // An application that loads Hono by `require()` has another copy, which would handle errors of its own routes as this one does.
  const routes = new Hono<E>().onError((thrown) => {
    throw thrown
  })
  const serve = handler(server, options)
  for (const pattern of automaticPatterns(server, '/*')) routes.all(pattern, serve)
  return routes
}

/**
 * Places the routes of a server in a Hono application, with its base path and its middleware.
 *
 * @example
 * ```ts
 * import { Hono } from 'hono'
 * import type { Server } from 'ashlar'
 * import { placeRoutes } from 'ashlar/hono'
 *
 * export function staffOf(server: Server): Hono {
 *   const staff = new Hono()
 *   staff.use(async (context, next) => {
 *     context.header('Cache-Control', 'no-store')
 *     await next()
 *   })
 *   placeRoutes(staff, server, { server: 'admin' })
 *   return staff
 * }
 * ```
 */
export function placeRoutes<E extends Env = Env>(
  routes: Hono<E>,
  server: FrameworkServer,
  { server: name = 'default', ...options }: PlacementOptions<Context<E>> = {},
): void {
  const serve = handler(server, { ...options, server: name })
  for (const pattern of placedPatterns(server, name)) routes.all(pattern, serve)
}

/**
 * Creates an error handler for `app.onError()`: errors of middleware in front of the server become error documents on the paths
 * of the server. Other errors go to the handler of the application.
 *
 * @example
 * ```ts
 * import { Hono } from 'hono'
 * import type { Server } from 'ashlar'
 * import { honoErrors } from 'ashlar/hono'
 *
 * export const application = (server: Server) =>
 *   new Hono().onError(honoErrors(server, (_error, context) => context.text('Sorry', 500)))
 * ```
 */
export function honoErrors<E extends Env = Env>(server: FrameworkServer, otherwise: ErrorHandler<E>): ErrorHandler<E> {
  return (thrown, context) => {
    for (const [index, route] of routesOf(context).entries()) {
      const { [ours]: mark } = findTargetHandler(route.handler) as Marked
      if (mark?.server !== server) continue
      const request = requestOf(context, index)
      if (!mark.mounted.serves(request)) continue
      for (const name of replacedHeaders) context.res.headers.delete(name)
      return respond(mark.mounted.errorResponse(request, thrown), context)
    }
    return otherwise(thrown, context)
  }
}

/** Headers of a response that an error replaces: middleware may fail after the response was made. */
const replacedHeaders = ['Content-Encoding', 'Content-Length', 'ETag', 'Last-Modified', 'Location']

/** The key of the mark by which an error handler recognizes the routes of a server. */
const ours = Symbol('ours')

interface Marked {
  readonly [ours]?: {
    readonly server: FrameworkServer
    readonly mounted: Pick<MountedServer<never>, 'serves' | 'errorResponse'>
  }
}

function handler<E extends Env>(server: FrameworkServer, options: PlacementOptions<Context<E>>): Handler<E> {
  const mounted = mountedServer(server, options)
  const serve: Handler<E> = async (context, next) => {
    const request = requestOf(context)
    return mounted.serves(request) ? respond(await mounted.handle(request, context), context) : next()
  }
  return Object.assign(serve, { [ours]: { server, mounted } })
}

/** Creates the request of the server. The base path of the route is the prefix of its links. */
function requestOf<E extends Env>(context: Context<E>, index?: number): HttpRequest {
  const { raw } = context.req
  const request = toHttpRequest(raw, false)
  // Links need the base path in the form that the client has sent, so only its segments are counted. An expression may have slashes.
  const { basePath = '' } = routesOf(context).at(index ?? context.req.routeIndex) ?? {}
  const divided = dividedTarget(request.path, segmentsOf(basePath.replaceAll(/\{[^}]*\}/g, '')))
  return {
    ...request,
    ...(divided === null ? {} : { prefix: divided.prefix, path: divided.target.text }),
    // Middleware of the application may have read the body. Hono caches it.
    body: (limit, meter) => (raw.bodyUsed ? readAgain(context, limit) : request.body(limit, meter)),
  }
}

/**
 * Returns the routes that match a request. The functions of `hono/route` fail for requests of another copy of Hono: `require('hono')`
 * loads another one than `import`.
 */
function routesOf<E extends Env>({ req }: Context<E>): readonly RouterRoute[] {
  return req.matchedRoutes
}

async function readAgain<E extends Env>({ req }: Context<E>, limit: number): ReturnType<HttpRequest['body']> {
  // Hono would write other bytes with the same fields.
  if (Object.keys(req.bodyCache).every((kind) => kind === 'formData')) throw lostBody(req.header('content-type'))
  const bytes = new Uint8Array(await req.arrayBuffer())
  return bytes.byteLength > limit ? 'too-large' : bytes
}

/** Creates the response. Hono adds the headers that the application has set, and overwrites headers of the response. */
function respond<E extends Env>(response: HttpResponse, context: Context<E>): Response {
  const found = toWebResponse(response, context.req.method)
  const { headers: ofApplication } = context.res
  const caching = found.headers.get('cache-control')
  if (caching !== null)
    found.headers.set('cache-control', combinedCacheControl(caching, ofApplication.get('cache-control') ?? undefined))
  for (const name of found.headers.keys()) {
    if (!joinedHeaders.has(name)) ofApplication.delete(name)
    else if (ofApplication.has(name)) join(ofApplication, found.headers, name)
  }
  return found
}

/** Headers for which the values of both the application and the server are sent. */
const joinedHeaders: ReadonlySet<string> = new Set(['set-cookie', 'vary'])

function join(ofApplication: Headers, ofServer: Headers, name: string): void {
  const values = name === 'set-cookie' ? ofServer.getSetCookie() : [ofServer.get(name) ?? '']
  for (const value of values) ofApplication.append(name, value)
}
