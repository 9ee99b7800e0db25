import { storedData } from './stored-data.js'

export interface AlbumRow {
  id: number
  title: string
  averageRating: number | null
  artwork: string | null
  releasedAt: Date
  explicit: boolean
  status: string
  availableFrom: string | null
  availableUntil: string | null
  label: string | null
  catalogueNumber: string | null
  artistId: number | null
}

export interface ArtistRow {
  id: number
  name: string
  slug: string
  website: string | null
  bio: string | null
  createdAt: Date
}

export interface TrackRow {
  id: number
  title: string
  trackNumber: number
  durationSeconds: number
  explicit: boolean
  genres: readonly string[]
  previewOffset: string | null
  albumId: number | null
}

export interface PlaylistRow {
  id: string
  title: string
  public: boolean
  externalId: string | null
  ownerId: number | null
}

export interface UserRow {
  id: number
  email: string
  displayName: string
  birthDate: string | null
  preferences: object
  lastSeenIp: string | null
  password: string
}

/** Famous rows; a fresh store for every call. */
export function catalogueData(): ReturnType<typeof storedData> {
  return storedData({
    artists: [
      {
        id: 1,
        name: 'Radiohead',
        slug: 'radiohead',
        website: 'https://radiohead.com',
        bio: null,
        createdAt: at('1985-01-01'),
      },
      { id: 2, name: 'Björk', slug: 'bjork', website: null, bio: 'Icelandic singer.', createdAt: at('1993-07-05') },
      { id: 3, name: 'Miles Davis', slug: 'miles-davis', website: null, bio: null, createdAt: at('1944-01-01') },
    ],
    albums: [
      album(1, 'OK Computer', {
        releasedAt: at('1997-05-21'),
        averageRating: 4.8,
        label: 'Parlophone',
        catalogueNumber: 'NODATA 02',
        artistId: 1,
      }),
      album(2, 'Kid A', { releasedAt: at('2000-10-02'), averageRating: 4.6, artistId: 1 }),
      album(3, 'Homogenic', {
        releasedAt: at('1997-09-22'),
        availableFrom: '1997-09-22',
        availableUntil: '2030-01-01',
        artistId: 2,
      }),
      album(4, 'Kind of Blue', { releasedAt: at('1959-08-17'), artwork: '/artwork/4.png', artistId: 3 }),
    ],
    tracks: [
      track(1, 'Airbag', [1, 1], 284, ['rock']),
      track(2, 'Paranoid Android', [1, 2], 383, ['rock', 'art rock']),
      track(3, 'Everything in Its Right Place', [2, 1], 251, ['electronic']),
      track(4, 'Jóga', [3, 2], 305, ['electronic']),
      track(5, 'So What', [4, 1], 562, ['jazz']),
    ],
    playlists: [
      { id: 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c', title: 'Road Trip', public: true, externalId: null, ownerId: 1 },
      { id: '2f1d6c5e-93b7-4d0a-9c58-7a1e0b4d3f62', title: 'Rainy Day', public: false, externalId: null, ownerId: 2 },
    ],
    playlist_tracks: [
      {
        id: 1,
        playlistId: 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c',
        trackId: 5,
        position: 1,
        weight: 3,
        addedAt: at('2024-01-02'),
      },
      {
        id: 2,
        playlistId: 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c',
        trackId: 1,
        position: 2,
        weight: 2,
        addedAt: at('2024-01-03'),
      },
      {
        id: 3,
        playlistId: 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c',
        trackId: 3,
        position: 3,
        weight: 9,
        addedAt: at('2024-01-01'),
      },
      {
        id: 4,
        playlistId: '2f1d6c5e-93b7-4d0a-9c58-7a1e0b4d3f62',
        trackId: 1,
        position: 1,
        weight: 1,
        addedAt: at('2024-02-01'),
      },
    ],
    libraries: [
      { id: 1, ownerId: 1 },
      { id: 2, ownerId: null },
    ],
    library_items: [
      { id: 1, libraryId: 1, itemId: 2, itemType: 'albums' },
      { id: 2, libraryId: 1, itemId: 3, itemType: 'artists' },
      { id: 3, libraryId: 1, itemId: 5, itemType: 'tracks' },
      { id: 4, libraryId: 1, itemId: 1, itemType: 'tracks' },
    ],
    devices: [{ id: '01J9ZQ4T8W2N6R0V5XB3C7D1EF', label: 'Kitchen radio' }],
    genres: [{ id: 'art-rock', name: 'Art rock' }],
    products: [
      { id: 'prod-a0', name: 'Vinyl', parentId: null },
      { id: 'prod-b1', name: 'Coloured vinyl', parentId: 'prod-a0' },
    ],
    favorites: [
      { id: 5, favoritedAt: at('2024-02-29'), userId: 1, favoritableId: 4, favoritableType: 'albums' },
      { id: 6, favoritedAt: at('2024-03-01'), userId: 1, favoritableId: 2, favoritableType: 'artists' },
      { id: 7, favoritedAt: at('2024-03-02'), userId: 2, favoritableId: null, favoritableType: null },
    ],
    users: [
      {
        id: 1,
        email: 'alice@music.example',
        displayName: 'Alice',
        birthDate: '1990-04-01',
        preferences: { theme: 'dark' },
        lastSeenIp: '192.0.2.1',
        password: 'correct horse',
      },
      {
        id: 2,
        email: 'bob@music.example',
        displayName: 'Bob',
        birthDate: null,
        preferences: {},
        lastSeenIp: null,
        password: 'battery staple',
      },
    ],
  })
}

function at(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

function album(key: number, title: string, rest: Partial<AlbumRow>): AlbumRow {
  return {
    id: key,
    title,
    averageRating: null,
    artwork: null,
    releasedAt: at('2000-01-01'),
    explicit: false,
    status: 'released',
    availableFrom: null,
    availableUntil: null,
    label: null,
    catalogueNumber: null,
    artistId: null,
    ...rest,
  }
}

type Place = readonly [albumId: number, trackNumber: number]

function track(key: number, title: string, place: Place, durationSeconds: number, styles: string[]): TrackRow {
  const [albumId, trackNumber] = place
  return { id: key, title, trackNumber, durationSeconds, explicit: false, genres: styles, previewOffset: null, albumId }
}
