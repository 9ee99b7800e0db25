/** The catalogue by hand, with Fastify and Drizzle: `node server.mjs <address>`. */
import { announce, portOf } from '../process.mjs'
import { argv } from 'node:process'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { fastify } from 'fastify'
import { Pool } from 'pg'
import { cursor, includedIn, pageOfAlbums } from './albums.mjs'
import { album, artist, document, failure, mediaType, pageDocument, pagedType, track } from '../documents.mjs'
import { tracks } from './tables.mjs'

const database = drizzle(new Pool({ connectionString: argv[2] }))
const trackById = database
  .select()
  .from(tracks)
  .where(eq(tracks.id, sql.placeholder('id')))
  .prepare('track_by_id')

const attributeSchemas = {
  title: { type: 'string', maxLength: 200 },
  position: { type: 'integer', minimum: 1 },
  seconds: { type: 'integer', minimum: 1, maximum: 86_400 },
  explicit: { type: 'boolean' },
  lyrics: { type: 'string' },
  recordedOn: { type: 'string', format: 'date' },
}

const app = fastify()
app.addContentTypeParser(mediaType, { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'))
app.setErrorHandler((error, _request, reply) =>
  send(reply, error.statusCode ?? 500, failure(error.statusCode ?? 500, error.message)),
)

app.get('/tracks/:id', async (request, reply) => {
  const [row] = await trackById.execute({ id: request.params.id })
  if (row === undefined) return send(reply, 404, failure(404, 'There is no such track.'))
  const base = baseOf(request)
  return send(reply, 200, document(track(row, base), base + request.url))
})

app.get('/albums', async (request, reply) => {
  const { query } = request
  const { size, hasMore, rows } = await pageOfAlbums(database, query)
  const base = baseOf(request)
  const first = `${base}/albums?${otherParameters(query)}page%5Bsize%5D=${size}`
  const links = { self: base + request.url, first }
  if (hasMore) links.next = `${first}&page%5Bafter%5D=${cursor(rows.at(-1))}`
  const page = {
    perPage: size,
    hasMore,
    ...(rows.length > 0 && { from: String(rows[0].id), to: String(rows.at(-1).id) }),
  }

  if (query.include === undefined) {
    const data = rows.map((row) => album(row, base))
    return send(reply, 200, pageDocument(data, { page, links }), pagedType)
  }
  const { artistRows, trackRows, tracksByAlbum } = await includedIn(database, rows, query.include.split(','))
  const data = rows.map((row) => album(row, base, tracksByAlbum && (tracksByAlbum.get(row.id) ?? [])))
  const included = [...artistRows.map((row) => artist(row, base)), ...trackRows.map((row) => track(row, base))]
  return send(reply, 200, pageDocument(data, { included, page, links }), pagedType)
})

app.post('/tracks', { schema: { body: newTrack() } }, async (request, reply) => {
  const { attributes, relationships } = request.body.data
  const [row] = await database
    .insert(tracks)
    .values({ ...attributes, albumId: Number(relationships.album.data.id) })
    .returning()
  const base = baseOf(request)
  const created = track(row, base)
  reply.header('Location', created.links.self)
  return send(reply, 201, document(created, base + request.url))
})

app.patch('/tracks/:id', { schema: { body: changedTrack() } }, async (request, reply) => {
  const [row] = await database
    .update(tracks)
    .set(request.body.data.attributes)
    .where(eq(tracks.id, Number(request.params.id)))
    .returning()
  if (row === undefined) return send(reply, 404, failure(404, 'There is no such track.'))
  const base = baseOf(request)
  return send(reply, 200, document(track(row, base), base + request.url))
})

await app.listen({ host: '127.0.0.1', port: 0 })
announce(portOf(app.server))

function send(reply, status, sent, type = mediaType) {
  // Without a custom serializer Fastify adds a charset, which the media type does not allow.
  return reply.code(status).headers({ 'Content-Type': type, Vary: 'Accept' }).serializer(JSON.stringify).send(sent)
}

function baseOf(request) {
  return `http://${request.headers.host}`
}

/** Returns the query parameters that page links repeat: all except the page. */
function otherParameters(query) {
  let text = ''
  for (const [name, value] of Object.entries(query)) {
    if (name.startsWith('page[')) continue
    text += `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%2C', ',')}&`
  }
  return text
}

/** The schema of a body that creates a track. */
function newTrack() {
  const identifier = object({ type: { const: 'albums' }, id: { type: 'string', pattern: '^[0-9]+$' } })
  const relationships = object({ album: object({ data: identifier }) })
  return object({ data: object({ type: { const: 'tracks' }, attributes: object(attributeSchemas), relationships }) })
}

/** The schema of a body that changes attributes of a track. */
function changedTrack() {
  const changed = { ...object(attributeSchemas), required: [] }
  return object({ data: object({ type: { const: 'tracks' }, id: { type: 'string' }, attributes: changed }) })
}

/** Returns the schema of an object with exactly these members. */
function object(properties) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
