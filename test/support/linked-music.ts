import { belongsTo, belongsToMany, createServer, hasMany, hasOne, morphTo, morphToMany, type Server } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { typeWith } from './linkage-reader.js'
import { storedData } from './stored-data.js'

/** Relations of every kind, with inverse ones. Those of a type can be declared differently, member by member. */

type TypeName = 'artists' | 'portraits' | 'albums' | 'tracks' | 'playlists'
type Relations = Readonly<Record<string, unknown>>

const relations: Readonly<Record<TypeName, Relations>> = {
  artists: {
    albums: hasMany('albums'),
    portrait: hasOne('portraits'),
    dedications: hasMany('playlists').via('dedicatedToId'),
    collections: belongsToMany('playlists').through('items'),
  },
  portraits: { artist: belongsTo('artists') },
  albums: { artist: belongsTo('artists'), tracks: hasMany('tracks') },
  tracks: { album: belongsTo('albums'), playlists: belongsToMany('playlists') },
  playlists: {
    tracks: belongsToMany('tracks').through('entries', { owner: 'playlistId', member: 'trackId' }),
    orderedTracks: belongsToMany('tracks')
      .storedAs('tracks')
      .fields((a) => ({
        position: a.integer().required().min(1),
        weight: a.integer().nullable().compareWith('position', '>='),
        addedBy: a.string().readOnly(),
      })),
    dedicatedTo: morphTo(['artists', 'albums']),
    items: morphToMany(['artists', 'albums']).through('items', {
      owner: 'playlistId',
      member: 'itemId',
      memberType: 'itemType',
    }),
  },
}

const titled = { attributes: (a: { string(): unknown }) => ({ title: a.string() }) }

/** The first rows: fresh ones for every call. */
export function linkedRows() {
  return {
    artists: [1, 2, 3].map((key) => ({ id: key, title: `Artist ${key}` })),
    portraits: [
      { id: 1, title: 'By the window', artistId: 1 },
      { id: 2, title: 'On stage', artistId: null },
    ],
    albums: [
      { id: 1, title: 'OK Computer', artistId: 1 },
      { id: 2, title: 'Kid A', artistId: 1 },
      { id: 3, title: 'Homogenic', artistId: 2 },
      { id: 4, title: 'Demos', artistId: null },
    ],
    tracks: [
      { id: 1, title: 'Airbag', albumId: 1 },
      { id: 2, title: 'Lucky', albumId: 1 },
      { id: 3, title: 'Idioteque', albumId: 2 },
      { id: 4, title: 'Lift', albumId: null },
    ],
    playlists: [
      { id: 1, title: 'Road Trip', dedicatedToId: 1, dedicatedToType: 'artists' },
      { id: 2, title: 'Rainy Day', dedicatedToId: null, dedicatedToType: null },
    ],
    entries: [
      { id: 1, playlistId: 1, trackId: 2, position: 1, weight: 5, addedBy: 'alice', note: 'opener' },
      { id: 2, playlistId: 1, trackId: 1, position: 2, weight: null, addedBy: 'bob', note: 'loud' },
      { id: 3, playlistId: 2, trackId: 1, position: 1, weight: null, addedBy: 'bob', note: null },
    ],
    items: [
      { id: 1, playlistId: 1, itemId: 1, itemType: 'artists' },
      { id: 2, playlistId: 1, itemId: 2, itemType: 'albums' },
      { id: 3, playlistId: 2, itemId: 1, itemType: 'albums' },
    ],
  }
}

type Settings = Omit<Parameters<typeof createServer>[0], 'resources' | 'data'>

export interface LinkedMusic extends Settings {
  /** Relations that override those of each type. */
  readonly over?: Readonly<Partial<Record<TypeName, Relations>>>
  /** Other members of the declarations. */
  readonly members?: Readonly<Partial<Record<TypeName, object>>>
  readonly data?: DataSource
}

/** A fresh server over fresh rows. */
export function linkedMusic({ over = {}, members = {}, data, ...settings }: LinkedMusic = {}): Server {
  const resources = (Object.keys(relations) as TypeName[]).map((name) =>
    typeWith(name, { ...relations[name], ...over[name] }, { ...titled, ...members[name] }),
  )
  return createServer({ ...settings, resources, data: data ?? storedData(linkedRows()) })
}
