// @ts-check
/**
 * Serves tracks from PostgreSQL in its own process, which reports its memory: `node --expose-gc`, with the
 * URL of the database as the only argument.
 */
import { argv, memoryUsage } from 'node:process'
import { belongsTo, createServer, cursorPage, defineResource, hasMany, id } from 'ashlar'
import { listen } from 'ashlar/node'
import { sqlData, table } from 'ashlar/sql'
import { Pool } from 'pg'

/** @typedef {{ id: number, title: string, seconds: number, rating: number | null, albumId: number | null }} TrackRow */
/** @typedef {{ id: number, title: string }} AlbumRow */

const trackRows = /** @type {import('ashlar/sql').TableModel<TrackRow>} */ (/** @type {unknown} */ (table('tracks')))
const albumRows = /** @type {import('ashlar/sql').TableModel<AlbumRow>} */ (/** @type {unknown} */ (table('albums')))

const tracks = defineResource('tracks', {
  model: trackRows,
  id: id().sortable(),
  attributes: (a) => ({
    title: a.string().sortable(),
    seconds: a.integer().sortable(),
    rating: a.integer().nullable().sortable(),
  }),
  relations: { album: belongsTo('albums').nullable() },
  filters: (f) => ({ ids: f.idIn(), title: f.where() }),
  pagination: cursorPage({ size: 20 }),
})

const albums = defineResource('albums', {
  model: albumRows,
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { tracks: hasMany('tracks').paginate(cursorPage({ size: 5 })) },
})

/** @type {{ readonly sql: string, readonly values: readonly unknown[] } | null} */
let last = null

const server = createServer({
  resources: [tracks, albums],
  data: sqlData(new Pool({ connectionString: argv[2] }), {
    naming: 'snake_case',
    onStatement: ({ sql, values }) => {
      last = { sql, values }
    },
  }),
})
await server.ready()
const { port } = await listen(server)

process.on('message', (message) => {
  if (message === 'statement') process.send?.(last)
  if (message === 'memory') void memoryAfterCollection().then((memory) => process.send?.(memory))
})
process.on('disconnect', () => process.exit())
process.send?.({ port })

/** Collects garbage twice: finalizers release some objects only after the first collection. */
async function memoryAfterCollection() {
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { heapUsed, rss } = memoryUsage()
  return { heapUsed, rss }
}
