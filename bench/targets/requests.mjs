// @ts-check
/** Parses the writing requests for the servers that are written by hand, with a few checks. */

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */

export const mediaType = 'application/vnd.api+json'
const atomicExtension = 'https://jsonapi.org/ext/atomic'
export const atomicType = `${mediaType}; ext="${atomicExtension}"`
export const atomicJsonapi = { version: '1.1', ext: [atomicExtension] }

const genresOfAlbum = /^\/albums\/(\d+)\/relationships\/genres$/

/**
 * A parsed write. An `error` has the status of the response.
 * @typedef {{ kind: 'create', values: any[] }
 *   | { kind: 'update', id: number, title: string }
 *   | { kind: 'delete', id: number }
 *   | { kind: 'join', albumId: number, genreId: number }
 *   | { kind: 'batch', rows: any[][] }
 *   | { kind: 'error', status: number, title: string }} Write
 */

/** @type {Write} */
const notFound = { kind: 'error', status: 404, title: 'Not Found' }
/** @type {Write} */
const notAllowed = { kind: 'error', status: 405, title: 'Method Not Allowed' }
/** @type {Write} */
const unsupported = { kind: 'error', status: 415, title: 'Unsupported Media Type' }
/** @type {Write} */
const invalid = { kind: 'error', status: 422, title: 'Unprocessable Content' }

/** @param {IncomingMessage} request @returns {Promise<Write>} */
export async function writeOf(request) {
  const { method, url = '' } = request
  if (url.startsWith('/tracks/')) {
    const id = Number(url.slice('/tracks/'.length))
    if (!Number.isInteger(id)) return notFound
    if (method === 'DELETE') return { kind: 'delete', id }
    return method === 'PATCH' ? updateOf(id, request) : notAllowed
  }
  if (method !== 'POST') return notAllowed
  if (url === '/tracks') return createOf(request)
  if (url === '/operations') return batchOf(request)
  const albumId = genresOfAlbum.exec(url)?.[1]
  return albumId === undefined ? notFound : joinOf(Number(albumId), request)
}

/** @param {IncomingMessage} request @returns {Promise<Write>} */
async function createOf(request) {
  if (request.headers['content-type'] !== mediaType) return unsupported
  const { data } = JSON.parse(await bodyOf(request))
  const values = valuesOf(data)
  return values === null ? invalid : { kind: 'create', values }
}

/** @param {number} id @param {IncomingMessage} request @returns {Promise<Write>} */
async function updateOf(id, request) {
  if (request.headers['content-type'] !== mediaType) return unsupported
  const { data } = JSON.parse(await bodyOf(request))
  const { title } = data.attributes
  const isValid = data.type === 'tracks' && data.id === String(id) && isTitle(title)
  return isValid ? { kind: 'update', id, title } : invalid
}

/** @param {number} albumId @param {IncomingMessage} request @returns {Promise<Write>} */
async function joinOf(albumId, request) {
  if (request.headers['content-type'] !== mediaType) return unsupported
  const { data } = JSON.parse(await bodyOf(request))
  const [{ type, id }] = data
  const genreId = Number(id)
  const isValid = data.length === 1 && type === 'genres' && Number.isInteger(genreId)
  return isValid ? { kind: 'join', albumId, genreId } : invalid
}

/** @param {IncomingMessage} request @returns {Promise<Write>} */
async function batchOf(request) {
  if (request.headers['content-type'] !== atomicType) return unsupported
  const { 'atomic:operations': operations } = JSON.parse(await bodyOf(request))
  /** @type {any[][]} */
  const rows = []
  for (const { op, data } of operations) {
    const values = op === 'add' ? valuesOf(data) : null
    if (values === null) return invalid
    rows.push(values)
  }
  return { kind: 'batch', rows }
}

/** The columns of a new track, in the order of the insert. @param {any} data @returns {any[] | null} */
function valuesOf(data) {
  const { title, position, seconds, explicit, lyrics, recordedOn } = data.attributes
  const albumId = Number(data.relationships.album.data.id)
  const isValid =
    data.type === 'tracks' &&
    isTitle(title) &&
    Number.isInteger(position) &&
    Number.isInteger(seconds) &&
    typeof explicit === 'boolean' &&
    typeof lyrics === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(recordedOn) &&
    Number.isInteger(albumId)
  return isValid ? [title, position, seconds, explicit, lyrics, recordedOn, albumId] : null
}

/** @param {unknown} title */
function isTitle(title) {
  return typeof title === 'string' && title.length <= 200
}

/** @param {IncomingMessage} request @returns {Promise<string>} */
function bodyOf(request) {
  return new Promise((resolve, reject) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => resolve(body))
    request.on('error', reject)
  })
}
