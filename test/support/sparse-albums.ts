import { belongsTo, createServer, defineResource, hasMany, id, model, type RequestContext } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import type { TestClient, TestResource } from 'ashlar/testing'
import { vi } from 'vitest'
import { client } from './client.js'
import { storedData } from './stored-data.js'

interface AlbumRow {
  id: number
  title: string
  year: number
  note: string
  secret: string
  artistId: number | null
}

/** Every function that a field may have, so that tests can count which of them ran. */
export const run = {
  computed: vi.fn((row: AlbumRow) => `${row.title}!`),
  computedUsing: vi.fn((row: AlbumRow) => row.title.length),
  extract: vi.fn((row: AlbumRow) => row.year),
  serialize: vi.fn((row: AlbumRow) => row.note.toUpperCase()),
  sparse: vi.fn((row: AlbumRow) => `about ${row.title}`),
  hidden: vi.fn((_row: AlbumRow, { request }: RequestContext) => request?.header('x-staff') !== 'yes'),
  linkage: vi.fn(() => ({ role: 'main' })),
  related: vi.fn(() => [{ id: 1, name: 'Radiohead', slug: 'radiohead' }]),
}

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    year: a.integer().extractUsing((row) => run.extract(row)),
    note: a.string().serializeUsing((row) => run.serialize(row)),
    shout: a.string().computed((row) => run.computed(row)),
    length: a.integer().computedUsing((row) => run.computedUsing(row)),
    essay: a
      .string()
      .computed((row) => run.sparse(row))
      .sparseByDefault(),
    secret: a.string().hidden(),
    password: a.string().storedAs('secret').writeOnly(),
    staffNote: a
      .string()
      .storedAs('note')
      .readOnly()
      .hidden((row, context) => run.hidden(row, context)),
  }),
  relations: (r) => ({
    artist: r.belongsTo('artists').identifierMeta(() => run.linkage()),
    tracks: r.hasMany('tracks').via('albumId').withData(),
    critics: r
      .hasMany('artists')
      .extractUsing(() => run.related())
      .withData(),
    reviews: r.hasMany('tracks').via('albumId').withData().sparseByDefault(),
    ghost: r.belongsTo('artists').via('artistId').hidden(),
  }),
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; slug: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().notSparseField(), slug: a.string() }),
  relations: { albums: hasMany('albums').via('artistId').withData().notSparseField() },
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; seconds: number; albumId: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string(), seconds: a.integer() }),
  relations: { album: belongsTo('albums') },
})

export const sparseRows = {
  albums: [{ id: 1, title: 'Kid A', year: 2000, note: 'reissue', secret: 'xyz', artistId: 1 }],
  artists: [{ id: 1, name: 'Radiohead', slug: 'radiohead' }],
  tracks: [
    { id: 1, title: 'Idioteque', seconds: 309, albumId: 1 },
    { id: 2, title: 'Optimistic', seconds: 315, albumId: 1 },
  ],
}

/** One album with its artist and tracks. */
export function sparseAlbums(data: DataSource = storedData(sparseRows)): TestClient {
  return client(createServer({ resources: [albums, artists, tracks], data }))
}

/** The members of a resource, in their order. */
export const namesOf = ({ attributes = {}, relationships = {} }: TestResource): readonly string[] => [
  ...Object.keys(attributes),
  ...Object.keys(relationships),
]

/** How often each of them ran, where it did. */
export const calls = (): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(run).flatMap(([name, { mock }]) => (mock.calls.length > 0 ? [[name, mock.calls.length]] : [])),
  )

/** For `beforeEach`. */
export function forgetCalls(): void {
  for (const spy of Object.values(run)) spy.mockClear()
}
