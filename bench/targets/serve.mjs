// @ts-check
/** Runs one server in its own process, to measure its CPU time: `node serve.mjs l1 postgres <address>`. */
import { once } from 'node:events'
import { argv, cpuUsage, exit, memoryUsage } from 'node:process'
import { serverWithAshlar } from './ashlar.mjs'
import { l1Postgres } from './l1-postgres.mjs'
import { l1Sqlite } from './l1-sqlite.mjs'
import { l3Postgres } from './l3-postgres.mjs'
import { l3Sqlite } from './l3-sqlite.mjs'

const [target, engine, location = ''] = argv.slice(2)
if (engine !== 'postgres' && engine !== 'sqlite') throw new Error(`There is no engine '${engine}'.`)
/** @type {Record<string, () => import('node:http').Server | Promise<import('node:http').Server>>} */
const targets = {
  ashlar: () => serverWithAshlar(engine, location),
  ruled: () => serverWithAshlar(engine, location, { ruled: true }),
  versioned: () => serverWithAshlar(engine, location, { versions: 'columns' }),
  // The machine of the benchmark has one core for the server, and one for the database and the clients: more than a few concurrent
  // requests only wait for each other. SQLite runs in the thread of the process, so only the delay of the event loop shows the load.
  guarded: () =>
    serverWithAshlar(engine, location, {
      overload: { concurrent: 4, queued: 0, maxDelay: engine === 'sqlite' ? 5 : 30 },
    }),
  hashed: () => serverWithAshlar(engine, location, { versions: 'hashes' }),
  l1: () => (engine === 'postgres' ? l1Postgres(location) : l1Sqlite(location)),
  l3: () => (engine === 'postgres' ? l3Postgres(location) : l3Sqlite(location)),
}
const open = targets[target ?? ''] ?? (await onFramework())
if (open === undefined) throw new Error(`There is no target '${target}'.`)
const server = await open()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()

process.on('message', (message) => {
  if (message === 'heap') {
    globalThis.gc?.()
    process.send?.({ heap: memoryUsage().heapUsed })
  }
  if (message !== 'usage') return
  const { user, system } = cpuUsage()
  process.send?.({ cpu: user + system, resident: memoryUsage.rss() })
})
// A CPU profile is written at exit.
process.on('disconnect', () => exit())
process.send?.({ port: typeof address === 'object' ? address?.port : null })

/** Loads a framework only if it is measured, so that it does not use memory of other servers. */
async function onFramework() {
  const { frameworks } = await import('./frameworks.mjs')
  const host = frameworks[target ?? '']
  return host === undefined
    ? undefined
    : () => host(/** @type {import('../music/tables.mjs').Engine} */ (engine), location)
}
