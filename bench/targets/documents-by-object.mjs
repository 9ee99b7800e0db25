// @ts-check
/**
 * L1, the reference: ordinary code for these requests without a framework. `node:http`, rows as objects, documents as
 * objects, `JSON.stringify`.
 */
import { createServer } from 'node:http'
import { atomicJsonapi, atomicType, mediaType, writeOf } from './requests.mjs'

/** @typedef {Record<string, any>} Row */
/**
 * The queries of an engine. On SQLite they are synchronous.
 * @typedef {object} ObjectStore
 * @property {(id: number) => Row | undefined | Promise<Row | undefined>} track
 * @property {(limit: number) => Row[] | Promise<Row[]>} albums
 * @property {(limit: number, releasedAt: string, id: number) => Row[] | Promise<Row[]>} albumsAfter
 * @property {(status: string, title: string, limit: number) => Row[] | Promise<Row[]>} albumsFiltered
 * @property {(ids: number[]) => Row[] | Promise<Row[]>} artists
 * @property {(albumIds: number[]) => Row[] | Promise<Row[]>} tracks
 * @property {(albumIds: number[]) => Row[] | Promise<Row[]>} genres
 * @property {(values: any[]) => Row | Promise<Row>} insertTrack
 * @property {(id: number, title: string) => Row | undefined | Promise<Row | undefined>} updateTrack
 * @property {(id: number) => boolean | Promise<boolean>} deleteTrack whether the track existed
 * @property {(albumId: number, genreId: number) => unknown} joinGenre
 * @property {(rows: any[][]) => Row[] | Promise<Row[]>} insertTracks
 * @property {(value: any) => string} iso an instant as text
 * @property {object} [connection] a reference that prevents garbage collection of the connection, if statements do not have one
 */
/** @typedef {import('node:http').IncomingMessage} IncomingMessage */
/** @typedef {import('node:http').ServerResponse} ServerResponse */

const profile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/'
const pagedType = `${mediaType}; profile="${profile}"`
const jsonapi = { version: '1.1' }
const pagedJsonapi = { version: '1.1', profile: [profile] }

/** @param {ObjectStore} store */
export function serverByObject(store) {
  return createServer((request, response) => {
    reply(store, request, response).catch((/** @type {unknown} */ thrown) => {
      console.error(thrown)
      sendError(response, 500, 'Internal Server Error')
    })
  })
}

/** @param {ObjectStore} store @param {IncomingMessage} request @param {ServerResponse} response */
async function reply(store, request, response) {
  const url = request.url ?? ''
  const base = `http://${request.headers.host}`
  if (request.method !== 'GET') return write(store, { request, base, response })
  if (url.startsWith('/tracks/')) {
    const row = await store.track(Number(url.slice('/tracks/'.length)))
    if (row === undefined) return sendError(response, 404, 'Not Found')
    return send(response, 200, { data: track(row, base), links: { self: base + url }, jsonapi })
  }
  if (url.startsWith('/albums?')) return listAlbums(store, { url, base, response })
  return sendError(response, 404, 'Not Found')
}

/** @param {ObjectStore} store @param {{ url: string, base: string, response: ServerResponse }} exchange */
async function listAlbums(store, { url, base, response }) {
  const query = new URLSearchParams(url.slice('/albums?'.length))
  const size = Number(query.get('page[size]') ?? 15)
  const after = query.get('page[after]')
  const rows = await albumRows(store, query, size + 1)
  const hasMore = rows.length > size
  if (hasMore) rows.pop()
  const included = await includedOf(store, query.get('include') ?? '', rows)

  const [first, last] = [rows[0], rows.at(-1)]
  const page = `${base}/albums?${otherParameters(query)}page%5Bsize%5D=${size}`
  /** @type {Record<string, string>} */
  const links = { self: base + url, first: page }
  if (after !== null && first !== undefined) links['prev'] = `${page}&page%5Bbefore%5D=${cursor(store, first)}`
  if (hasMore && last !== undefined) links['next'] = `${page}&page%5Bafter%5D=${cursor(store, last)}`
  const edges = first === undefined ? {} : { from: String(first['id']), to: String(last?.['id']) }
  const document = {
    data: rows.map((row) => album(store, row, base, included)),
    ...(included === null ? {} : { included: included.resources(base) }),
    meta: { page: { perPage: size, hasMore, ...edges } },
    links,
    jsonapi: pagedJsonapi,
  }
  send(response, 200, document, pagedType)
}

/** @param {ObjectStore} store @param {URLSearchParams} query @param {number} limit */
function albumRows(store, query, limit) {
  const [status, title, after] = [query.get('filter[status]'), query.get('filter[title]'), query.get('page[after]')]
  if (status !== null && title !== null) return store.albumsFiltered(status, title, limit)
  if (after === null) return store.albums(limit)
  const [releasedAt, id] = JSON.parse(Buffer.from(after, 'base64url').toString())
  return store.albumsAfter(limit, releasedAt, id)
}

/** Returns the query parameters that page links repeat: all except the page. @param {URLSearchParams} query */
function otherParameters(query) {
  let text = ''
  for (const [name, value] of query) {
    if (name.startsWith('page[')) continue
    text += `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%2C', ',')}&`
  }
  return text
}

/** @param {ObjectStore} store @param {Row} row */
function cursor(store, row) {
  return Buffer.from(JSON.stringify([store.iso(row['released_at']), row['id']])).toString('base64url')
}

/**
 * @typedef {object} Included
 * @property {Map<number, Row[]>} [tracks] by album
 * @property {Map<number, Row[]>} [genres] by album
 * @property {(base: string) => object[]} resources
 */

/** @param {ObjectStore} store @param {string} include @param {Row[]} albums @returns {Promise<Included | null>} */
async function includedOf(store, include, albums) {
  const albumIds = albums.map((row) => row['id'])
  if (include === 'artist,tracks') {
    const artistIds = [...new Set(albums.map((row) => row['artist_id']))]
    const [artistRows, trackRows] = await Promise.all([store.artists(artistIds), store.tracks(albumIds)])
    const artists = new Map(artistRows.map((row) => [row['id'], row]))
    const tracks = byAlbum(trackRows)
    return {
      tracks,
      resources: (base) => [
        ...artistIds.map((id) => artist(artists.get(id) ?? {}, base)),
        ...albumIds.flatMap((id) => (tracks.get(id) ?? []).map((row) => track(row, base))),
      ],
    }
  }
  if (include === 'genres') {
    const genres = byAlbum(await store.genres(albumIds))
    const distinct = new Map(albumIds.flatMap((id) => genres.get(id) ?? []).map((row) => [row['id'], row]))
    return { genres, resources: (base) => [...distinct.values()].map((row) => genre(row, base)) }
  }
  return null
}

/** @param {Row[]} rows */
function byAlbum(rows) {
  /** @type {Map<number, Row[]>} */
  const groups = new Map()
  for (const row of rows) {
    const group = groups.get(row['album_id'])
    if (group === undefined) groups.set(row['album_id'], [row])
    else group.push(row)
  }
  return groups
}

/** @param {ObjectStore} store @param {{ request: IncomingMessage, base: string, response: ServerResponse }} exchange */
async function write(store, { request, base, response }) {
  const parsed = await writeOf(request)
  const self = base + request.url
  switch (parsed.kind) {
    case 'create': {
      const created = track(await store.insertTrack(parsed.values), base)
      response.setHeader('Location', created.links.self)
      return send(response, 201, { data: created, links: { self }, jsonapi }, mediaType, 'Accept, Prefer')
    }
    case 'update': {
      const row = await store.updateTrack(parsed.id, parsed.title)
      if (row === undefined) return sendError(response, 404, 'Not Found')
      return send(response, 200, { data: track(row, base), links: { self }, jsonapi }, mediaType, 'Accept, Prefer')
    }
    case 'delete': {
      if (!(await store.deleteTrack(parsed.id))) return sendError(response, 404, 'Not Found')
      return response.writeHead(204, { Vary: 'Accept' }).end()
    }
    case 'join': {
      await store.joinGenre(parsed.albumId, parsed.genreId)
      return response.writeHead(204, { Vary: 'Accept, Prefer' }).end()
    }
    case 'batch': {
      const results = (await store.insertTracks(parsed.rows)).map((row) => ({ data: track(row, base) }))
      return send(response, 200, { 'atomic:results': results, jsonapi: atomicJsonapi }, atomicType)
    }
    default:
      return sendError(response, parsed.status, parsed.title)
  }
}

/** @param {string} self @param {string} name */
function relationshipLinks(self, name) {
  return { self: `${self}/relationships/${name}`, related: `${self}/${name}` }
}

/** @param {string} type */
const identifier = (type) => (/** @type {Row} */ row) => ({ type, id: String(row['id']) })

/** @param {Row} row @param {string} base */
function track(row, base) {
  const { id, title, position, seconds, explicit, lyrics, recorded_on, album_id } = row
  const self = `${base}/tracks/${id}`
  return {
    type: 'tracks',
    id: String(id),
    attributes: { title, position, seconds, explicit: Boolean(explicit), lyrics, recordedOn: recorded_on },
    relationships: {
      album: { links: relationshipLinks(self, 'album'), data: { type: 'albums', id: String(album_id) } },
    },
    links: { self },
  }
}

/** @param {ObjectStore} store @param {Row} row @param {string} base @param {Included | null} included */
function album(store, row, base, included) {
  const { id, title, status, label, released_at, explicit, track_count, description, artist_id } = row
  const self = `${base}/albums/${id}`
  const tracks = included?.tracks && { data: (included.tracks.get(id) ?? []).map(identifier('tracks')) }
  const genres = included?.genres && { data: (included.genres.get(id) ?? []).map(identifier('genres')) }
  return {
    type: 'albums',
    id: String(id),
    attributes: {
      title,
      status,
      label,
      releasedAt: `${store.iso(released_at).slice(0, 19)}+00:00`,
      explicit: Boolean(explicit),
      trackCount: track_count,
      description,
    },
    relationships: {
      artist: { links: relationshipLinks(self, 'artist'), data: { type: 'artists', id: String(artist_id) } },
      tracks: { links: relationshipLinks(self, 'tracks'), ...tracks },
      genres: { links: relationshipLinks(self, 'genres'), ...genres },
    },
    links: { self },
  }
}

/** @param {Row} row @param {string} base */
function artist({ id, name, country, founded_in, biography }, base) {
  const self = `${base}/artists/${id}`
  return {
    type: 'artists',
    id: String(id),
    attributes: { name, country, foundedIn: founded_in, biography },
    relationships: { albums: { links: relationshipLinks(self, 'albums') } },
    links: { self },
  }
}

/** @param {Row} row @param {string} base */
function genre({ id, name }, base) {
  return { type: 'genres', id: String(id), attributes: { name }, links: { self: `${base}/genres/${id}` } }
}

/** @param {ServerResponse} response @param {number} status @param {object} document */
function send(response, status, document, type = mediaType, vary = 'Accept') {
  const body = JSON.stringify(document)
  response.writeHead(status, { 'Content-Type': type, Vary: vary, 'Content-Length': Buffer.byteLength(body) }).end(body)
}

/** @param {ServerResponse} response @param {number} status @param {string} title */
export function sendError(response, status, title) {
  send(response, status, { errors: [{ status: String(status), title }], jsonapi })
}
