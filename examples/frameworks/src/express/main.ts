import { env } from 'node:process'
import { createServer, defineResource, HttpError, id, model } from 'ashlar'
import { expressAdapter, placeRoutes } from 'ashlar/express'
import { memoryData } from 'ashlar/memory'
import express, { type Request, type RequestHandler } from 'express'

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
interface Signed extends Request {
  user?: { readonly name: string } | null
}
const signIn: RequestHandler = (request: Signed, _response, next) => {
  const name = request.get('Authorization')
  request.user = name === undefined ? null : { name }
  next()
}
const onlySignedIn: RequestHandler = (request: Signed, _response, next) => {
  next(request.user === null ? new HttpError(401) : undefined)
}
const caller = ({ user }: Signed) => user

const app = express()
app.use(signIn)
app.use('/api/v1', expressAdapter(server, { caller }))

// A group with its own path and middleware, in which the routes of the server `staff` are placed.
const staff = express.Router()
staff.use(onlySignedIn)
placeRoutes(staff, server, { server: 'staff', caller })
app.use('/staff', staff)

app.get('/hello', (_request, response) => void response.send('Hello'))

const port = Number(env['PORT'] ?? 3000)
const listening = app.listen(port, '127.0.0.1', () => {
  const address = listening.address()
  console.log(`Served at http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`)
})
