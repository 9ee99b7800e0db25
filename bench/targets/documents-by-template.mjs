// @ts-check
/**
 * L3, the practical limit: written by hand with positional rows and templates instead of objects. Constant parts are literals,
 * parsed query strings are cached, and values are copied from the row to the text.
 */
import { createServer } from 'node:http'
import { sendError } from './documents-by-object.mjs'
import { atomicJsonapi, atomicType, mediaType, writeOf } from './requests.mjs'

/** @typedef {any[]} Row in the order of the columns of the statement */
/**
 * The queries of an engine. Values of rows are ready for templates: numbers may be texts.
 * @typedef {object} TemplateStore
 * @property {(id: string) => Row | undefined | Promise<Row | undefined>} track
 * @property {(limit: number) => Row[] | Promise<Row[]>} albums
 * @property {(limit: number, releasedAt: string, id: string) => Row[] | Promise<Row[]>} albumsAfter
 * @property {(status: string, title: string, limit: number) => Row[] | Promise<Row[]>} albumsFiltered
 * @property {(ids: any[]) => Row[] | Promise<Row[]>} artists
 * @property {(albumIds: any[]) => Row[] | Promise<Row[]>} tracks
 * @property {(albumIds: any[]) => Row[] | Promise<Row[]>} genres
 * @property {(values: any[]) => Row | Promise<Row>} insertTrack
 * @property {(id: number, title: string) => Row | undefined | Promise<Row | undefined>} updateTrack
 * @property {(id: number) => boolean | Promise<boolean>} deleteTrack whether the track existed
 * @property {(albumId: number, genreId: number) => unknown} joinGenre
 * @property {(rows: any[][]) => Row[] | Promise<Row[]>} insertTracks
 * @property {(value: any) => string} instant in the format of responses
 * @property {(value: any) => boolean} isTrue
 * @property {object} [connection] a reference that prevents garbage collection of the connection, if statements do not have one
 */
/** @typedef {import('node:http').IncomingMessage} IncomingMessage */
/** @typedef {import('node:http').ServerResponse} ServerResponse */
/**
 * A parsed query string; `others` is the start of links to other pages.
 * @typedef {{
 *   size: number, after: string | null, status: string | null, title: string | null, include: string, others: string,
 * }} Query
 */

const profile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/'
const pagedType = `${mediaType}; profile="${profile}"`
const end = '"},"jsonapi":{"version":"1.1"}}'
const pagedEnd = `"},"jsonapi":{"version":"1.1","profile":["${profile}"]}}`
const atomicEnd = `,"jsonapi":${JSON.stringify(atomicJsonapi)}}`
const integer = /^\d+$/

/** @param {TemplateStore} store */
export function serverByTemplate(store) {
  /** @type {Map<string, Query>} */
  const queries = new Map()
  return createServer((request, response) => {
    reply({ store, queries }, request, response).catch((/** @type {unknown} */ thrown) => {
      console.error(thrown)
      sendError(response, 500, 'Internal Server Error')
    })
  })
}

/** @typedef {{ store: TemplateStore, queries: Map<string, Query> }} Service */

/** @param {Service} service @param {IncomingMessage} request @param {ServerResponse} response */
async function reply(service, request, response) {
  const url = request.url ?? ''
  const base = `http://${request.headers.host}`
  if (request.method !== 'GET') return write(service.store, { request, base, response })
  if (url.startsWith('/tracks/')) {
    const id = url.slice(8)
    const row = integer.test(id) ? await service.store.track(id) : undefined
    if (row === undefined) return sendError(response, 404, 'Not Found')
    const body = `{"data":${track(service.store, row, base)},"links":{"self":"${base}${url}${end}`
    return send(response, body, mediaType)
  }
  if (url.startsWith('/albums?')) return listAlbums(service, { url, base, response })
  return sendError(response, 404, 'Not Found')
}

/** @param {Service} service @param {{ url: string, base: string, response: ServerResponse }} exchange */
async function listAlbums({ store, queries }, { url, base, response }) {
  let query = queries.get(url)
  if (query === undefined) {
    if (queries.size === 1000) queries.clear()
    query = parse(url.slice(8))
    queries.set(url, query)
  }
  const { size, after, others, include } = query
  const rows = await albumRows(store, query)
  const hasMore = rows.length > size
  if (hasMore) rows.length = size

  let data = ''
  let included = ''
  if (include === 'artist,tracks') {
    const artistIds = [...new Set(rows.map((row) => row[8]))]
    const [artistRows, trackRows] = await Promise.all([store.artists(artistIds), store.tracks(rows.map(firstOf))])
    const artists = new Map(artistRows.map((row) => [row[0], row]))
    for (const id of artistIds) included += `,${artist(artists.get(id) ?? [], base)}`
    const groups = grouped(trackRows, 7)
    for (const row of rows) {
      let linkage = ''
      for (const member of groups.get(row[0]) ?? []) {
        linkage += `,{"type":"tracks","id":"${member[0]}"}`
        included += `,${track(store, member, base)}`
      }
      data += `,${album(store, row, base, `,"data":[${linkage.slice(1)}]`, '')}`
    }
  } else if (include === 'genres') {
    const groups = grouped(await store.genres(rows.map(firstOf)), 2)
    const seen = new Set()
    for (const row of rows) {
      let linkage = ''
      for (const [id, name] of groups.get(row[0]) ?? []) {
        linkage += `,{"type":"genres","id":"${id}"}`
        if (seen.has(id)) continue
        seen.add(id)
        included += `,${genre(id, name, base)}`
      }
      data += `,${album(store, row, base, '', `,"data":[${linkage.slice(1)}]`)}`
    }
  } else {
    for (const row of rows) data += `,${album(store, row, base, '', '')}`
  }

  const [first, last] = [rows[0], rows[rows.length - 1]]
  const edges = first === undefined ? '' : `,"from":"${first[0]}","to":"${last?.[0]}"`
  const page = `${base}/albums?${others}`
  let links = `"self":"${base}${url}","first":"${page}`
  if (after !== null && first !== undefined) links += `","prev":"${page}&page%5Bbefore%5D=${cursor(first)}`
  if (hasMore && last !== undefined) links += `","next":"${page}&page%5Bafter%5D=${cursor(last)}`
  const body = `{"data":[${data.slice(1)}]${include === '' ? '' : `,"included":[${included.slice(1)}]`},"meta":{"page":{"perPage":${size},"hasMore":${hasMore}${edges}}},"links":{${links}${pagedEnd}`
  send(response, body, pagedType)
}

/** @param {TemplateStore} store @param {Query} query */
function albumRows(store, { size, after, status, title }) {
  if (status !== null && title !== null) return store.albumsFiltered(status, title, size + 1)
  if (after === null) return store.albums(size + 1)
  const position = Buffer.from(after, 'base64url').toString('latin1')
  const comma = position.indexOf(',')
  return store.albumsAfter(size + 1, position.slice(0, comma), position.slice(comma + 1))
}

/** @param {string} text @returns {Query} */
function parse(text) {
  const query = new URLSearchParams(text)
  const size = Number(query.get('page[size]') ?? 15)
  let others = ''
  for (const [name, value] of query) {
    if (name.startsWith('page[')) continue
    others += `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%2C', ',')}&`
  }
  return {
    size,
    after: query.get('page[after]'),
    status: query.get('filter[status]'),
    title: query.get('filter[title]'),
    include: query.get('include') ?? '',
    others: `${others}page%5Bsize%5D=${size}`,
  }
}

/** @param {Row} row */
function cursor(row) {
  return Buffer.from(`${row[4]},${row[0]}`, 'latin1').toString('base64url')
}

/** @param {Row} row */
function firstOf(row) {
  return row[0]
}

/** @param {Row[]} rows @param {number} column */
function grouped(rows, column) {
  /** @type {Map<unknown, Row[]>} */
  const groups = new Map()
  for (const row of rows) {
    const group = groups.get(row[column])
    if (group === undefined) groups.set(row[column], [row])
    else group.push(row)
  }
  return groups
}

/** @param {TemplateStore} store @param {{ request: IncomingMessage, base: string, response: ServerResponse }} exchange */
async function write(store, { request, base, response }) {
  const parsed = await writeOf(request)
  switch (parsed.kind) {
    case 'create': {
      const row = await store.insertTrack(parsed.values)
      const body = `{"data":${track(store, row, base)},"links":{"self":"${base}/tracks${end}`
      const head = ['Location', `${base}/tracks/${row[0]}`, 'Content-Type', mediaType, 'Vary', 'Accept, Prefer']
      return response.writeHead(201, [...head, 'Content-Length', String(Buffer.byteLength(body))]).end(body)
    }
    case 'update': {
      const row = await store.updateTrack(parsed.id, parsed.title)
      if (row === undefined) return sendError(response, 404, 'Not Found')
      const body = `{"data":${track(store, row, base)},"links":{"self":"${base}${request.url}${end}`
      return send(response, body, mediaType, 'Accept, Prefer')
    }
    case 'delete': {
      if (!(await store.deleteTrack(parsed.id))) return sendError(response, 404, 'Not Found')
      return response.writeHead(204, ['Vary', 'Accept']).end()
    }
    case 'join': {
      await store.joinGenre(parsed.albumId, parsed.genreId)
      return response.writeHead(204, ['Vary', 'Accept, Prefer']).end()
    }
    case 'batch': {
      let results = ''
      for (const row of await store.insertTracks(parsed.rows)) results += `,{"data":${track(store, row, base)}}`
      return send(response, `{"atomic:results":[${results.slice(1)}]${atomicEnd}`, atomicType)
    }
    default:
      return sendError(response, parsed.status, parsed.title)
  }
}

/** @param {TemplateStore} store @param {Row} row @param {string} base */
function track(store, row, base) {
  const id = row[0]
  const self = `${base}/tracks/${id}`
  return `{"type":"tracks","id":"${id}","attributes":{"title":${quoted(row[1])},"position":${row[2]},"seconds":${row[3]},"explicit":${store.isTrue(row[4])},"lyrics":${quoted(row[5])},"recordedOn":"${row[6]}"},"relationships":{"album":{"links":{"self":"${self}/relationships/album","related":"${self}/album"},"data":{"type":"albums","id":"${row[7]}"}}},"links":{"self":"${self}"}}`
}

/** @param {TemplateStore} store @param {Row} row @param {string} base @param {string} tracks @param {string} genres */
function album(store, row, base, tracks, genres) {
  const id = row[0]
  const self = `${base}/albums/${id}`
  const label = row[3] === null ? 'null' : quoted(row[3])
  return `{"type":"albums","id":"${id}","attributes":{"title":${quoted(row[1])},"status":${quoted(row[2])},"label":${label},"releasedAt":"${store.instant(row[4])}","explicit":${store.isTrue(row[5])},"trackCount":${row[6]},"description":${quoted(row[7])}},"relationships":{"artist":{"links":{"self":"${self}/relationships/artist","related":"${self}/artist"},"data":{"type":"artists","id":"${row[8]}"}},"tracks":{"links":{"self":"${self}/relationships/tracks","related":"${self}/tracks"}${tracks}},"genres":{"links":{"self":"${self}/relationships/genres","related":"${self}/genres"}${genres}}},"links":{"self":"${self}"}}`
}

/** @param {Row} row @param {string} base */
function artist(row, base) {
  const self = `${base}/artists/${row[0]}`
  return `{"type":"artists","id":"${row[0]}","attributes":{"name":${quoted(row[1])},"country":${quoted(row[2])},"foundedIn":${row[3]},"biography":${quoted(row[4])}},"relationships":{"albums":{"links":{"self":"${self}/relationships/albums","related":"${self}/albums"}}},"links":{"self":"${self}"}}`
}

/** @param {any} id @param {string} name @param {string} base */
function genre(id, name, base) {
  return `{"type":"genres","id":"${id}","attributes":{"name":${quoted(name)}},"links":{"self":"${base}/genres/${id}"}}`
}

// oxlint-disable-next-line no-control-regex -- the characters that JSON escapes
const special = /["\\\u0000-\u001f]/

/** @param {string} text */
function quoted(text) {
  return special.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** @param {ServerResponse} response @param {string} body @param {string} type */
function send(response, body, type, vary = 'Accept') {
  // A long text is encoded once, not once for its length and once for the socket.
  const sent = body.length > 16_384 ? Buffer.from(body) : body
  const length = String(typeof sent === 'string' ? Buffer.byteLength(sent) : sent.length)
  response.writeHead(200, ['Content-Type', type, 'Vary', vary, 'Content-Length', length]).end(sent)
}
