import { type Context, type Env, type ErrorHandler, type Handler, Hono } from 'hono'
import { basePath, matchedRoutes } from 'hono/route'
import { findTargetHandler } from 'hono/utils/handler'
import { dividedTarget, segmentsOf } from '../adapters/divided-target.js'
import { toHttpRequest, toWebResponse } from '../adapters/fetch.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import { automaticPatterns } from './automatic-patterns.js'
import { frameworkError } from './framework-error.js'
import type { FrameworkOptions, FrameworkServer, PlacementOptions } from './framework-server.js'
import { placedPatterns } from './placed-patterns.js'

/**
 * Serves an Ashlar server in a Hono application, on any runtime: routes for `app.route()`. Requests to other paths go on to the
 * next handler.
 *
 * @example
 * ```ts
 * import { Hono } from 'hono'
 * import { type FrameworkServer, honoAdapter } from 'ashlar/hono'
 *
 * export const application = (server: FrameworkServer) => new Hono().route('/api/v1', honoAdapter(server))
 * ```
 */
export function honoAdapter<E extends Env = Env>(
  server: FrameworkServer,
  options: FrameworkOptions<Context<E>> = {},
): Hono<E> {
  const routes = new Hono<E>()
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
 * import { type FrameworkServer, placeRoutes } from 'ashlar/hono'
 *
 * export function staffOf(server: FrameworkServer): Hono {
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
 * Creates an error handler for `app.onError()`: what middleware in front of the server throws becomes an error document on the paths
 * of the server. Other errors are left to the handler of the application.
 *
 * @example
 * ```ts
 * import { Hono } from 'hono'
 * import { type FrameworkServer, honoErrors } from 'ashlar/hono'
 *
 * export const application = (server: FrameworkServer) =>
 *   new Hono().onError(honoErrors(server, (_error, context) => context.text('Sorry', 500)))
 * ```
 */
export function honoErrors<E extends Env = Env>(server: FrameworkServer, otherwise: ErrorHandler<E>): ErrorHandler<E> {
  return (thrown, context) => {
    for (const [index, route] of matchedRoutes(context).entries()) {
      const { [ours]: mark } = findTargetHandler(route.handler) as Marked
      const request = requestOf(context, index)
      if (mark?.server !== server || !server.serves(request, mark.placed)) continue
      const { placed } = mark
      return respond(server.errorResponse(request, frameworkError(withHeaders(thrown)), placed), context)
    }
    return otherwise(thrown, context)
  }
}

/** Adds the headers of the response that an `HTTPException` may have, such as `WWW-Authenticate`. */
function withHeaders(thrown: Error & { readonly status?: number; readonly res?: Response }): unknown {
  const { status, message, res } = thrown
  if (res === undefined) return thrown
  const kept = [...res.headers].filter(([name]) => !name.startsWith('content-'))
  return { status, message, headers: Object.fromEntries(kept) }
}

/** The key of the mark by which an error handler recognizes the routes of a server. */
const ours = Symbol('ours')

interface Marked {
  readonly [ours]?: { readonly server: FrameworkServer; readonly placed: { readonly server?: string } }
}

function handler<E extends Env>(
  server: FrameworkServer,
  { caller, server: name }: PlacementOptions<Context<E>>,
): Handler<E> {
  const placed = name === undefined ? {} : { server: name }
  const serve: Handler<E> = async (context, next) => {
    const request = requestOf(context)
    if (!server.serves(request, placed)) return next()
    try {
      const found = caller === undefined ? {} : { caller: await caller(context) }
      return respond(await server.handle(request, { ...placed, ...found }), context)
    } catch (thrown) {
      return respond(server.errorResponse(request, frameworkError(thrown), placed), context)
    }
  }
  return Object.assign(serve, { [ours]: { server, placed } })
}

/** Creates the request of the server. The base path of the route is the prefix of its links. */
function requestOf<E extends Env>(context: Context<E>, index?: number): HttpRequest {
  const { raw } = context.req
  const request = toHttpRequest(raw, false)
  // Hono has decoded the base path, and links have it as the client has sent it.
  const divided = dividedTarget(request.path, segmentsOf(basePath(context, index)))
  return {
    ...request,
    ...(divided === null ? {} : { prefix: divided.prefix, path: divided.target.text }),
    // Middleware of the application may have read the body. Hono keeps what it has read.
    body: (limit) => (raw.bodyUsed ? readAgain(context, limit) : request.body(limit)),
  }
}

async function readAgain<E extends Env>({ req }: Context<E>, limit: number): ReturnType<HttpRequest['body']> {
  const bytes = new Uint8Array(await req.arrayBuffer())
  return bytes.byteLength > limit ? 'too-large' : bytes
}

/** Adds the headers of the application, which Hono lets win. */
function respond<E extends Env>(response: HttpResponse, context: Context<E>): Response {
  const found = toWebResponse(response, context.req.method)
  const vary = context.res.headers.get('vary')
  if (vary !== null) {
    const merged = `${vary}, ${found.headers.get('vary') ?? ''}`.replace(/, $/, '')
    found.headers.set('Vary', merged)
    context.res.headers.set('Vary', merged)
  }
  return found
}
