import { listen } from 'ashlar/node'
import { server } from './server.js'

try {
  await server.ready()
  const { url } = await listen(server, { port: Number(process.env['PORT'] ?? 3000) })
  console.log(`Listening at ${url}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
