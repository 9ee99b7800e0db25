// @ts-check
/** What is asked of every server, as data. Requests differ by arithmetic, so every server is asked the same ones. */
import { albumCount, nouns, statuses } from './music/rows.mjs'

/** @typedef {{ method: string, path: string, body?: string, headers?: Record<string, string> }} Request */
/**
 * `requests` is how many make a round, `different` how many different ones there are: they are sent over and over. `deep` is a row
 * at which the page begins that links.next leads to, from the page of the request.
 * @typedef {object} Workload
 * @property {string} name
 * @property {string} title
 * @property {(index: number) => Request} request
 * @property {number} status
 * @property {number} requests
 * @property {number} different
 * @property {boolean} [writes]
 * @property {number} [deep]
 * @property {boolean} [extra] a short run leaves it out
 */

const firstPage = '/albums?sort=-releasedAt&page[size]=50'

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
]

/** @param {string} path @returns {Request} */
function get(path) {
  return { method: 'GET', path }
}

/** @param {number} index */
function filtered(index) {
  const status = statuses[index % statuses.length]
  const title = nouns[Math.floor(index / statuses.length) % nouns.length]
  return get(`/albums?filter[status]=${status}&filter[title]=${title}&sort=-releasedAt&page[size]=20`)
}

/** @param {number} index @returns {Request} */
function created(index) {
  const attributes = {
    title: `A new track, the ${index}th of “many”`,
    position: 6 + (index % 4),
    seconds: 60 + (index % 300),
    explicit: index % 5 === 0,
    lyrics: 'Nothing is as new as this "song".\nIt was written a moment ago, and nobody has heard it yet.',
    recordedOn: '2024-02-29',
  }
  const album = { data: { type: 'albums', id: String(1 + ((index * 31) % albumCount)) } }
  return {
    method: 'POST',
    path: '/tracks',
    body: JSON.stringify({ data: { type: 'tracks', attributes, relationships: { album } } }),
    headers: { 'Content-Type': 'application/vnd.api+json' },
  }
}
