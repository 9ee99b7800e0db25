import { belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { storedData } from './stored-data.js'

/**
 * Four types in a row: tracks of albums of artists of labels, and back. Each can be declared otherwise, so that a test
 * shows the one thing that it is about.
 */

type Declared = Readonly<Partial<Record<'tracks' | 'albums' | 'artists' | 'labels', object>>>

type Settings = Omit<Parameters<typeof createServer>[0], 'resources' | 'data'>

const tracks = (over: object = {}) =>
  defineResource('tracks', {
    model: model<{ id: number; title: string; albumId: number | null }>('tracks'),
    id: id().allowClientId(),
    attributes: (a) => ({ title: a.string().sortable() }),
    relations: { album: belongsTo('albums') },
    ...over,
  })

const albums = (over: object = {}) =>
  defineResource('albums', {
    model: model<{ id: number; title: string; artistId: number | null }>('albums'),
    id: id().allowClientId(),
    attributes: (a) => ({ title: a.string().sortable() }),
    relations: { artist: belongsTo('artists'), tracks: hasMany('tracks') },
    ...over,
  })

const artists = (over: object = {}) =>
  defineResource('artists', {
    model: model<{ id: number; name: string; labelId: number | null }>('artists'),
    id: id().allowClientId(),
    attributes: (a) => ({ name: a.string().sortable() }),
    relations: { label: belongsTo('labels'), albums: hasMany('albums') },
    ...over,
  })

const labels = (over: object = {}) =>
  defineResource('labels', {
    model: model<{ id: number; name: string }>('labels'),
    id: id().allowClientId(),
    attributes: (a) => ({ name: a.string().sortable() }),
    relations: { artists: hasMany('artists') },
    ...over,
  })

export function recordShopData(): DataSource {
  return storedData({
    labels: [
      { id: 1, name: 'Parlophone' },
      { id: 2, name: 'One Little Independent' },
    ],
    artists: [
      { id: 1, name: 'Radiohead', labelId: 1 },
      { id: 2, name: 'Björk', labelId: 2 },
      { id: 3, name: 'Burial', labelId: null },
    ],
    albums: [
      { id: 1, title: 'OK Computer', artistId: 1 },
      { id: 2, title: 'Kid A', artistId: 1 },
      { id: 3, title: 'Homogenic', artistId: 2 },
      { id: 4, title: 'Untrue', artistId: 3 },
    ],
    tracks: [
      { id: 1, title: 'Airbag', albumId: 1 },
      { id: 2, title: 'Paranoid Android', albumId: 1 },
      { id: 3, title: 'Idioteque', albumId: 2 },
      { id: 4, title: 'Jóga', albumId: 3 },
      { id: 5, title: 'Archangel', albumId: 4 },
      { id: 6, title: 'Unreleased', albumId: null },
    ],
  })
}

export function recordShop(
  declared: Declared = {},
  settings: Settings & { readonly data?: DataSource } = {},
): ReturnType<typeof createServer> {
  const resources = [
    tracks(declared.tracks),
    albums(declared.albums),
    artists(declared.artists),
    labels(declared.labels),
  ] as const
  return createServer({ data: recordShopData(), ...settings, resources })
}
