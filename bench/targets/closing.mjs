// @ts-check
/** Serves the catalogue on SQLite until SIGTERM, and then closes: `node closing.mjs <file> <delay>`. */
import { argv } from 'node:process'
import { listen } from 'ashlar/node'
import { catalogue } from './ashlar.mjs'

const [location = '', delay] = argv.slice(2)
const server = await catalogue('sqlite', location)
const listening = await listen(server, { health: server.health({ cacheFor: 0 }) })
process.once('SIGTERM', () => void end())
process.send?.({ port: listening.port })

async function end() {
  await listening.close({ delay: Number(delay) })
  process.disconnect()
}
