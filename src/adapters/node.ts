import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpHandle, HttpResponse } from '../http/response.js'
import { edgeDocument } from './edge-document.js'
import type { NodeRequestOptions } from './node-request.js'
import { NodeRequest, parseTarget } from './node-request.js'
import { sendResponse } from './node-response.js'

export interface NodeAdapterOptions {
  /**
   * Whether the client's own address of the server is read from `X-Forwarded-Proto` and `X-Forwarded-Host`. Only behind a
   * proxy that sets both: anyone else could send them. Off by default.
   */
  readonly trustProxy?: boolean
}

export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

const INTERNAL_ERROR = edgeDocument(500)
const NO_HOST = edgeDocument(400, 'The Host header is missing.')
const BAD_TARGET = edgeDocument(400, 'The request target is not a path of this server.')

/** `OPTIONS *` asks about the server as a whole (RFC 9110, section 9.3.7), so it matches no route. */
const SERVER_OPTIONS: HttpResponse = Object.freeze({
  status: 204,
  headers: Object.freeze(['Allow', 'GET, HEAD, POST, PATCH, DELETE, OPTIONS']),
  body: null,
})

/**
 * Serves a handle from `node:http`, `node:https`, or any host with the same two objects.
 *
 * @example
 * ```ts
 * http.createServer(nodeAdapter(handle)).listen(3000)
 * ```
 */
export function nodeAdapter(handle: HttpHandle, options: NodeAdapterOptions = {}): NodeListener {
  const trustProxy = options.trustProxy === true
  return (incoming, outgoing) => {
    void serve(handle, trustProxy, incoming, outgoing)
  }
}

/** Never rejects: the handle does not either, but a process must not end because one day it did. */
async function serve(
  handle: HttpHandle,
  trustProxy: boolean,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    sendResponse(await respond(handle, incoming, { trustProxy, outgoing }), incoming, outgoing)
  } catch {
    if (outgoing.headersSent) outgoing.destroy()
    else sendResponse(INTERNAL_ERROR, incoming, outgoing)
  }
}

function respond(
  handle: HttpHandle,
  incoming: IncomingMessage,
  options: NodeRequestOptions,
): HttpResponse | Promise<HttpResponse> {
  const url = incoming.url ?? '/'
  if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') return NO_HOST
  if (url === '*' && incoming.method === 'OPTIONS') return SERVER_OPTIONS
  const target = parseTarget(url)
  return target === null ? BAD_TARGET : handle(new NodeRequest(incoming, target, options))
}
