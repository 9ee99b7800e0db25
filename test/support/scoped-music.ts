import {
  belongsTo,
  belongsToMany,
  createServer,
  defaultProfiles,
  defineResource,
  hasMany,
  hasOne,
  id,
  model,
  morphTo,
  morphToMany,
  type RequestContext,
  type Server,
} from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { storedData } from './stored-data.js'

/** Artists and albums of which some are visible to staff only: the second artist, the third album. */

export const staff = { headers: { 'X-Staff': 'yes' } } as const
const isStaff = ({ request }: RequestContext): boolean => request?.header('x-staff') === 'yes'

interface ArtistRow {
  id: number
  name: string
  public: boolean
}

const artists = defineResource('artists', {
  model: model<ArtistRow>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().sortable() }),
  relations: {
    albums: hasMany('albums').countable(),
    portrait: hasOne('portraits'),
  },
  filters: (f) => ({
    name: f.where(),
    withAlbum: f.has('albums'),
    withoutAlbum: f.doesntHave('albums'),
    album: f.through('albums.title'),
  }),
  countable: true,
  scope: (context, f) => (isStaff(context) ? null : f.where('public').fixed(true)),
})

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; released: boolean; artistId: number | null }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required().sortable(), released: a.boolean() }),
  relations: {
    artist: belongsTo('artists'),
    tracks: hasMany('tracks'),
    playlists: belongsToMany('playlists').through('entries', { owner: 'albumId', member: 'playlistId' }),
  },
  filters: (f) => ({
    title: f.where(),
    artist: f.through('artist.name'),
    artistId: f.through('artist.id'),
    artistNot: f.through('artist.name').operator('!='),
    signed: f.has('artist'),
    orphaned: f.doesntHave('artist'),
    search: f.any({ title: f.contains(), 'artist.name': f.through().operator('like') }),
  }),
  sorts: (s) => ({ artist: s.through('artist.name') }),
  countable: true,
  scope: (context, f) => (isStaff(context) ? null : f.where('released').fixed(true)),
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums') },
  filters: (f) => ({ artist: f.through('album.artist.name'), album: f.through('album.title') }),
  sorts: (s) => ({ artist: s.through('album.artist.name') }),
  defaultIncludes: ['album'],
})

const portraits = defineResource('portraits', {
  model: model<{ id: number; artistId: number }>('portraits'),
  id: id(),
  relations: { artist: belongsTo('artists').withoutLinks() },
  scope: (context, f) => (isStaff(context) ? null : f.idNotIn().fixed(['2'])),
})

const playlists = defineResource('playlists', {
  model: model<{ id: number; title: string; dedicatedToId: number | null; dedicatedToType: string | null }>(
    'playlists',
  ),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    albums: belongsToMany('albums')
      .through('entries', { owner: 'playlistId', member: 'albumId' })
      .fields((a) => ({ place: a.integer() }))
      .withData()
      .countable(),
    items: morphToMany(['artists', 'albums'])
      .through('items', { owner: 'playlistId', member: 'itemId', memberType: 'itemType' })
      .withData()
      .countable(),
    dedicatedTo: morphTo(['artists', 'albums']).via('dedicatedToId', 'dedicatedToType'),
  },
  filters: (f) => ({ dedicated: f.has('dedicatedTo'), empty: f.doesntHave('items') }),
})

export function scopedRows() {
  return {
    artists: [
      { id: 1, name: 'Radiohead', public: true },
      { id: 2, name: 'Burial', public: false },
      { id: 3, name: 'Björk', public: true },
    ],
    albums: [
      { id: 1, title: 'Kid A', released: true, artistId: 1 },
      { id: 2, title: 'Untrue', released: true, artistId: 2 },
      { id: 3, title: 'Demos', released: false, artistId: 1 },
      { id: 4, title: 'Homogenic', released: true, artistId: 3 },
    ],
    tracks: [
      { id: 1, title: 'Idioteque', albumId: 1 },
      { id: 2, title: 'Archangel', albumId: 2 },
      { id: 3, title: 'Take 1', albumId: 3 },
      { id: 4, title: 'Jóga', albumId: 4 },
    ],
    portraits: [
      { id: 1, artistId: 1 },
      { id: 2, artistId: 3 },
    ],
    playlists: [
      { id: 1, title: 'Road Trip', dedicatedToId: 2, dedicatedToType: 'artists' },
      { id: 2, title: 'Rainy Day', dedicatedToId: 1, dedicatedToType: 'albums' },
      { id: 3, title: 'Secret', dedicatedToId: null, dedicatedToType: null },
    ],
    entries: [
      { id: 1, playlistId: 1, albumId: 1, place: 1 },
      { id: 2, playlistId: 1, albumId: 3, place: 2 },
      { id: 3, playlistId: 1, albumId: 2, place: 3 },
    ],
    items: [
      { id: 1, playlistId: 1, itemId: 2, itemType: 'artists' },
      { id: 2, playlistId: 1, itemId: 1, itemType: 'artists' },
      { id: 3, playlistId: 1, itemId: 3, itemType: 'albums' },
      { id: 4, playlistId: 1, itemId: 2, itemType: 'albums' },
      { id: 5, playlistId: 3, itemId: 2, itemType: 'artists' },
    ],
  }
}

const scopedTypes = [artists, albums, tracks, portraits, playlists] as const

/** A new server; the rows are those of `scopedRows` by default. */
export function scopedMusic(data: DataSource = storedData(scopedRows())): Server<typeof scopedTypes> {
  return createServer({ resources: scopedTypes, data, profiles: defaultProfiles })
}
