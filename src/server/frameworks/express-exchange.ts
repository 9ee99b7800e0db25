import type { ErrorRequestHandler, Request, Response } from 'express'
import { connectionTurns } from '../../serve/adapters/connection-turns.js'
import type { DividedTarget } from '../../serve/adapters/divided-target.js'
import { HostedRequest } from '../../serve/adapters/hosted-request.js'
import { parseTarget } from '../../serve/adapters/node-request.js'
import { sendHosted } from '../../serve/adapters/node-response.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { FrameworkServer, PlacementOptions } from './framework-server.js'
import { mountedServer } from './mounted-server.js'
import { plainPaths } from './plain-path.js'

/** Passes requests of Express to a server, and its responses back: for Express, and for NestJS on Express. */
export interface ExpressExchange {
  /** Creates the request of the server; `null` if the server does not serve it. */
  served(request: Request, response: Response, divided: DividedTarget | null): HttpRequest | null
  /** Responds to a request after the earlier requests of its connection. Rejects if the response cannot be sent. */
  respond(request: Request, response: Response, served: HttpRequest): Promise<void>
  /** Responds to a request for which an earlier handler has thrown an error. */
  fail(request: Request, response: Response, failure: { readonly served: HttpRequest; readonly thrown: unknown }): void
}

export function expressExchange(server: FrameworkServer, options: PlacementOptions<Request>): ExpressExchange {
  const mounted = mountedServer(server, options)
  const turn = connectionTurns()
  const isPlain = plainPaths(server)
  return {
    served(request, response, divided) {
      if (divided === null) return null
      const { prefix, target } = divided
      const hosted = new HostedRequest(request, target, { outgoing: response, prefix, original: request })
      return isPlain(hosted.path) && mounted.serves(hosted) ? hosted : null
    },
    async respond(request, response, served) {
      await turn(request, response)
      sendHosted(await mounted.handle(served, request), request, response)
    },
    fail(request, response, { served, thrown }) {
      sendHosted(mounted.errorResponse(served, thrown), request, response)
    },
  }
}

/** Divides the target of a request at the path where Express has mounted the handler. */
export function mountedTarget({ baseUrl, url }: Request): DividedTarget | null {
  const target = parseTarget(url)
  return target === null ? null : { prefix: baseUrl, target }
}

/** Creates the handler of errors that were thrown in front of a server. Errors on other paths go to the next handler. */
export function errorHandler(exchange: ExpressExchange): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    const served = exchange.served(request, response, mountedTarget(request))
    if (served === null || response.headersSent) next(thrown)
    else exchange.fail(request, response, { served, thrown })
  }
}
