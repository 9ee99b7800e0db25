// @ts-check
/** The workloads. Requests are computed from their index, so that every server gets the same requests. */
import { albumCount, nouns, statuses, trackCount, unusedGenre } from './music/rows.mjs'

/** @typedef {{ method: string, path: string, body?: string, headers?: Record<string, string> }} Request */
/**
 * `requests` is the number of requests of a round, `different` the number of different requests, which are repeated. `deep` is the
 * first row of a deep page, which is reached by links.next from the page of the request.
 * @typedef {object} Workload
 * @property {string} name
 * @property {string} title
 * @property {(index: number) => Request} request
 * @property {number} status
 * @property {number} requests
 * @property {number} different
 * @property {boolean} [writes] the tables are restored after each round
 * @property {boolean} [deletes] tracks to delete are added before each round
 * @property {number} [deep]
 * @property {boolean} [extra] a short run leaves it out
 */

const mediaType = 'application/vnd.api+json'
const atomicType = `${mediaType}; ext="https://jsonapi.org/ext/atomic"`
const batchSize = 100
const firstPage = '/albums?sort=-releasedAt&page%5Bsize%5D=50'

/** @type {readonly Workload[]} */
export const workloads = [
  {
    name: 'W1',
    title: 'one resource',
    request: (index) => get(`/tracks/${1 + (index % 1000) * 47}`),
    status: 200,
    requests: 4000,
    different: 1000,
  },
  { name: 'W2', title: 'list of 50, sorted', request: () => get(firstPage), status: 200, requests: 1500, different: 1 },
  {
    name: 'W3',
    title: '50 + artist + tracks',
    request: () => get(`${firstPage}&include=artist,tracks`),
    status: 200,
    requests: 300,
    different: 1,
  },
  { name: 'W4', title: 'filters, sort, 20', request: filtered, status: 200, requests: 3000, different: 30 },
  {
    name: 'W5',
    title: 'create',
    request: created,
    status: 201,
    requests: 2000,
    different: 2000,
    writes: true,
  },
  {
    name: 'W6',
    title: 'page at row 7,500',
    request: () => get(firstPage),
    status: 200,
    requests: 1500,
    different: 1,
    deep: 7500,
  },
  {
    name: 'W7',
    title: '50 + genres',
    request: () => get(`${firstPage}&include=genres`),
    status: 200,
    requests: 800,
    different: 1,
    extra: true,
  },
  {
    name: 'W8',
    title: 'update',
    request: updated,
    status: 200,
    requests: 2000,
    different: 2000,
    writes: true,
  },
  {
    name: 'W9',
    title: 'delete',
    request: (index) => ({ method: 'DELETE', path: `/tracks/${trackCount + 1 + index}` }),
    status: 204,
    requests: 2000,
    different: 2000,
    writes: true,
    deletes: true,
  },
  {
    name: 'W10',
    title: 'add a genre',
    request: joined,
    status: 204,
    requests: 2000,
    different: 2000,
    writes: true,
  },
  {
    name: 'W11',
    title: `batch of ${batchSize} creates`,
    request: batch,
    status: 200,
    requests: 200,
    different: 20,
    writes: true,
  },
]

/** @param {string} path @returns {Request} */
function get(path) {
  return { method: 'GET', path }
}

/** @param {number} index */
function filtered(index) {
  const status = statuses[index % statuses.length]
  const title = nouns[Math.floor(index / statuses.length) % nouns.length]
  return get(`/albums?filter%5Bstatus%5D=${status}&filter%5Btitle%5D=${title}&sort=-releasedAt&page%5Bsize%5D=20`)
}

/** @param {number} index @returns {Request} */
function created(index) {
  return write('POST', '/tracks', { data: newTrack(index) })
}

/** Each update of a track has another title than the previous one. @param {number} index @returns {Request} */
function updated(index) {
  const id = String(1 + (index % 1000) * 47)
  const attributes = { title: `A better title, the ${index}th of “many”` }
  return write('PATCH', `/tracks/${id}`, { data: { type: 'tracks', id, attributes } })
}

/** @param {number} index @returns {Request} */
function joined(index) {
  const path = `/albums/${albumOf(index)}/relationships/genres`
  return write('POST', path, { data: [{ type: 'genres', id: String(unusedGenre) }] })
}

/** @param {number} index @returns {Request} */
function batch(index) {
  const operations = Array.from({ length: batchSize }, (_, offset) => {
    return { op: 'add', data: newTrack(index * batchSize + offset) }
  })
  return write('POST', '/operations', { 'atomic:operations': operations }, atomicType)
}

/** @param {string} method @param {string} path @param {object} document @returns {Request} */
function write(method, path, document, type = mediaType) {
  return { method, path, body: JSON.stringify(document), headers: { Accept: type, 'Content-Type': type } }
}

/** Returns a different album for each of the first 10,000 indexes. @param {number} index */
function albumOf(index) {
  return 1 + ((index * 31) % albumCount)
}

/** @param {number} index */
function newTrack(index) {
  const attributes = {
    title: `A new track, the ${index}th of “many”`,
    position: 6 + (index % 4),
    seconds: 60 + (index % 300),
    explicit: index % 5 === 0,
    lyrics: 'Nothing is as new as this "song".\nIt was written a moment ago, and nobody has heard it yet.',
    recordedOn: '2024-02-29',
  }
  const album = { data: { type: 'albums', id: String(albumOf(index)) } }
  return { type: 'tracks', attributes, relationships: { album } }
}
