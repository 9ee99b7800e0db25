import { listen, runWorkers } from 'ashlar/node'
import { database, server } from './server.js'

const { HOST: host = '127.0.0.1', PORT: port = '3000', WORKERS: workers } = process.env

try {
  // Serves until SIGTERM or Ctrl+C. With WORKERS=auto, one process on each core.
  await runWorkers({
    workers,
    async serve() {
      await server.ready()
      return listen(server, { host, port: Number(port), health: server.health() })
    },
    onListening: (url) => console.log(`Listening at ${url}`),
    end: () => database.close(),
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
