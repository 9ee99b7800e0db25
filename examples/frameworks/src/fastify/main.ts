import { env } from 'node:process'
import { createServer, defineResource, HttpError, id, model } from 'ashlar'
import { fastifyAdapter, placeRoutes } from 'ashlar/fastify'
import { memoryData } from 'ashlar/memory'
import { fastify, type FastifyRequest } from 'fastify'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
  server: ['default', 'staff'],
  policy: () => ({ viewAny: true, view: true, create: ({ caller }) => caller !== null }),
})

const server = createServer({
  resources: [albums],
  data: memoryData({ albums: [{ id: 1, title: 'Dummy' }] }),
  servers: { staff: { routing: 'manual' } },
})
await server.ready()

// A hook of the application authenticates callers.
declare module 'fastify' {
  interface FastifyRequest {
    user: { readonly name: string } | null
  }
}
const caller = ({ user }: FastifyRequest) => user

const app = fastify()
app.decorateRequest('user', null)
app.addHook('onRequest', async (request) => {
  const name = request.headers.authorization
  request.user = name === undefined ? null : { name }
})
app.register(fastifyAdapter(server, { caller }), { prefix: '/api/v1' })

// A group with its own path and hooks, in which the routes of the server `staff` are placed.
app.register(
  async (staff) => {
    staff.addHook('onRequest', async ({ user }) => {
      if (user === null) throw new HttpError(401)
    })
    placeRoutes(staff, server, { server: 'staff', caller })
  },
  { prefix: '/staff' },
)

app.get('/hello', async () => 'Hello')

console.log(`Served at ${await app.listen({ port: Number(env['PORT'] ?? 3000) })}`)
