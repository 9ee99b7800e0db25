import type { ErrorRequestHandler, IRouter, Request, RequestHandler, Response } from 'express'
import { parseTarget } from '../adapters/node-request.js'
import type { HttpRequest } from '../http/request.js'
import { expressExchange } from './express-exchange.js'
import type { FrameworkOptions, FrameworkServer, PlacementOptions } from './framework-server.js'
import { placedPatterns } from './placed-patterns.js'

/**
 * Serves an Ashlar server in an Express application, below the path where it is used. Requests to other paths go on to the next
 * handler. Errors of handlers in front of it become error documents on the paths of the server.
 *
 * @example
 * ```ts
 * import express from 'express'
 * import { expressAdapter, type FrameworkServer } from 'ashlar/express'
 *
 * export const application = (server: FrameworkServer) => express().use('/api/v1', expressAdapter(server))
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
 * import { type FrameworkServer, placeRoutes } from 'ashlar/express'
 *
 * export function staffOf(server: FrameworkServer): express.Router {
 *   const staff = express.Router()
 *   staff.use((_request, response, next) => {
 *     response.set('Cache-Control', 'no-store')
 *     next()
 *   })
 *   placeRoutes(staff, server, { server: 'admin' })
 *   return staff
 * }
 * ```
 */
export function placeRoutes(
  router: IRouter,
  server: FrameworkServer,
  { server: name = 'default', ...options }: PlacementOptions<Request> = {},
): void {
  const [serve, fail] = handlers(server, { ...options, server: name })
  for (const pattern of placedPatterns(server, name)) router.all(pattern, serve)
  // Express does not pass errors of earlier handlers to routes.
  router.use(fail)
}

function handlers(server: FrameworkServer, options: PlacementOptions<Request>): [RequestHandler, ErrorRequestHandler] {
  const exchange = expressExchange(server, options)
  const servedBy = (request: Request, response: Response): HttpRequest | null => {
    const target = parseTarget(request.url)
    return exchange.served(request, response, target === null ? null : { prefix: request.baseUrl, target })
  }
  return [
    async (request, response, next) => {
      const served = servedBy(request, response)
      if (served === null) next()
      else await exchange.respond(request, response, served)
    },
    (thrown, request, response, next) => {
      const served = servedBy(request, response)
      if (served === null || response.headersSent) next(thrown)
      else exchange.fail(request, response, { served, thrown })
    },
  ]
}
