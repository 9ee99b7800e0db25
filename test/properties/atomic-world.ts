import {
  atomic,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  hasOne,
  id,
  model,
  morphTo,
} from 'ashlar'
import type { DataSource } from 'ashlar/store' // biome-ignore format: a list
import { uuid } from './writes-rows.js'

/** A small catalogue with every kind of id and relation. All that is stored is shown by some type. */

/** Rows of these are all that is read to show them: where only that is written, they can be created together. */
const labels = defineResource('labels', {
  model: model<{ id: number; name: string; city: string | null }>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string().required().maxLength(40).unique(), city: a.string().nullable() }),
  relations: { artists: hasMany('artists') },
})

const portraits = defineResource('portraits', {
  model: model<{ id: number; title: string; artistId: number | null }>('portraits'),
  id: id(),
  attributes: (a) => ({ title: a.string().required().maxLength(40) }),
  relations: { artist: belongsTo('artists') },
})

interface TrackRow {
  id: string
  title: string
  code: string | null
  seconds: number | null
  albumId: number | null
}

const tracks = defineResource('tracks', {
  model: model<TrackRow>('tracks'),
  id: id().uuid().generated().allowClientId(),
  attributes: (a) => ({
    title: a.string().required().maxLength(40),
    code: a.string().nullable().unique(),
    seconds: a.integer().nullable().min(1),
  }),
  relations: { album: belongsTo('albums'), playlists: belongsToMany('playlists') },
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; labelId: number | null }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().required().maxLength(40).unique() }),
  relations: {
    label: belongsTo('labels'),
    albums: hasMany('albums').withData(),
    portrait: hasOne('portraits').withData(),
  },
})

interface AlbumRow {
  id: number
  title: string
  year: number | null
  artistId: number | null
  remasterOfId: number | null
}

/** The ids on the wire are not the keys. */
const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id().encodeUsing<number>({
    encode: (key) => `al-${key.toString(36)}`,
    decode: (wireId) => (/^al-[0-9a-z]{1,6}$/.test(wireId) ? Number.parseInt(wireId.slice(3), 36) : null),
  }),
  attributes: (a) => ({
    title: a.string().required().maxLength(40),
    year: a.integer().nullable().min(1860).max(2100),
  }),
  relations: {
    artist: belongsTo('artists').required(),
    tracks: hasMany('tracks').withData(),
    remasterOf: belongsTo('albums'),
    remasters: hasMany('albums').via('remasterOfId').withData(),
  },
})

interface PlaylistRow {
  id: string
  title: string
  dedicatedToId: number | null
  dedicatedToType: string | null
}

const playlists = defineResource('playlists', {
  model: model<PlaylistRow>('playlists'),
  id: id()
    .pattern(/[a-z-]+/)
    .requireClientId(),
  attributes: (a) => ({ title: a.string().required().maxLength(40) }),
  relations: {
    tracks: belongsToMany('tracks')
      .through('entries', { owner: 'playlistId', member: 'trackId' })
      .fields((a) => ({ position: a.integer().required().min(1), note: a.string().nullable() }))
      .withData(),
    dedicatedTo: morphTo(['artists', 'albums']),
  },
})

/** The join rows themselves, for checks. */
const entries = defineResource('entries', {
  model: model<{ id: number; playlistId: string; trackId: string; position: number; note: string | null }>('entries'),
  id: id(),
  attributes: (a) => ({
    playlistId: a.string(),
    trackId: a.string(),
    position: a.integer(),
    note: a.string().nullable(),
  }),
})

const resources = [labels, portraits, tracks, artists, albums, playlists, entries]

/** Nothing is paginated, so that a document shows all members. */
export function catalogueServer(data: DataSource): ReturnType<typeof createServer> {
  return createServer({ resources, data, pagination: null, extensions: [atomic()] })
}

/** All that is stored, under the names of the models. Fresh objects for every call. */
export function catalogueRows() {
  return {
    labels: [
      { id: 1, name: 'Parlophone', city: 'London' },
      { id: 2, name: 'Go! Beat', city: null },
    ],
    artists: [
      { id: 1, name: 'Radiohead', labelId: 1 },
      { id: 2, name: 'Björk', labelId: null },
    ],
    portraits: [{ id: 1, title: 'By the window', artistId: 1 }],
    albums: [
      { id: 1, title: 'OK Computer', year: 1997, artistId: 1, remasterOfId: null },
      { id: 40, title: 'Homogenic', year: null, artistId: 2, remasterOfId: null },
    ],
    tracks: [1, 2, 3].map((key) => ({
      id: uuid(key),
      title: `Track ${key}`,
      code: key === 1 ? 'A-1' : null,
      seconds: null,
      albumId: key === 3 ? null : 1,
    })),
    playlists: [
      { id: 'monday', title: 'Monday', dedicatedToId: 1, dedicatedToType: 'artists' },
      { id: 'tuesday', title: 'Tuesday', dedicatedToId: null, dedicatedToType: null },
    ],
    entries: [{ id: 1, playlistId: 'monday', trackId: uuid(1), position: 1, note: 'opener' }],
  }
}

/** The ids that the first rows have on the wire. */
export const seeded: Readonly<Record<string, readonly string[]>> = {
  labels: ['1', '2'],
  artists: ['1', '2'],
  portraits: ['1'],
  albums: ['al-1', 'al-14'],
  tracks: [uuid(1), uuid(2), uuid(3)],
  playlists: ['monday', 'tuesday'],
  entries: ['1'],
}
