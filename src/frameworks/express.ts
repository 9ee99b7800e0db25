import type { ErrorRequestHandler, IRouter, Request, RequestHandler, Response } from 'express'
import { HostedRequest } from '../adapters/hosted-request.js'
import { inTurn } from '../adapters/in-turn.js'
import { parseTarget } from '../adapters/node-request.js'
import { sendHosted } from '../adapters/node-response.js'
import type { HttpRequest } from '../http/request.js'
import { frameworkError } from './framework-error.js'
import type { FrameworkOptions, FrameworkServer, PlacementOptions } from './framework-server.js'
import { placedRoutes } from './placed-routes.js'

/**
 * Serves an Ashlar server in an Express application, below the path where it is used. Requests to other paths go on to the next
 * handler. Errors of handlers in front of it become error documents on the paths of the server.
 *
 * @example
 * ```ts
 * import express from 'express'
 * import { expressAdapter } from 'ashlar/express'
 *
 * const app = express()
 * app.use('/api/v1', expressAdapter(server))
 * app.listen(3000)
 * ```
 */
export function expressAdapter(
  server: FrameworkServer,
  options: FrameworkOptions<Request> = {},
): (RequestHandler | ErrorRequestHandler)[] {
  return handlers(server, options)
}

/**
 * Places the routes of a server in a router of the application, with the path and the middleware of that router.
 *
 * @example
 * ```ts
 * import express from 'express'
 * import { placeRoutes } from 'ashlar/express'
 *
 * const staff = express.Router()
 * staff.use((_request, response, next) => {
 *   response.set('Cache-Control', 'no-store')
 *   next()
 * })
 * placeRoutes(staff, server, { server: 'admin' })
 * express().use('/staff', staff)
 * ```
 */
export function placeRoutes(
  router: IRouter,
  server: FrameworkServer,
  { server: name = 'default', ...options }: PlacementOptions<Request> = {},
): void {
  const [serve, fail] = handlers(server, { ...options, server: name })
  for (const { path } of placedRoutes(server, name)) router.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), serve)
  // Express does not pass errors of earlier handlers to routes.
  router.use(fail)
}

function handlers(
  server: FrameworkServer,
  { caller, server: name }: PlacementOptions<Request>,
): [RequestHandler, ErrorRequestHandler] {
  const placed = name === undefined ? {} : { server: name }
  const served = (request: Request, response: Response): HttpRequest | null => {
    const target = parseTarget(request.url)
    if (target === null) return null
    const { baseUrl: prefix, protocol: scheme, host, body } = request
    const hosted = new HostedRequest(request, target, { outgoing: response, prefix, scheme, host, body })
    return server.serves(hosted, placed) ? hosted : null
  }
  const respond = async (request: Request, response: Response, hosted: HttpRequest): Promise<void> => {
    try {
      const found = caller === undefined ? {} : { caller: await caller(request) }
      sendHosted(await server.handle(hosted, { ...placed, ...found }), request, response)
    } catch (thrown) {
      sendHosted(server.errorResponse(hosted, frameworkError(thrown), placed), request, response)
    }
  }
  const turn = inTurn<[Request, Response, HttpRequest]>(
    (_incoming, _outgoing, ...exchange) => void respond(...exchange),
  )
  return [
    (request, response, next) => {
      const hosted = served(request, response)
      if (hosted === null) next()
      else turn(request, response, request, response, hosted)
    },
    (thrown, request, response, next) => {
      const hosted = served(request, response)
      if (hosted === null || response.headersSent) next(thrown)
      else sendHosted(server.errorResponse(hosted, frameworkError(thrown), placed), request, response)
    },
  ]
}
