import type { ErrorRequestHandler, IRouter, Request, RequestHandler } from 'express'
import { errorHandler, expressExchange, mountedTarget } from './express-exchange.js'
import type { FrameworkOptions, FrameworkServer, PlacementOptions } from './framework-server.js'
import { placedPatterns } from './placed-patterns.js'

/**
 * Serves an Ashlar server in an Express application, below the path where it is used. Requests to other paths go on to the next
 * handler. Errors of handlers in front of it become error documents on the paths of the server.
 *
 * @example
 * ```ts
 * import express from 'express'
 * import type { Server } from 'ashlar'
 * import { expressAdapter } from 'ashlar/express'
 *
 * export const application = (server: Server) => express().use('/api/v1', expressAdapter(server))
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
 * import type { Server } from 'ashlar'
 * import { placeRoutes } from 'ashlar/express'
 *
 * export function staffOf(server: Server): express.Router {
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

/**
 * Creates an error handler for a group in which routes of a server are placed. A router of Express gets the errors of its own
 * handlers only. With this handler after it, errors of handlers in front of the group are documents, too.
 *
 * @example
 * ```ts
 * import express from 'express'
 * import type { Server } from 'ashlar'
 * import { expressErrors } from 'ashlar/express'
 *
 * export function mountStaff(app: express.Express, staff: express.Router, server: Server): void {
 *   app.use('/staff', staff, expressErrors(server, { server: 'admin' }))
 * }
 * ```
 */
export function expressErrors(
  server: FrameworkServer,
  { server: name = 'default' }: Pick<PlacementOptions<Request>, 'server'> = {},
): ErrorRequestHandler {
  return errorHandler(expressExchange(server, { server: name }))
}

function handlers(server: FrameworkServer, options: PlacementOptions<Request>): [RequestHandler, ErrorRequestHandler] {
  const exchange = expressExchange(server, options)
  const serve: RequestHandler = async (request, response, next) => {
    const served = exchange.served(request, response, mountedTarget(request))
    if (served === null) next()
    else await exchange.respond(request, response, served)
  }
  return [serve, errorHandler(exchange)]
}
