import {
  belongsTo,
  createServer,
  cursorPage,
  defineResource,
  hasMany,
  hasOne,
  id,
  model,
  type RequestContext,
  type Server,
} from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { storedData } from './stored-data.js'

/** Albums and tracks that show and change attributes of their artists. The third artist is visible to staff only. */

export const staff = { headers: { 'X-Staff': 'yes' } } as const
const isStaff = ({ request }: RequestContext): boolean => request?.header('x-staff') === 'yes'

interface ArtistRow {
  id: number
  name: string
  founded: Date | null
  homepage: string | null
  members: readonly string[]
  labelId: number | null
  public: boolean
}

const artists = defineResource('artists', {
  model: model<ArtistRow>('artists'),
  id: id(),
  attributes: (a) => ({
    name: a.string().required().maxLength(20),
    foundedOn: a.date().nullable().storedAs('founded'),
    homepage: a.url().nullable(),
    members: a.arrayList(),
  }),
  relations: { label: belongsTo('labels'), portrait: hasOne('portraits'), albums: hasMany('albums').via('artistId') },
  scope: (context, f) => (isStaff(context) ? null : f.where('public').fixed(true)),
})

interface AlbumRow {
  id: number
  title: string
  artistId: number | null
  producerId: number | null
}

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().required(),
    artistName: a.string().on('artist').storedAs('name').required().maxLength(12).sortable(),
    artistFounded: a.date().on('artist').storedAs('foundedOn').nullable(),
    producerName: a.string().on('producer').storedAs('name'),
    labelName: a.string().on('artist.label').storedAs('name').sortable(),
    portraitUrl: a.url().on('artist.portrait').storedAs('url'),
  }),
  relations: {
    artist: belongsTo('artists').cannotBeIncluded(),
    producer: belongsTo('artists').hidden(),
    tracks: hasMany('tracks'),
  },
  filters: (f) => ({
    artistName: f.where(),
    founded: f.dateRange('artistFounded'),
    unsigned: f.isNull('labelName'),
  }),
  pagination: cursorPage(),
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    albumTitle: a.string().on('album').storedAs('title').sparseByDefault(),
    artistName: a.string().on('album.artist').storedAs('name').sparseByDefault(),
  }),
  relations: { album: belongsTo('albums') },
  filters: (f) => ({ by: f.through('album.artistName') }),
  sorts: (s) => ({ by: s.through('album.artistName') }),
  maxIncludeDepth: 1,
})

const labels = defineResource('labels', {
  model: model<{ id: number; name: string }>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})

const portraits = defineResource('portraits', {
  model: model<{ id: number; url: string; artistId: number }>('portraits'),
  id: id(),
  attributes: (a) => ({ url: a.url() }),
  relations: { artist: belongsTo('artists') },
})

export function flattenedData(): ReturnType<typeof storedData> {
  const artist = { founded: null, homepage: null, members: [], labelId: null, public: true }
  return storedData({
    labels: [{ id: 1, name: 'XL' }],
    artists: [
      { ...artist, id: 1, name: 'Radiohead', founded: new Date('1985-01-01T00:00:00Z'), labelId: 1 },
      { ...artist, id: 2, name: 'Björk' },
      { ...artist, id: 3, name: 'Burial', public: false },
    ],
    portraits: [{ id: 1, url: 'https://example.com/radiohead.png', artistId: 1 }],
    albums: [
      { id: 1, title: 'Kid A', artistId: 1, producerId: 2 },
      { id: 2, title: 'Homogenic', artistId: 2, producerId: null },
      { id: 3, title: 'Untrue', artistId: 3, producerId: null },
      { id: 4, title: 'Test Pressing', artistId: null, producerId: null },
    ],
    tracks: [
      { id: 1, title: 'Idioteque', albumId: 1 },
      { id: 2, title: 'Jóga', albumId: 2 },
      { id: 3, title: 'Take 1', albumId: 4 },
      { id: 4, title: 'Humming', albumId: null },
    ],
  })
}

const flattenedTypes = [artists, albums, tracks, labels, portraits] as const

export function flattenedMusic(
  data: DataSource = flattenedData(),
  settings: { readonly validateStored?: boolean } = {},
): Server<typeof flattenedTypes> {
  return createServer({ ...settings, resources: flattenedTypes, data })
}
