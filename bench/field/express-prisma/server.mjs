// oxlint-disable oxc/no-async-endpoint-handlers -- Express 5 waits for them
/** The catalogue by hand, with Express and Prisma: `node server.mjs <address>`. */
import { announce, portOf } from '../process.mjs'
import { once } from 'node:events'
import { argv } from 'node:process'
import { PrismaPg } from '@prisma/adapter-pg'
import express from 'express'
import { z } from 'zod'
import { album, artist, document, failure, mediaType, pageDocument, pagedType, track } from '../documents.mjs'
import { PrismaClient } from './generated/index.js'

// Prisma names the schema in its statements, and takes instants for UTC whatever the session's time zone is.
const address = new URL(argv[2] ?? '')
const options = address.searchParams.get('options') ?? ''
const schema = /search_path=([^\s,]+)/.exec(options)?.[1] ?? 'public'
address.searchParams.set('options', `${options} -c timezone=UTC`)
const database = new PrismaClient({ adapter: new PrismaPg({ connectionString: address.href }, { schema }) })

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.use(express.json({ type: mediaType }))

app.get('/tracks/:id', async (request, response) => {
  const found = await database.tracks.findUnique({ where: { id: Number(request.params.id) } })
  if (found === null) return send(response, 404, failure(404, 'There is no such track.'))
  const base = baseOf(request)
  return send(response, 200, document(track(plain(found), base), base + request.url))
})

app.get('/albums', async (request, response) => {
  const query = Object.fromEntries(new URLSearchParams(request.url.split('?')[1]))
  const size = Number(query['page[size]'] ?? 20)
  const included = query.include?.split(',') ?? []
  const found = await database.albums.findMany({
    where: conditions(query),
    orderBy: [{ releasedAt: 'desc' }, { id: 'desc' }],
    take: size + 1,
    include: {
      ...(included.includes('artist') && { artist: true }),
      ...(included.includes('tracks') && { tracks: { orderBy: { id: 'asc' } } }),
    },
  })
  const rows = found.slice(0, size)
  const hasMore = found.length > size
  const base = baseOf(request)
  const first = `${base}/albums?${otherParameters(query)}page%5Bsize%5D=${size}`
  const links = { self: base + request.url, first }
  if (hasMore) links.next = `${first}&page%5Bafter%5D=${cursor(rows.at(-1))}`
  const page = {
    perPage: size,
    hasMore,
    ...(rows.length > 0 && { from: String(rows[0].id), to: String(rows.at(-1).id) }),
  }
  const data = rows.map((row) => album(row, base, row.tracks))
  const shown = included.length === 0 ? undefined : includedIn(rows, base)
  return send(response, 200, pageDocument(data, { included: shown, page, links }), pagedType)
})

const identifier = z.strictObject({ type: z.literal('albums'), id: z.string().regex(/^\d+$/) })
const attributes = z.strictObject({
  title: z.string().max(200),
  position: z.int().min(1),
  seconds: z.int().min(1).max(86_400),
  explicit: z.boolean(),
  lyrics: z.string(),
  recordedOn: z.iso.date(),
})
const newTrack = z.strictObject({
  data: z.strictObject({
    type: z.literal('tracks'),
    attributes,
    relationships: z.strictObject({ album: z.strictObject({ data: identifier }) }),
  }),
})
const changedTrack = z.strictObject({
  data: z.strictObject({ type: z.literal('tracks'), id: z.string(), attributes: attributes.partial() }),
})

app.post('/tracks', async (request, response) => {
  const { attributes: given, relationships } = newTrack.parse(request.body).data
  const row = await database.tracks.create({ data: { ...stored(given), albumId: Number(relationships.album.data.id) } })
  const base = baseOf(request)
  const created = track(plain(row), base)
  response.set('Location', created.links.self)
  return send(response, 201, document(created, base + request.url))
})

app.patch('/tracks/:id', async (request, response) => {
  const { attributes: given } = changedTrack.parse(request.body).data
  const row = await database.tracks.update({ where: { id: Number(request.params.id) }, data: stored(given) })
  const base = baseOf(request)
  return send(response, 200, document(track(plain(row), base), base + request.url))
})

app.use((error, _request, response, _next) => {
  const status = error instanceof z.ZodError ? 422 : error.code === 'P2025' ? 404 : 500
  return send(response, status, failure(status, error.message))
})

const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
announce(portOf(server))

/** @param {Record<string, string>} query */
function conditions({ 'filter[status]': status, 'filter[title]': title, 'page[after]': after }) {
  const found = []
  if (status !== undefined) found.push({ status })
  if (title !== undefined) found.push({ title: { contains: title, mode: 'insensitive' } })
  if (after !== undefined) {
    const [releasedAt, id] = JSON.parse(Buffer.from(after, 'base64url').toString())
    found.push({ OR: [{ releasedAt: { lt: releasedAt } }, { releasedAt, id: { lt: id } }] })
  }
  return { AND: found }
}

function cursor({ releasedAt, id }) {
  return Buffer.from(JSON.stringify([releasedAt, id])).toString('base64url')
}

/** @returns {object[]} each artist once, and the tracks */
function includedIn(rows, base) {
  const artists = new Map(rows.flatMap((row) => (row.artist ? [[row.artist.id, row.artist]] : [])))
  const tracks = rows.flatMap((row) => row.tracks ?? [])
  return [...[...artists.values()].map((row) => artist(row, base)), ...tracks.map((row) => track(plain(row), base))]
}

/** Prisma reads dates as instants. */
function plain(row) {
  return { ...row, recordedOn: row.recordedOn.toISOString().slice(0, 10) }
}

function stored(given) {
  return given.recordedOn === undefined ? given : { ...given, recordedOn: new Date(given.recordedOn) }
}

function send(response, status, sent, type = mediaType) {
  // `response.json()` would add a charset, which the media type does not allow.
  response.status(status).set('Vary', 'Accept').setHeader('Content-Type', type)
  return response.end(JSON.stringify(sent))
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
