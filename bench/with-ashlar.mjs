// @ts-check
/** The same service as a declaration. */
import { createServer as createHttpServer } from 'node:http'
import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { albums as rows } from './albums.mjs'

/** @type {import('ashlar').Model<import('./albums.mjs').AlbumRow>} */
const albumModel = model('albums')

const albums = defineResource('albums', {
  model: albumModel,
  id: id(),
  attributes: (a) => ({
    title: a.string().required(),
    releasedAt: a.dateTime(),
    explicit: a.boolean(),
    status: a.string(),
    label: a.string().nullable(),
  }),
})

export function serverWithAshlar() {
  return createHttpServer(createServer({ resources: [albums], data: memoryData({ albums: rows }) }).node)
}
