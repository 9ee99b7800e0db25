import {
  actionResource,
  reply,
  atomic,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  id,
  model,
  noContent,
  type ActionKit,
} from 'ashlar'
import type { DataSource } from 'ashlar/store'
import type { TestResponse } from 'ashlar/testing'
import { client } from './client.js'
import { storedData } from './stored-data.js'

/** Albums with a version of each kind, among types that refer to them. */

export interface VersionedRow {
  id: number
  title: string
  notes: string | null
  artistId: number | null
  lockVersion: number | null
  changedAt: Date | null
  deletedAt: Date | null
}

const secret = 'The secret of the tests'

const firstChange = new Date('2026-01-31T12:00:00.250Z')

function versionedData(): DataSource {
  const notes = null
  const [changedAt, deletedAt] = [firstChange, null]
  return storedData({
    albums: [
      { id: 1, title: 'OK Computer', notes, artistId: 1, lockVersion: 3, changedAt, deletedAt },
      { id: 2, title: 'Kid A', notes, artistId: 1, lockVersion: null, changedAt: null, deletedAt },
      { id: 3, title: 'Homogenic', notes, artistId: 2, lockVersion: 1, changedAt, deletedAt },
    ],
    artists: [
      { id: 1, name: 'Radiohead', lockVersion: 7 },
      { id: 2, name: 'Björk', lockVersion: 1 },
    ],
    tracks: [
      { id: 1, title: 'Airbag', albumId: 1, lockVersion: 1 },
      { id: 2, title: 'Joga', albumId: 3, lockVersion: 1 },
    ],
    labels: [
      { id: 1, albumId: 1, genreId: 1 },
      { id: 2, albumId: 3, genreId: 2 },
    ],
    genres: [
      { id: 1, name: 'Rock' },
      { id: 2, name: 'Electronic' },
    ],
  })
}

const genres = defineResource('genres', {
  model: model<{ id: number; name: string }>('genres'),
  id: id().allowClientId(),
  attributes: (a) => ({ name: a.string().required() }),
})

/** @param over members of the declaration of albums, such as `version` */
export function versionedServer(over: object = {}, settings: object = {}): ReturnType<typeof createServer> {
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string; lockVersion: number }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string().required() }),
    relations: { albums: hasMany('albums') },
    version: 'lockVersion',
  })
  const tracks = defineResource('tracks', {
    model: model<{ id: number; title: string; albumId: number | null; lockVersion: number }>('tracks'),
    id: id(),
    attributes: (a) => ({
      title: a.string().required(),
      albumNotes: a.string().storedAs('notes').on('album').nullable(),
    }),
    relations: { album: belongsTo('albums') },
    version: 'lockVersion',
  })
  const albums = defineResource('albums', {
    model: model<VersionedRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().required().maxLength(50), notes: a.string().nullable() }),
    relations: {
      artist: belongsTo('artists').withData(),
      tracks: hasMany('tracks'),
      genres: belongsToMany('genres').through('labels', { owner: 'albumId', member: 'genreId' }),
    },
    actions: (a: ActionKit<VersionedRow>) => ({
      count: a.collection({ ability: false, responds: noContent(), handle: () => reply.noContent() }),
      publish: a.resource({ ability: false, responds: noContent(), handle: () => reply.noContent() }),
      retitle: a.resource({
        ability: false,
        responds: actionResource(),
        handle: async ({ entity, context }) =>
          reply.resource(await context.rows<VersionedRow>('albums').update(entity.id, { title: 'Retitled' })),
      }),
    }),
    version: 'lockVersion',
    ...over,
  })
  return createServer({
    data: versionedData(),
    extensions: [atomic()],
    secret,
    policy: 'public',
    ...settings,
    resources: [albums, artists, tracks, genres],
  })
}

/** The kinds of versions that every store has. */
export const versionKinds: readonly (readonly [kind: string, version: object | string])[] = [
  ['an integer', 'lockVersion'],
  ['a time', { column: 'changedAt', as: 'instant' }],
  ['a hash of the row', { hash: true }],
]

export function versionedClient(over: object = {}, settings: object = {}): ReturnType<typeof client> {
  return client(versionedServer(over, settings))
}

/** Returns the entity tag of a response, which must have one. */
export function tagOf({ headers }: Pick<TestResponse, 'headers'>): string {
  const tag = headers.get('etag')
  if (tag === null) throw new Error('The response has no ETag.')
  return tag
}
