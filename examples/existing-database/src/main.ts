import { listen } from 'ashlar/node'
import { database, server } from './server.js'

const { HOST: host = '127.0.0.1', PORT: port = '3000' } = process.env

try {
  await server.ready()
  const listening = await listen(server, { host, port: Number(port), health: server.health() })
  console.log(`Listening at ${listening.url}`)
  const end = async () => {
    await listening.close()
    await database.close()
  }
  process.once('SIGINT', () => void end())
  process.once('SIGTERM', () => void end())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
  await database.close()
}
