import type { AddressInfo } from 'node:net'
import { fastifyAdapter, placeRoutes } from 'ashlar/fastify'
import { fastify, type FastifyInstance } from 'fastify'
import { type Framework, type Hosted, isRefusal, ownHeaders, type User, userNamed } from './host.js'

interface Signed {
  user: User | null
}

function userOf(request: object): User | null {
  return (request as Signed).user
}

export const fastifyHost: Framework = {
  name: 'Fastify',
  isFramework: true,
  trustsProxies: true,
  refusesMalformedPaths: true,
  leavesCompressedBodies: true,
  async open({ server, parsesBodies, trustsProxy = false }) {
    const app = fastify({ trustProxy: trustsProxy })
    inFront(app, parsesBodies)
    app.register(fastifyAdapter(server, { caller: userOf }), { prefix: '/api/v1' })
    behind(app)
    return listeningFastify(app)
  },
  async place({ server }) {
    const app = fastify()
    inFront(app)
    app.register(fastifyAdapter(server), { prefix: '/api/v1' })
    app.register(
      async (staff) => {
        staff.addHook('onRequest', async (_request, reply) => void reply.header('X-Staff', 'yes'))
        placeRoutes(staff, server, { server: 'staff', caller: userOf })
      },
      { prefix: '/tenants/:tenant/staff' },
    )
    behind(app)
    return listeningFastify(app)
  },
}

/** The hooks of the application in front of a server. */
function inFront(app: FastifyInstance, parsesBodies = false): void {
  app.decorateRequest('user', null)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(ownHeaders)
    const user = userNamed(request.headers.authorization)
    if (isRefusal(user)) {
      throw Object.assign(new Error('not you'), { statusCode: user.status, headers: user.headers })
    }
    Object.assign(request, { user })
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.headers['x-late-failure'] !== undefined && reply.statusCode !== 500) throw new Error('late')
  })
  if (!parsesBodies) return
  const parse = app.getDefaultJsonParser('ignore', 'ignore')
  app.addContentTypeParser('application/vnd.api+json', { parseAs: 'string' }, parse)
}

/** The routes of the application itself. */
function behind(app: FastifyInstance): void {
  app.get('/api/v1/hello', async () => 'hello')
  app.get('/api/v1/broken', async () => {
    throw new Error('secret')
  })
  app.setNotFoundHandler((_request, reply) => void reply.code(404).send('own 404'))
  app.setErrorHandler<{ statusCode?: number }>((error, _request, reply) => {
    void reply.code(error.statusCode ?? 500).send('own error')
  })
}

async function listeningFastify(app: FastifyInstance): Promise<Hosted> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      app.server.closeAllConnections()
      await app.close()
    },
  }
}
