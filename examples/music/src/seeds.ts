import type { Insertable, Selectable } from 'kysely'
import { slugOf } from './slug.js'
import type { AlbumRow, ArtistRow, PlaylistTrackRow, Tables, TrackRow } from './tables.js'

const artists = [
  artist(1, 'Radiohead', '1985-01-01', { website: 'https://radiohead.com' }),
  artist(2, 'Björk', '1993-07-05', { bio: 'Icelandic singer.' }),
  artist(3, 'Miles Davis', '1944-01-01', {}),
]

const albums = [
  album(1, 1, 'OK Computer', '1997-05-21', { averageRating: 4.8, label: 'Parlophone', catalogueNumber: 'NODATA 02' }),
  album(2, 1, 'Kid A', '2000-10-02', { averageRating: 4.6 }),
  album(3, 2, 'Homogenic', '1997-09-22', { availableFrom: '1997-09-22', availableUntil: '2030-01-01' }),
  album(4, 3, 'Kind of Blue', '1959-08-17', {}),
]

const tracks = [
  track(1, 1, [1, 'Airbag', 284], 'rock'),
  track(2, 1, [2, 'Paranoid Android', 383], 'rock', 'art-rock'),
  track(3, 2, [1, 'Everything in Its Right Place', 251], 'electronic'),
  track(4, 3, [2, 'Jóga', 305], 'electronic'),
  track(5, 4, [1, 'So What', 562], 'jazz'),
  track(6, 1, [6, 'Karma Police', 261], 'rock'),
  track(7, 2, [8, 'Idioteque', 309], 'electronic', 'art-rock'),
  track(8, 3, [1, 'Hunter', 255], 'electronic'),
  track(9, 3, [5, 'Bachelorette', 312], 'electronic'),
  track(10, 4, [2, 'Freddie Freeloader', 586], 'jazz'),
  track(11, 4, [3, 'Blue in Green', 337], 'jazz'),
  track(12, 4, [4, 'All Blues', 693], 'jazz'),
]

const [alice, bob] = [1, 2]

const users = [
  { id: alice, email: 'alice@music.example', displayName: 'Alice' },
  { id: bob, email: 'bob@music.example', displayName: 'Bob' },
]

const [roadTrip, rainyDay] = ['b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c', '2f1d6c5e-93b7-4d0a-9c58-7a1e0b4d3f62']

const playlists = [
  { id: roadTrip, title: 'Road Trip', public: true, externalId: null, ownerId: alice },
  { id: rainyDay, title: 'Rainy Day', public: false, externalId: null, ownerId: bob },
]

const playlistTracks = [
  ...inOrder(roadTrip, '2026-01-02', [5, 1, 3], [3, 2, 9]),
  ...inOrder(rainyDay, '2026-02-01', [1, 11, 4], [1, 2, 3]),
]

const libraries = [{ id: 1, ownerId: alice }]

const libraryItems = [
  { libraryId: 1, itemId: 2, itemType: 'albums' },
  { libraryId: 1, itemId: 3, itemType: 'artists' },
  { libraryId: 1, itemId: 5, itemType: 'tracks' },
  { libraryId: 1, itemId: 1, itemType: 'tracks' },
]

const favorites = [
  { id: 5, favoritedAt: at('2024-02-29'), userId: alice, favoritableId: 4, favoritableType: 'albums' },
  { id: 6, favoritedAt: at('2024-03-01'), userId: alice, favoritableId: 2, favoritableType: 'artists' },
  { id: 7, favoritedAt: at('2024-03-02'), userId: bob, favoritableId: 5, favoritableType: 'tracks' },
]

const genres = [
  { id: 'art-rock', name: 'Art rock' },
  { id: 'electronic', name: 'Electronic' },
  { id: 'jazz', name: 'Jazz' },
  { id: 'rock', name: 'Rock' },
]

const devices = [{ id: '01J9ZQ4T8W2N6R0V5XB3C7D1EF', label: 'Kitchen radio', deletedAt: null }]

const products = [
  { id: 'prod-a0', name: 'Vinyl', parentId: null },
  { id: 'prod-b1', name: 'Coloured vinyl', parentId: 'prod-a0' },
]

const plays = [
  { trackId: 1, month: '2026-01', times: 41 },
  { trackId: 5, month: '2026-01', times: 57 },
  { trackId: 2, month: '2026-02', times: 73 },
  { trackId: 5, month: '2026-02', times: 12 },
  { trackId: 4, month: '2026-02', times: 30 },
]

/** The first rows by table. A referenced table comes before the tables that refer to it. */
export const seeds = {
  users,
  artists,
  albums,
  tracks,
  playlists,
  playlistTracks,
  libraries,
  libraryItems,
  favorites,
  genres,
  devices,
  products,
  plays,
} satisfies { [Name in keyof Tables]?: readonly Insertable<Tables[Name]>[] }

function at(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

function artist(id: number, name: string, day: string, rest: Partial<ArtistRow>): Selectable<Tables['artists']> {
  return { id, name, slug: slugOf(name), website: null, bio: null, createdAt: at(day), ...rest }
}

/** Albums have no version when the first rows are inserted: see `storage/migrations/7-versions.ts`. */
type FirstAlbum = Omit<AlbumRow, 'version'>

function album(id: number, artistId: number, title: string, day: string, rest: Partial<FirstAlbum>): FirstAlbum {
  return {
    id,
    title,
    averageRating: null,
    artwork: null,
    releasedAt: at(day),
    explicit: false,
    status: 'released',
    availableFrom: null,
    availableUntil: null,
    label: null,
    catalogueNumber: null,
    artistId,
    ...rest,
  }
}

type Song = readonly [trackNumber: number, title: string, durationSeconds: number]

function track(id: number, albumId: number, song: Song, ...styles: string[]): TrackRow {
  const [trackNumber, title, durationSeconds] = song
  return { id, title, trackNumber, durationSeconds, explicit: false, genres: styles, previewOffset: null, albumId }
}

function inOrder(
  playlistId: string,
  day: string,
  trackIds: readonly number[],
  weights: readonly number[],
): readonly PlaylistTrackRow[] {
  return trackIds.map((trackId, index) => {
    const position = index + 1
    return { playlistId, trackId, position, weight: weights[index] ?? position, addedAt: at(day) }
  })
}
