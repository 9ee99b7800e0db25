// @ts-check
/** One process of the service: albums on a primary behind PgBouncer, read from a replica. */
import { once } from 'node:events'
import process, { env } from 'node:process'
import { createServer, defineResource, id } from 'ashlar'
import { listen } from 'ashlar/node'
import { sqlData, table } from 'ashlar/sql'
import { Pool } from 'pg'

const pools = [env['PRIMARY_URL'], env['REPLICA_URL']].map(
  (connectionString) => new Pool({ connectionString: connectionString ?? '', max: 10, connectionTimeoutMillis: 2000 }),
)
const [primary, replica] = pools
if (primary === undefined || replica === undefined) throw new Error('PRIMARY_URL or REPLICA_URL is missing.')

const albums = defineResource('albums', {
  model: /** @type {typeof table<{ id: number, title: string }>} */ (table)('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
})

const server = createServer({
  resources: [albums],
  data: sqlData(
    { primary, replicas: [replica] },
    { prepare: env['PREPARE'] === 'yes', statementTimeout: Number(env['STATEMENT_TIMEOUT']) },
  ),
  idempotency: true,
  trustProxy: true,
  logger: null,
})
await server.ready()
const listening = await listen(server, { port: Number(env['PORT']), health: server.health() })
process.send?.(listening.url)
await once(process, 'SIGTERM')
await listening.close()
await Promise.all(pools.map((pool) => pool.end()))
process.disconnect?.()
