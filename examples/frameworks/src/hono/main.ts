import { env } from 'node:process'
import { serve } from '@hono/node-server'
import { createServer, defineResource, id, model } from 'ashlar'
import { honoAdapter, honoErrors, placeRoutes } from 'ashlar/hono'
import { memoryData } from 'ashlar/memory'
import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'

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

// The middleware of the application authenticates callers.
interface Env {
  Variables: { user: { readonly name: string } | null }
}
const caller = ({ var: { user } }: Context<Env>) => user

const app = new Hono<Env>()
app.use(async (context, next) => {
  const name = context.req.header('Authorization')
  context.set('user', name === undefined ? null : { name })
  await next()
})
app.route('/api/v1', honoAdapter<Env>(server, { caller }))

// A group with its own path and middleware, in which the routes of the server `staff` are placed.
const staff = new Hono<Env>()
staff.use(async (context, next) => {
  if (context.var.user === null) throw new HTTPException(401)
  await next()
})
placeRoutes(staff, server, { server: 'staff', caller })
app.route('/staff', staff)

app.get('/hello', (context) => context.text('Hello'))
app.onError(honoErrors(server, (_error, context) => context.text('Sorry', 500)))

serve({ fetch: app.fetch, port: Number(env['PORT'] ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`Served at http://127.0.0.1:${port}`)
})
