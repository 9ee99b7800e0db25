import { Readable } from 'node:stream'
import type {
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  RawServerBase,
  RawServerDefault,
} from 'fastify'
import { METHODS } from 'node:http'
import { combinedHeaders } from '../../serve/adapters/combined-headers.js'
import { connectionTurns } from '../../serve/adapters/connection-turns.js'
import { dividedTarget, segmentsOf } from '../../serve/adapters/divided-target.js'
import { HostedRequest } from '../../serve/adapters/hosted-request.js'
import { leavesMuchUnread, sendHosted } from '../../serve/adapters/node-response.js'
import { discardBody, isBodyStream } from '../../core/http/body-stream.js'
import { MEDIA_TYPE } from '../../core/document/media-type.js'
import type { HttpRequest } from '../../core/http/request.js'
import { QUERY } from '../../core/http/request-method.js'
import type { HttpResponse } from '../../core/http/response.js'
import { automaticPatterns } from './automatic-patterns.js'
import type { FrameworkOptions, FrameworkServer, PlacementOptions } from './framework-server.js'
import { mountedServer } from './mounted-server.js'
import { placedPatterns } from './placed-patterns.js'

/**
 * Serves an Ashlar server in a Fastify application: a plugin, which is registered with the prefix. Requests to other paths get
 * Fastify's own 404. Errors of hooks in front of it become error documents on the paths of the server.
 *
 * @example
 * ```ts
 * import { fastify } from 'fastify'
 * import type { Server } from 'ashlar'
 * import { fastifyAdapter } from 'ashlar/fastify'
 *
 * export const application = (server: Server) =>
 *   fastify().register(fastifyAdapter(server), { prefix: '/api/v1' })
 * ```
 */
export function fastifyAdapter(
  server: FrameworkServer,
  options: FrameworkOptions<FastifyRequest> = {},
): FastifyPluginCallback {
  return plugin(server, automaticPatterns(server, '/*'), options)
}

/**
 * Places the routes of a server in a Fastify instance, with its prefix and its hooks.
 *
 * @example
 * ```ts
 * import type { FastifyInstance } from 'fastify'
 * import type { Server } from 'ashlar'
 * import { placeRoutes } from 'ashlar/fastify'
 *
 * export function placeStaff(staff: FastifyInstance, server: Server): void {
 *   staff.addHook('onRequest', async (_request, reply) => void reply.header('Cache-Control', 'no-store'))
 *   placeRoutes(staff, server, { server: 'admin' })
 * }
 * ```
 */
export function placeRoutes<RawServer extends RawServerBase = RawServerDefault>(
  instance: FastifyInstance<RawServer>,
  server: FrameworkServer,
  { server: name = 'default', ...options }: PlacementOptions<FastifyRequest> = {},
): void {
  // The plugin is for any HTTP server, `node:http2` included.
  void (instance as unknown as FastifyInstance).register(
    plugin(server, placedPatterns(server, name), { ...options, server: name }),
  )
}

/** Registers the routes in a separate scope, because they have their own error handler and body parser. */
function plugin(
  server: FrameworkServer,
  patterns: readonly string[],
  options: PlacementOptions<FastifyRequest>,
): FastifyPluginCallback {
  const mounted = mountedServer(server, options)
  return (scope, _options, done) => {
    const turn = connectionTurns()
    const depth = segmentsOf(scope.prefix)
    const served = (request: FastifyRequest, reply: FastifyReply): HttpRequest | null => {
      const divided = dividedTarget(request.raw.url ?? '/', depth)
      if (divided === null) return null
      const { prefix, target } = divided
      const hosted = new HostedRequest(request.raw, target, { outgoing: reply.raw, prefix, original: request })
      return mounted.serves(hosted) ? hosted : null
    }
    const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const hosted = served(request, reply)
      if (hosted === null) {
        reply.callNotFound()
        return reply
      }
      await turn(request.raw, reply.raw)
      send(await mounted.handle(hosted, request), request, reply)
      return reply
    }
    acceptQueriesIn(scope)
    readBodiesIn(scope)
    scope.setErrorHandler<{ readonly code?: string }>((thrown, request, reply) => {
      const hosted = served(request, reply)
      if (hosted === null) throw thrown
      const { bodyLimit: limit } = request.routeOptions
      const error = thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? { statusCode: 413, limit } : thrown
      send(mounted.errorResponse(hosted, error), request, reply)
      return reply
    })
    for (const url of patterns) {
      // The application may have its own page at the root.
      if (url !== '/' || !scope.hasRoute({ method: 'GET', url: scope.prefix || '/' })) scope.all(url, serve)
    }
    done()
  }
}

/** Fastify knows the method QUERY only if an application adds it, and Node.js only in its later releases. */
function acceptQueriesIn(scope: FastifyInstance): void {
  if (METHODS.includes(QUERY) && !scope.supportedMethods.includes(QUERY)) scope.addHttpMethod(QUERY, { hasBody: true })
}

/** Leaves bodies to the server, unless the application parses JSON:API documents itself. */
function readBodiesIn(scope: FastifyInstance): void {
  if (!scope.hasContentTypeParser(MEDIA_TYPE)) scope.removeAllContentTypeParsers()
  if (scope.hasContentTypeParser('*')) return
  scope.addContentTypeParser('*', (request, payload, done) => {
    // A hook of the application may have replaced the stream.
    done(null, payload === request.raw ? undefined : payload)
  })
}

/** Sends a response through the hooks of the application. */
function send(response: HttpResponse, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) return discardBody(response.body)
  if (leavesMuchUnread(request.raw)) {
    sendRefusal(response, request, reply)
    return
  }
  reply.code(response.status)
  for (const [name, value] of combinedHeaders(response.headers, (key) => reply.getHeader(key))) {
    // Fastify would add the cookies to the existing ones.
    reply.removeHeader(name).header(name, value)
  }
  const { body } = response
  if (isBodyStream(body)) {
    if (request.method === 'HEAD') discardBody(body)
    reply.send(request.method === 'HEAD' ? undefined : Readable.from(body, { objectMode: false, highWaterMark: 0 }))
    return
  }
  // Fastify would send `null` as JSON.
  reply.send(typeof body === 'string' ? Buffer.from(body) : (body ?? undefined))
}

/** Refuses a body that the client is still sending. Fastify would end the connection before the client has read the response. */
function sendRefusal(response: HttpResponse, request: FastifyRequest, reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.hijack()
  sendHosted(response, request.raw, reply.raw)
}
