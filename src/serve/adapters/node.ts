import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpHandle, HttpResponse } from '../../core/http/response.js'
import { adapterErrorResponse } from './adapter-error-response.js'
import { connectionTurns, http2StreamOf } from './connection-turns.js'
import type { NodeRequestOptions } from './node-request.js'
import { clientUrls, NodeRequest, parseTarget } from './node-request.js'
import { sendResponse } from './node-response.js'

export interface NodeAdapterOptions {
  /**
   * Whether to take the URL that the client used from the headers of a proxy: `Forwarded`, or `X-Forwarded-Proto`,
   * `-Host`, `-Port` and `-Prefix`. Enable it only behind a proxy that sets or removes all of them, because any client can
   * send them. Default: false.
   */
  readonly trustProxy?: boolean
}

/**
 * Handles a request of `node:http`: the type of `server.node`.
 *
 * @example
 * ```ts
 * const listener: NodeListener = server.node
 * http.createServer(listener).listen(3000)
 * ```
 */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

const INTERNAL_ERROR = adapterErrorResponse(500)
const NO_HOST = adapterErrorResponse(400, 'The Host header is missing.')
const BAD_TARGET = adapterErrorResponse(400, 'The request target is not a path of this server.')
const BAD_VERSION = adapterErrorResponse(505, 'This connection supports HTTP/1.1.')

/** The response to `OPTIONS *`, which is about the whole server (RFC 9110, section 9.3.7) and matches no route. */
const SERVER_OPTIONS: HttpResponse = Object.freeze({
  status: 204,
  headers: Object.freeze(['Allow', 'GET, HEAD, QUERY, POST, PATCH, DELETE, OPTIONS']),
  body: null,
})

/**
 * Serves a handle with `node:http`, `node:https`, or any framework with the same request and response objects.
 *
 * @example
 * ```ts
 * http.createServer(nodeAdapter(handle)).listen(3000)
 * ```
 */
export function nodeAdapter(handle: HttpHandle, options: NodeAdapterOptions = {}): NodeListener {
  const requests = { trustProxy: options.trustProxy === true, urls: clientUrls() }
  const turn = connectionTurns()
  return (incoming, outgoing) => {
    const waiting = turn(incoming, outgoing)
    if (waiting === null) void serve(handle, requests, incoming, outgoing)
    else void waiting.then(() => serve(handle, requests, incoming, outgoing))
  }
}

/** Never rejects. The handle does not reject either, but if it did, the unhandled rejection would end the process. */
async function serve(
  handle: HttpHandle,
  requests: Omit<NodeRequestOptions, 'outgoing'>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { trustProxy, urls } = requests
  try {
    // Member by member: a spread before other members takes several times as long.
    sendResponse(await respond(handle, incoming, { trustProxy, urls, outgoing }), incoming, outgoing)
  } catch {
    sendFailure(incoming, outgoing)
  }
}

/** Sends a 500, or ends the connection if that is not possible. Never throws. */
function sendFailure(incoming: IncomingMessage, outgoing: ServerResponse): void {
  try {
    if (outgoing.headersSent) outgoing.destroy()
    else sendResponse(INTERNAL_ERROR, incoming, outgoing)
  } catch {
    outgoing.destroy()
  }
}

function respond(
  handle: HttpHandle,
  incoming: IncomingMessage,
  options: NodeRequestOptions,
): HttpResponse | Promise<HttpResponse> {
  const url = incoming.url ?? '/'
  if (incoming.httpVersionMajor !== 1 && http2StreamOf(incoming) === null) {
    options.outgoing.shouldKeepAlive = false
    return BAD_VERSION
  }
  if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') return NO_HOST
  if (url === '*' && incoming.method === 'OPTIONS') return SERVER_OPTIONS
  const target = parseTarget(url)
  return target === null ? BAD_TARGET : handle(new NodeRequest(incoming, target, options))
}
