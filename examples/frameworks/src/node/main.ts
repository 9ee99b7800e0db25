import { createServer as createHttpServer } from 'node:http'
import { env } from 'node:process'
import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
})

const server = createServer({
  resources: [albums],
  data: memoryData({ albums: [{ id: 1, title: 'Dummy' }] }),
  // This example knows no callers: everybody may read and write.
  access: 'open',
})
await server.ready()

// The application handles /hello. The service handles all other paths.
const http = createHttpServer((request, response) => {
  if (request.url === '/hello') response.end('Hello')
  else server.node(request, response)
})

http.listen(Number(env['PORT'] ?? 3000), '127.0.0.1', () => {
  const address = http.address()
  console.log(`Served at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
