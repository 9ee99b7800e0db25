import type { Request, Response } from 'express'
import type { DividedTarget } from '../adapters/divided-target.js'
import { HostedRequest } from '../adapters/hosted-request.js'
import { inTurn } from '../adapters/in-turn.js'
import { sendHosted } from '../adapters/node-response.js'
import type { HttpRequest } from '../http/request.js'
import { frameworkError } from './framework-error.js'
import type { FrameworkServer, PlacementOptions } from './framework-server.js'

/** Exchanges requests and responses of Express with a server: for Express, and for NestJS on it. */
export interface ExpressExchange {
  /** Creates the request of the server; `null` if the server does not serve it. */
  served(request: Request, response: Response, divided: DividedTarget | null): HttpRequest | null
  /** Responds to a request, when its connection has sent the responses before. Never rejects. */
  respond(request: Request, response: Response, served: HttpRequest): Promise<void>
  /** Responds to a request for which an earlier handler has thrown an error. */
  fail(request: Request, response: Response, failure: { readonly served: HttpRequest; readonly thrown: unknown }): void
}

export function expressExchange(
  server: FrameworkServer,
  { caller, server: name }: PlacementOptions<Request>,
): ExpressExchange {
  const placed = name === undefined ? {} : { server: name }
  const exchange: ExpressExchange = {
    served(request, response, divided) {
      if (divided === null) return null
      const { protocol: scheme, host, body } = request
      const options = { outgoing: response, prefix: divided.prefix, scheme, host, body }
      const hosted = new HostedRequest(request, divided.target, options)
      return server.serves(hosted, placed) ? hosted : null
    },
    respond: (request, response, served) =>
      new Promise((resolve) => turn(request, response, request, response, served, resolve)),
    fail(request, response, { served, thrown }) {
      sendHosted(server.errorResponse(served, frameworkError(thrown), placed), request, response)
    },
  }
  const serve = async (request: Request, response: Response, served: HttpRequest): Promise<void> => {
    try {
      const found = caller === undefined ? {} : { caller: await caller(request) }
      sendHosted(await server.handle(served, { ...placed, ...found }), request, response)
    } catch (thrown) {
      exchange.fail(request, response, { served, thrown })
    }
  }
  const turn = inTurn<[Request, Response, HttpRequest, () => void]>((_incoming, _outgoing, ...rest) => {
    const [request, response, served, resolve] = rest
    void serve(request, response, served).then(resolve)
  })
  return exchange
}
