// @ts-check
/** What somebody would write without a framework: `node:http`, objects and `JSON.stringify`. Answers the same documents. */
import { createServer } from 'node:http'
import { albums } from './albums.mjs'

const rows = new Map(albums.map((row) => [String(row.id), row]))
const headers = { 'Content-Type': 'application/vnd.api+json', Vary: 'Accept' }

/** @param {import('./albums.mjs').AlbumRow} row @param {string} base */
function resource({ id, title, releasedAt, explicit, status, label }, base) {
  return {
    type: 'albums',
    id: String(id),
    attributes: { title, releasedAt: releasedAt.toISOString().replace('.000Z', '+00:00'), explicit, status, label },
    links: { self: `${base}/albums/${id}` },
  }
}

export function serverByHand() {
  return createServer((request, response) => {
    const base = `http://${request.headers.host}`
    const links = { self: `${base}${request.url}` }
    const jsonapi = { version: '1.1' }
    if (request.url === '/albums') {
      const data = [...rows.values()].map((row) => resource(row, base))
      send(response, 200, { data, meta: { total: rows.size }, links, jsonapi })
      return
    }
    const row = rows.get(request.url?.slice('/albums/'.length) ?? '')
    if (row === undefined) send(response, 404, { errors: [{ status: '404', title: 'Not Found' }], jsonapi })
    else send(response, 200, { data: resource(row, base), links, jsonapi })
  })
}

/** @param {import('node:http').ServerResponse} response @param {number} status @param {object} document */
function send(response, status, document) {
  const body = JSON.stringify(document)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}
