import {
  reply,
  atomic,
  belongsTo,
  createServer,
  defineResource,
  hasMany,
  id,
  metaResult,
  model,
  type ResourceHooks,
  type Server,
} from 'ashlar'
import type { TestClient, TestRequestOptions } from 'ashlar/testing'
import { client } from './client.js'
import { storedData } from './stored-data.js'

/** Albums with relations, actions and soft deletes, whose events are listened to. */

export interface AlbumRow {
  id: number
  title: string
  artistId: number | null
  deletedAt: Date | null
}

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})
export const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})
const albumsWith = (hooks: ResourceHooks<AlbumRow>) =>
  defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().required() }),
    relations: { artist: belongsTo('artists'), tracks: hasMany('tracks').via('albumId') },
    softDeletes: true,
    hooks,
    actions: (a) => ({
      play: a.resource({ responds: metaResult(), handle: () => reply.meta({ played: true }) }),
      shuffle: a.collection({ responds: metaResult(), handle: () => reply.meta({ shuffled: true }) }),
    }),
  })
export type Music = Server<readonly [ReturnType<typeof albumsWith>, typeof artists, typeof tracks]>

export function music(hooks: ResourceHooks<AlbumRow> = {}): { readonly server: Music; readonly api: TestClient } {
  const server = createServer({
    resources: [albumsWith(hooks), artists, tracks],
    data: storedData({
      albums: [
        { id: 1, title: 'OK Computer', artistId: 1, deletedAt: null },
        { id: 2, title: 'Kid A', artistId: 1, deletedAt: null },
      ],
      artists: [{ id: 1, name: 'Radiohead' }],
      tracks: [{ id: 1, title: 'Airbag', albumId: 1 }],
    }),
    extensions: [atomic()],
  })
  return { server, api: client(server, { isDescribed: false }) }
}

const mediaType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const headers = { 'Content-Type': mediaType, Accept: mediaType }
export const adding = (title: string): object => ({ op: 'add', data: { type: 'albums', attributes: { title } } })
export const batch = (...operations: readonly object[]): TestRequestOptions => ({
  headers,
  body: { 'atomic:operations': operations },
})
