// @ts-check
/**
 * Serves the catalogue in its own process, with pages of up to 1,000: `node server.mjs postgres <address>`. With
 * `--expose-gc` it reports its memory after a garbage collection.
 */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { argv, cpuUsage, exit, memoryUsage } from 'node:process'
import { DatabaseSync } from '@photostructure/sqlite'
import { belongsTo, createServer, cursorPage, defineResource, hasMany, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { Pool } from 'pg'

/** @template Row @typedef {import('ashlar/sql').TableModel<Row>} TableModel */
/** @typedef {{ id: number, name: string, country: string, foundedIn: number | null, biography: string }} ArtistRow */
/**
 * @typedef {{
 *   id: number, title: string, status: string, label: string | null, releasedAt: Date, explicit: boolean,
 *   trackCount: number, description: string, artistId: number,
 * }} AlbumRow
 */
/**
 * @typedef {{
 *   id: number, title: string, position: number, seconds: number, explicit: boolean, lyrics: string,
 *   recordedOn: string, albumId: number,
 * }} TrackRow
 */

const [engine, location = ''] = argv.slice(2)
const pagination = cursorPage({ maxSize: 1000 })

const artists = defineResource('artists', {
  model: /** @type {TableModel<ArtistRow>} */ (/** @type {unknown} */ (table('artists'))),
  id: id(),
  attributes: (a) => ({
    name: a.string(),
    country: a.string(),
    foundedIn: a.integer().nullable(),
    biography: a.string(),
  }),
  relations: { albums: hasMany('albums') },
  pagination,
})

const albums = defineResource('albums', {
  model: /** @type {TableModel<AlbumRow>} */ (
    /** @type {unknown} */ (table('albums', { columns: { releasedAt: 'instant' } }))
  ),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    status: a.string(),
    label: a.string().nullable(),
    releasedAt: a.dateTime().sortable(),
    explicit: a.boolean(),
    trackCount: a.integer(),
    description: a.string(),
  }),
  relations: { artist: belongsTo('artists'), tracks: hasMany('tracks').withoutPagination() },
  filters: (f) => ({ status: f.where(), title: f.contains() }),
  pagination,
})

const tracks = defineResource('tracks', {
  model: /** @type {TableModel<TrackRow>} */ (/** @type {unknown} */ (table('tracks'))),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    position: a.integer(),
    seconds: a.integer(),
    explicit: a.boolean(),
    lyrics: a.string(),
    recordedOn: a.date(),
  }),
  relations: { album: belongsTo('albums') },
  pagination,
})

const database = engine === 'postgres' ? new Pool({ connectionString: location }) : new DatabaseSync(location)
const server = createServer({
  resources: [artists, albums, tracks],
  data: sqlData(database, { naming: 'snake_case' }),
})
await server.ready()
const http = createHttpServer(server.node)
http.listen(0, '127.0.0.1')
await once(http, 'listening')
const address = http.address()

process.on('message', (message) => {
  if (message !== 'usage') return
  const { user, system } = cpuUsage()
  globalThis.gc?.()
  const { rss, heapUsed } = memoryUsage()
  process.send?.({ cpu: user + system, resident: rss, heapUsed })
})
process.on('disconnect', () => exit())
process.send?.({ port: typeof address === 'object' ? address?.port : null })
