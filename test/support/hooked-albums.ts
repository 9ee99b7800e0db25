import {
  belongsTo,
  createServer,
  defineResource,
  hasMany,
  HttpError,
  id,
  model,
  type ResourceHooks,
  type ResourceMetadata,
} from 'ashlar'
import type { Dispatched, DispatchInput } from '../../src/server/journey/dispatch.js'
import type { TestClient, TestResponse } from 'ashlar/testing'
import { client, resourceBody } from './client.js'
import { storedData } from './stored-data.js'

export interface AlbumRow {
  id: number
  title: string
  slug: string | null
  artistId: number | null
}

export interface TrackRow {
  id: number
  title: string
  albumId: number | null
}

export interface NoteRow {
  id: number
  text: string
}

export type Hooks = ResourceHooks<AlbumRow>

export interface Shop {
  readonly server: { dispatch<const Asked extends DispatchInput>(operation: Asked): Promise<Dispatched<Asked>> }
  readonly api: TestClient
  /** The texts of the notes that hooks made. */
  notes(): Promise<readonly unknown[]>
  titles(type: string): Promise<readonly unknown[]>
}

export function shop(hooks: Hooks, metadata: ResourceMetadata = {}): Shop {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().required().sortable(), slug: a.string().nullable().readOnly() }),
    relations: { artist: belongsTo('artists'), tracks: hasMany('tracks') },
    hooks,
    ...metadata,
  })
  const artists = defineResource('artists', { model: model<{ id: number }>('artists'), id: id() })
  const tracks = defineResource('tracks', {
    model: model<TrackRow>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: { album: belongsTo('albums') },
  })
  const notes = defineResource('notes', {
    model: model<NoteRow>('notes'),
    id: id(),
    attributes: (a) => ({ text: a.string() }),
  })
  const server = createServer({
    resources: [albums, artists, tracks, notes],
    data: storedData({
      albums: [
        { id: 1, title: 'OK Computer', slug: null, artistId: 1 },
        { id: 2, title: 'Kid A', slug: null, artistId: 1 },
      ],
      artists: [{ id: 1 }, { id: 2 }],
      tracks: [{ id: 1, title: 'Airbag', albumId: 1 }],
    }),
  })
  const api = client(server, { isDescribed: false })
  const valuesOf = (type: string, attribute: string) => async () =>
    (await api.get(`/${type}`)).resources.map(({ attributes }) => attributes?.[attribute])
  return { server, api, notes: valuesOf('notes', 'text'), titles: (type) => valuesOf(type, 'title')() }
}

export function create({ api }: Shop): Promise<TestResponse> {
  return api.post('/albums', { body: resourceBody('albums', { title: 'Amnesiac' }) })
}

export function update({ api }: Shop): Promise<TestResponse> {
  return api.patch('/albums/2', { body: resourceBody('albums', { title: 'Kid B' }, '2') })
}

/** A hook that refuses everything. */
export function refuse(): never {
  throw new HttpError(403, 'Not today.')
}

/** Every hook, noting that it ran. */
export function noting(ran: string[]): Required<Hooks> {
  return {
    beforeSave: (_draft, creating) => void ran.push(`beforeSave ${creating ? 'creating' : 'updating'}`),
    beforeCreate: () => void ran.push('beforeCreate'),
    beforeUpdate: () => void ran.push('beforeUpdate'),
    beforeDelete: () => void ran.push('beforeDelete'),
    beforeRelationshipMutate: (_parent, { relationship, mode }) => void ran.push(`before ${mode} ${relationship}`),
    afterCreate: () => void ran.push('afterCreate'),
    afterUpdate: () => void ran.push('afterUpdate'),
    afterSave: (_row, creating) => void ran.push(`afterSave ${creating ? 'creating' : 'updating'}`),
    afterDelete: () => void ran.push('afterDelete'),
    afterRelationshipMutate: (_parent, { relationship, mode }) => void ran.push(`after ${mode} ${relationship}`),
    afterFetchOne: () => void ran.push('afterFetchOne'),
    afterFetchCollection: () => void ran.push('afterFetchCollection'),
  }
}
