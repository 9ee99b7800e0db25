import {
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  hasOne,
  id,
  model,
  morphTo,
  morphToMany,
} from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { storedData } from './stored-data.js'

/** Albums with soft deletes, among types that refer to them in every way: the second album of the first artist is in the trash. */

interface AlbumRow {
  id: number
  title: string
  artistId: number | null
  deletedAt: Date | null
}

const trashedAt = new Date('2026-01-31T12:00:00Z')

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; favouriteId: number | null }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: {
    albums: hasMany('albums').countable().withData(),
    favourite: belongsTo('albums').withData(),
    debut: hasOne('albums').via('artistId'),
  },
  filters: (f) => ({ withAlbums: f.has('albums'), album: f.through('albums.title') }),
  sorts: (s) => ({ favourite: s.through('favourite.title') }),
})

const shelves = defineResource('shelves', {
  model: model<{ id: number; itemId: number | null; itemType: string | null }>('shelves'),
  id: id(),
  relations: {
    albums: belongsToMany('albums').through('places', { owner: 'shelfId', member: 'albumId' }).withData(),
    item: morphTo(['albums', 'artists']).withData(),
    things: morphToMany(['albums', 'artists'])
      .through('things', { owner: 'shelfId', member: 'thingId', memberType: 'thingType' })
      .withData(),
  },
})

function trashData(): DataSource {
  return storedData({
    albums: [
      { id: 1, title: 'OK Computer', artistId: 1, deletedAt: null },
      { id: 2, title: 'Pablo Honey', artistId: 1, deletedAt: trashedAt },
      { id: 3, title: 'Homogenic', artistId: 2, deletedAt: null },
      { id: 4, title: 'Debut', artistId: 3, deletedAt: trashedAt },
    ],
    artists: [
      { id: 1, name: 'Radiohead', favouriteId: 2 },
      { id: 2, name: 'Björk', favouriteId: 3 },
      { id: 3, name: 'Nobody', favouriteId: null },
    ],
    shelves: [{ id: 1, itemId: 2, itemType: 'albums' }],
    places: [
      { id: 1, shelfId: 1, albumId: 1 },
      { id: 2, shelfId: 1, albumId: 2 },
    ],
    things: [
      { id: 1, shelfId: 1, thingId: 2, thingType: 'albums' },
      { id: 2, shelfId: 1, thingId: 1, thingType: 'artists' },
    ],
  })
}

export function trashServer(over: object = {}, settings: object = {}): ReturnType<typeof createServer> {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    softDeletes: true,
    countable: true,
    attributes: (a) => ({ title: a.string().required().sortable(), deletedAt: a.dateTime().nullable().readOnly() }),
    relations: { artist: belongsTo('artists').withData() },
    filters: (f) => ({ title: f.where(), withTrashed: f.withTrashed(), onlyTrashed: f.onlyTrashed() }),
    ...over,
  })
  return createServer({ data: trashData(), ...settings, resources: [albums, artists, shelves] })
}
