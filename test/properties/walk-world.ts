import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model } from 'ashlar'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import type { TestClient } from 'ashlar/testing'
import * as fc from 'fast-check'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

/** Tracks with ties and nulls in every column, to be walked page by page in any order. */

export interface Track {
  readonly id: string
  readonly title: string | null
  readonly year: number | null
  readonly releasedAt: Date | null
  readonly albumId: number | null
  readonly artistId: number
}

/** A track's position in the playlist; `null` for tracks that are not in it. */
export interface World {
  readonly tracks: readonly Track[]
  readonly positions: ReadonlyMap<string, number | null>
}

const albumTitles: readonly (string | null)[] = ['Kid A', 'Amnesiac', 'Kid A', null]

/** Texts whose order by code points is not that of their UTF-16 units. */
const texts = ['', 'a', 'B', 'a b', 'é', '\uFFFD', '😀']
const moments = ['1999-12-31T23:59:59.999Z', '2000-01-01T00:00:00.000Z', '2000-01-01T00:00:00.001Z']

const trackId = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'x', 'y', 'z'),
  minLength: 1,
  maxLength: 3,
})

export const track: fc.Arbitrary<Track> = fc.record({
  id: trackId,
  title: fc.option(fc.constantFrom(...texts)),
  year: fc.option(fc.integer({ min: -1, max: 2 })),
  releasedAt: fc.option(fc.constantFrom(...moments).map((moment) => new Date(moment))),
  albumId: fc.option(fc.integer({ min: 1, max: albumTitles.length + 1 })),
  artistId: fc.constantFrom(1, 1, 1, 2),
})

export function tracksUpTo(maxLength: number): fc.Arbitrary<readonly Track[]> {
  return fc.uniqueArray(track, { selector: (row) => row.id, maxLength })
}

export function worldUpTo(maxLength: number): fc.Arbitrary<World> {
  const placed = fc.tuple(track, fc.boolean(), fc.option(fc.integer({ min: 0, max: 2 })))
  return fc.uniqueArray(placed, { selector: ([row]) => row.id, maxLength }).map((all) => ({
    tracks: all.map(([row]) => row),
    positions: new Map(all.filter(([, listed]) => listed).map(([row, , position]) => [row.id, position])),
  }))
}

/** The collection that is walked: all tracks, or those of a relation. */
export interface WalkedList {
  readonly path: string
  readonly sorts: readonly string[]
  /** Whether documents of it describe their page. */
  readonly hasMeta: boolean
  holds(row: Track, world: World): boolean
}

const columnSorts = ['title', 'year', 'releasedAt', 'album.title']

function walkedList(path: string, holds: WalkedList['holds'], sorts: readonly string[] = columnSorts): WalkedList {
  return { path, holds, sorts, hasMeta: !path.includes('/relationships/') }
}

const ofArtist: WalkedList['holds'] = (row) => row.artistId === 1
const listed: WalkedList['holds'] = (row, { positions }) => positions.has(row.id)

export const collection: WalkedList = walkedList('/tracks', () => true)
export const related: WalkedList = walkedList('/artists/1/tracks', ofArtist)
export const linkage: WalkedList = walkedList('/artists/1/relationships/tracks', ofArtist)
export const joinedLists: readonly WalkedList[] = [
  walkedList('/playlists/1/tracks', listed),
  walkedList('/playlists/1/relationships/tracks', listed),
  walkedList('/playlists/1/placedTracks', listed, [...columnSorts, 'position']),
]

export interface Level {
  readonly key: string
  readonly descending: boolean
}

export function levelsOf({ sorts }: WalkedList): fc.Arbitrary<readonly Level[]> {
  const level = fc.record({ key: fc.constantFrom(...sorts), descending: fc.boolean() })
  return fc.uniqueArray(level, { selector: ({ key }) => key, maxLength: 3 })
}

export function sortParameter(levels: readonly Level[]): string {
  return levels.map(({ key, descending }) => `${descending ? '-' : ''}${key}`).join(',')
}

/** The compared value at a level; moments by their instant. */
function valueOf(row: Track, key: string, { positions }: World): string | number | null {
  switch (key) {
    case 'id':
    case 'title':
    case 'year':
      return row[key]
    case 'releasedAt':
      return row.releasedAt?.getTime() ?? null
    case 'position':
      return positions.get(row.id) ?? null
    default:
      return row.albumId === null ? null : (albumTitles[row.albumId - 1] ?? null)
  }
}

/** Null is larger than everything, text goes by code points. */
function compareValues(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0)
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** The order of tracks; in the end by id, in the direction of the last level. */
export function orderOf(levels: readonly Level[], world: World): (a: Track, b: Track) => number {
  const all = [...levels, { key: 'id', descending: levels.at(-1)?.descending === true }]
  return (a, b) => {
    for (const { key, descending } of all) {
      const order = compareValues(valueOf(a, key, world), valueOf(b, key, world))
      if (order !== 0) return descending ? -order : order
    }
    return 0
  }
}

/** A server over these rows whose tracks are cut by one paginator everywhere; `entries` are for changing them. */
export function walkServer({ tracks: rows, positions }: World, paginator: AnyPaginator): TestClient {
  const attributes = { model: model<Track>('tracks'), id: id().allowClientId() }
  const tracks = defineResource('tracks', {
    ...attributes,
    attributes: (a) => ({
      title: a.string().nullable().sortable(),
      year: a.integer().nullable().sortable(),
      releasedAt: a.dateTime().nullable().sortable(),
    }),
    relations: { album: belongsTo('albums'), artist: belongsTo('artists') },
    sorts: (s) => ({ 'album.title': s.through('album.title') }),
    readOnly: true,
    pagination: paginator,
  })
  const entries = defineResource('entries', {
    ...attributes,
    attributes: (a) => ({
      title: a.string().nullable(),
      year: a.integer().nullable(),
      releasedAt: a.dateTime().nullable(),
      albumId: a.integer().nullable(),
      artistId: a.integer(),
    }),
  })
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string | null }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().nullable() }),
  })
  const artists = defineResource('artists', {
    model: model<{ id: number }>('artists'),
    id: id(),
    relations: { tracks: hasMany('tracks').via('artistId') },
  })
  const inPlaylist = belongsToMany('tracks').through('placements', { owner: 'playlistId', member: 'trackId' })
  const playlists = defineResource('playlists', {
    model: model<{ id: number }>('playlists'),
    id: id(),
    relations: {
      tracks: inPlaylist,
      placedTracks: inPlaylist.fields((a) => ({ position: a.integer().nullable() })),
    },
  })
  const data = storedData({
    tracks: rows,
    albums: albumTitles.map((title, index) => ({ id: index + 1, title })),
    artists: [{ id: 1 }, { id: 2 }],
    playlists: [{ id: 1 }],
    placements: Array.from(positions, ([key, position]) => ({ id: key, playlistId: 1, trackId: key, position })),
  })
  return client(createServer({ resources: [tracks, entries, albums, artists, playlists], data }))
}
