import { slugOf } from './slug.js'
import type { AlbumRow } from './types/albums.js'
import type { ArtistRow } from './types/artists.js'
import type { DeviceRow } from './types/devices.js'
import type { GenreRow } from './types/genres.js'
import type { PlaylistRow, PlaylistTrackRow } from './types/playlists.js'
import type { TrackRow } from './types/tracks.js'

const artists: readonly ArtistRow[] = [
  artist(1, 'Radiohead', 'https://www.radiohead.com', 'Five schoolfriends from Abingdon, Oxfordshire.'),
  artist(2, 'Björk', 'https://www.bjork.com', null),
  artist(3, 'Miles Davis', null, 'Trumpeter and bandleader.'),
]

const albums: readonly AlbumRow[] = [
  album(1, 1, 'OK Computer', '1997-06-16', ['Parlophone', 'NODATA 02']),
  album(2, 1, 'In Rainbows', '2007-10-10', ['XL', 'XLCD 324']),
  album(3, 2, 'Homogenic', '1997-09-22', ['One Little Indian', 'TPLP71CD']),
  album(4, 3, 'Kind of Blue', '1959-08-17', ['Columbia', 'CL 1355']),
]

const tracks: readonly TrackRow[] = [
  track(1, 1, [1, 'Airbag', 284], ['rock']),
  track(2, 1, [2, 'Paranoid Android', 383], ['rock', 'art-rock']),
  track(3, 1, [6, 'Karma Police', 261], ['rock']),
  track(4, 1, [10, 'No Surprises', 228], ['rock']),
  track(5, 2, [1, '15 Step', 237], ['rock', 'electronic']),
  track(6, 2, [3, 'Nude', 255], ['rock']),
  track(7, 3, [1, 'Hunter', 255], ['electronic']),
  track(8, 3, [2, 'Jóga', 305], ['electronic', 'art-rock']),
  track(9, 3, [5, 'Bachelorette', 312], ['electronic']),
  track(10, 4, [1, 'So What', 562], ['jazz']),
  track(11, 4, [2, 'Freddie Freeloader', 586], ['jazz']),
  track(12, 4, [3, 'Blue in Green', 337], ['jazz']),
]

const playlists = [
  playlist('b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c', 'Road Trip'),
  playlist('2f1d6c5e-93b7-4d0a-9c58-7a1e0b4d3f62', 'Rainy Day'),
] as const

const [roadTrip, rainyDay] = playlists

const playlistTracks: readonly PlaylistTrackRow[] = [
  ...inOrder(roadTrip, [2, 5, 9]),
  ...inOrder(rainyDay, [12, 4, 8, 2]),
].map((row, index) => ({ id: index + 1, ...row }))

const genres: readonly GenreRow[] = [
  { id: 'art-rock', name: 'Art rock' },
  { id: 'electronic', name: 'Electronic' },
  { id: 'jazz', name: 'Jazz' },
  { id: 'rock', name: 'Rock' },
]

const devices: readonly DeviceRow[] = [{ id: '01HZX3VQ4E8Y6T5S2R1P0N9M8K', label: 'Kitchen radio' }]

/** The first rows of the catalogue, by model. */
export const seeds = { artists, albums, tracks, playlists, playlistTracks, genres, devices } as const

function artist(id: number, name: string, website: string | null, bio: string | null): ArtistRow {
  return { id, name, slug: slugOf(name), website, bio, createdAt: new Date('2026-01-01T00:00:00Z') }
}

type Release = readonly [label: string, catalogueNumber: string]

function album(id: number, artistId: number, title: string, day: string, [label, number]: Release): AlbumRow {
  return {
    id,
    title,
    averageRating: null,
    artwork: null,
    releasedAt: new Date(`${day}T00:00:00Z`),
    explicit: false,
    status: 'released',
    availableFrom: null,
    availableUntil: null,
    label,
    catalogueNumber: number,
    artistId,
  }
}

type Song = readonly [trackNumber: number, title: string, durationSeconds: number]

function track(id: number, albumId: number, [trackNumber, title, durationSeconds]: Song, styles: string[]): TrackRow {
  return { id, title, trackNumber, durationSeconds, explicit: false, genres: styles, previewOffset: null, albumId }
}

function playlist(id: string, title: string): PlaylistRow {
  return { id, title, public: true, externalId: null }
}

function inOrder(list: PlaylistRow, trackIds: readonly number[]): readonly Omit<PlaylistTrackRow, 'id'>[] {
  return trackIds.map((trackId, index) => {
    const position = index + 1
    return { playlistId: list.id, trackId, position, weight: position, addedAt: new Date('2026-01-01T00:00:00Z') }
  })
}
