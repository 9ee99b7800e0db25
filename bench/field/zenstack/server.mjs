/** The catalogue with ZenStack's REST handler, on Fastify: `node server.mjs <address>`. */
import { announce, portOf } from '../process.mjs'
import { argv } from 'node:process'
import { ZenStackClient } from '@zenstackhq/orm'
import { PostgresDialect } from '@zenstackhq/orm/dialects/postgres'
import { RestApiHandler } from '@zenstackhq/server/api'
import { ZenStackFastifyPlugin } from '@zenstackhq/server/fastify'
import { fastify } from 'fastify'
import { Pool, types } from 'pg'
import { schema } from './schema.mjs'

// Reads dates as text, not as instants in a time zone.
types.setTypeParser(types.builtins.DATE, String)
const pool = new Pool({ connectionString: argv[2] })
// ZenStack writes the name of the schema before every table, and takes it from its own schema.
const { rows } = await pool.query('select current_schema()')
schema.provider.defaultSchema = rows[0].current_schema
const client = new ZenStackClient(schema, {
  dialect: new PostgresDialect({ pool }),
  // All instants have a time zone, and dates are text.
  fixPostgresTimezone: false,
})

const app = fastify()
app.addContentTypeParser('application/vnd.api+json', { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'))
await app.register(ZenStackFastifyPlugin, {
  prefix: '',
  getClient: () => client,
  apiHandler: new RestApiHandler({
    schema,
    // The handler needs the URL before the port is known.
    endpoint: 'http://127.0.0.1',
  }),
})
await app.listen({ host: '127.0.0.1', port: 0 })
announce(portOf(app.server))
