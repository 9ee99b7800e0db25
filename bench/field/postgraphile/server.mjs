/** The catalogue with PostGraphile and its filter plugin, on `node:http`: `node server.mjs <address>`. */
import { announce, portOf } from '../process.mjs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { argv } from 'node:process'
import { grafserv } from 'postgraphile/grafserv/node'
import { makePgService } from 'postgraphile/adaptors/pg'
import { postgraphile } from 'postgraphile'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter'

// Its guide asks for Node 22. Of what Node 20 lacks, it needs only this.
Promise.withResolvers ??= () => {
  const parts = {}
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }))
  return parts
}

const schema = /search_path=([^\s,]+)/.exec(new URL(argv[2]).searchParams.get('options') ?? '')?.[1] ?? 'public'
const preset = {
  extends: [PostGraphileAmberPreset, PostGraphileConnectionFilterPreset],
  pgServices: [makePgService({ connectionString: argv[2], schemas: [schema] })],
  // It would leave out filters of columns without an index.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
  grafast: { explain: false },
}
const instance = postgraphile(preset)
const server = createServer()
await instance.createServ(grafserv).addTo(server)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
announce(portOf(server))
