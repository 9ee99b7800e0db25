// @ts-check
/** One server in a process of its own, so that its CPU time is its own: `node serve.mjs l1 postgres <address>`. */
import { once } from 'node:events'
import { argv, cpuUsage, exit, memoryUsage } from 'node:process'
import { serverWithAshlar } from './ashlar.mjs'
import { l1Postgres } from './l1-postgres.mjs'
import { l1Sqlite } from './l1-sqlite.mjs'
import { l3Postgres } from './l3-postgres.mjs'
import { l3Sqlite } from './l3-sqlite.mjs'

const [target, engine, place = ''] = argv.slice(2)
if (engine !== 'postgres' && engine !== 'sqlite') throw new Error(`There is no engine '${engine}'.`)
/** @type {Record<string, () => import('node:http').Server | Promise<import('node:http').Server>>} */
const targets = {
  ashlar: () => serverWithAshlar(engine, place),
  ruled: () => serverWithAshlar(engine, place, { ruled: true }),
  versioned: () => serverWithAshlar(engine, place, { versions: 'columns' }),
  // The machine of the benchmark has one core for the server, and one for the database and the clients: more than a few requests at a time only make
  // each other wait. SQLite works in the thread of the process, so that only the event loop shows how busy it is.
  guarded: () =>
    serverWithAshlar(engine, place, { overload: { concurrent: 4, queued: 0, maxDelay: engine === 'sqlite' ? 5 : 30 } }),
  hashed: () => serverWithAshlar(engine, place, { versions: 'hashes' }),
  l1: () => (engine === 'postgres' ? l1Postgres(place) : l1Sqlite(place)),
  l3: () => (engine === 'postgres' ? l3Postgres(place) : l3Sqlite(place)),
}
const open = targets[target ?? ''] ?? (await onFramework())
if (open === undefined) throw new Error(`There is no target '${target}'.`)
const server = await open()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()

process.on('message', (asked) => {
  if (asked === 'heap') {
    globalThis.gc?.()
    process.send?.({ heap: memoryUsage().heapUsed })
  }
  if (asked !== 'usage') return
  const { user, system } = cpuUsage()
  process.send?.({ cpu: user + system, resident: memoryUsage.rss() })
})
// A profile is written on the way out.
process.on('disconnect', () => exit())
process.send?.({ port: typeof address === 'object' ? address?.port : null })

/** Frameworks are loaded only if they are measured: a server does not pay for the memory of others. */
async function onFramework() {
  const { frameworks } = await import('./frameworks.mjs')
  const host = frameworks[target ?? '']
  return host === undefined
    ? undefined
    : () => host(/** @type {import('../music/tables.mjs').Engine} */ (engine), place)
}
