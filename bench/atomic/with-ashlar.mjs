// @ts-check
/** Tracks that are added by batches, declared as usual. */
import { createServer as createHttpServer } from 'node:http'
import { DatabaseSync } from '@photostructure/sqlite'
import { atomic, belongsTo, createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { Pool } from 'pg'

/** @typedef {import('./tracks.mjs').StoredTrack} TrackRow */
/** @typedef {{ id: number, title: string }} AlbumRow */

const trackRows = /** @type {import('ashlar/sql').TableModel<TrackRow>} */ (/** @type {unknown} */ (table('tracks')))
const albumRows = /** @type {import('ashlar/sql').TableModel<AlbumRow>} */ (/** @type {unknown} */ (table('albums')))

const tracks = defineResource('tracks', {
  model: trackRows,
  id: id(),
  attributes: (a) => ({
    title: a.string().required().maxLength(200),
    seconds: a.integer().required().min(1).max(86_400),
    rating: a.integer().nullable().min(0).max(100),
    released: a.date().required(),
  }),
  relations: { album: belongsTo('albums') },
})

const albums = defineResource('albums', {
  model: albumRows,
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
})

/**
 * @param {import('./databases.mjs').Engine} engine @param {string} place
 * @param {{ goesTogether: boolean }} how a handler of its own is asked for each addition
 */
export async function serverWithAshlar(engine, place, { goesTogether }) {
  const database = engine === 'postgres' ? new Pool({ connectionString: place }) : new DatabaseSync(place)
  const server = createServer({
    resources: [tracks, albums],
    data: sqlData(database, { naming: 'snake_case' }),
    extensions: [atomic({ path: '/operations' })],
    ...(goesTogether ? {} : { handler: (builtIn) => (operation) => builtIn(operation) }),
  })
  await server.ready()
  return createHttpServer(server.node)
}
