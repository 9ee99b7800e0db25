import { belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { tracks: hasMany('tracks').expectedMembers(12) },
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; albumId: number | null }>('tracks'),
  id: id(),
  relations: { album: belongsTo('albums') },
})

export const server = createServer({
  resources: [albums, tracks, albums.with({ server: 'open' }), tracks.with({ server: 'open' })],
  data: memoryData(),
  queryCost: { budget: ({ caller }) => (caller === null ? 100 : 1000) },
  servers: { open: { prefix: '/open', queryCost: false } },
})
