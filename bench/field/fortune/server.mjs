/** The catalogue with Fortune, its PostgreSQL adapter and its JSON:API serializer: `node server.mjs <address>`. */
import { announce, portOf } from '../process.mjs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { argv } from 'node:process'
import fortune from 'fortune'
import fortuneHttp from 'fortune-http'
import jsonApiSerializer from 'fortune-json-api'
import postgresAdapter from 'fortune-postgres'
import { Pool, types } from 'pg'
import { typeMap, views } from './views.mjs'

const recordTypes = {
  artists: {
    name: String,
    country: String,
    foundedIn: Number,
    biography: String,
    albums: [Array('albums'), 'artist'],
  },
  albums: {
    title: String,
    status: String,
    label: String,
    releasedAt: Date,
    explicit: Boolean,
    trackCount: Number,
    description: String,
    artist: ['artists', 'albums'],
    tracks: [Array('tracks'), 'album'],
  },
  tracks: {
    title: String,
    position: Number,
    seconds: Number,
    explicit: Boolean,
    lyrics: String,
    recordedOn: String,
    album: ['albums', 'tracks'],
  },
}

// In a transaction the adapter sends a query before the previous one has ended, and pg warns about it.
process.noDeprecation = true

// The adapter depends on a version of pg that does not support this version of Node, so it gets a pool.
const pool = new Pool({
  connectionString: argv[2],
  // Reads dates as text, not as instants in a time zone.
  types: {
    getTypeParser: (type, format) => (type === types.builtins.DATE ? String : types.getTypeParser(type, format)),
  },
})
await pool.query(views)

// PostgreSQL generates the ids.
const adapter = [postgresAdapter, { pool, typeMap, primaryKeyType: Number, generatePrimaryKey: false }]
const store = fortune(recordTypes, { adapter })
await store.connect()

const listener = fortuneHttp(store, {
  serializers: [[jsonApiSerializer, { inflectType: false, inflectKeys: false, jsonSpaces: 0 }]],
  // Its documentation leaves these to a proxy.
  settings: { useETag: false, useCompression: false },
})
const server = createServer((request, response) => {
  listener(request, response).catch((error) => console.error(error))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
announce(portOf(server))
