// @ts-check
/** Serves the catalogue on SQLite until SIGTERM, and then closes: `node closing.mjs <file> <delay> <workers>`. */
import { argv } from 'node:process'
import { listen, runWorkers } from 'ashlar/node'
import { catalogue } from './ashlar.mjs'

const [location = '', delay, workers] = argv.slice(2)
await runWorkers({
  workers,
  async serve() {
    const server = await catalogue('sqlite', location)
    return listen(server, { health: server.health({ cacheFor: 0 }) })
  },
  onListening: (url) => void process.send?.({ port: Number(new URL(url).port) }),
  // On a busy machine, the default deadline would cut off requests that only wait for a core.
  closing: { delay: Number(delay), deadline: 60_000 },
})
if (process.connected) process.disconnect()
