// @ts-check
/** What somebody would write without a framework: no rules, one insert, the same document. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { openDatabase } from './databases.mjs'
import { atomicType } from './tracks.mjs'

/** @param {import('./databases.mjs').Engine} engine @param {string} place */
export async function serverByHand(engine, place) {
  const database = await openDatabase(engine, place)
  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  const answer = async (request, response) => {
    const sent = JSON.parse(await text(request))
    const stored = await database.insertion(sent['atomic:operations'].map(toTrack))()
    const base = `http://${request.headers.host}`
    const results = stored.map((track) => ({ data: resource(track, base) }))
    const body = JSON.stringify({ 'atomic:results': results, jsonapi })
    response.writeHead(200, { 'Content-Type': atomicType, 'Content-Length': Buffer.byteLength(body) }).end(body)
  }
  return createServer((request, response) => void answer(request, response))
}

const jsonapi = { version: '1.1', ext: ['https://jsonapi.org/ext/atomic'] }

/** @param {{ data: any }} operation @returns {import('./tracks.mjs').Track} */
function toTrack({ data: { attributes, relationships } }) {
  return { ...attributes, albumId: Number(relationships.album.data.id) }
}

/** @param {import('./tracks.mjs').StoredTrack} track @param {string} base */
function resource({ id, title, seconds, rating, released, albumId }, base) {
  const self = `${base}/tracks/${id}`
  return {
    type: 'tracks',
    id: String(id),
    attributes: { title, seconds, rating, released },
    relationships: {
      album: {
        data: { type: 'albums', id: String(albumId) },
        links: { self: `${self}/relationships/album`, related: `${self}/album` },
      },
    },
    links: { self },
  }
}
