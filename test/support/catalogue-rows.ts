import { seeds } from '../../examples/music/src/seeds.js'
import type { Seeds } from './derived-tables.js'
import { storedData } from './stored-data.js'

export interface UserRow {
  id: number
  email: string
  displayName: string
  birthDate: string | null
  preferences: object
  lastSeenIp: string | null
  password: string
}

/** The additional columns of users on the second server. */
const accounts = [
  { birthDate: '1990-04-01', preferences: { theme: 'dark' }, lastSeenIp: '192.0.2.1', password: 'correct horse' },
  { birthDate: null, preferences: {}, lastSeenIp: null, password: 'battery staple' },
]

const { playlistTracks, libraryItems, plays: _plays, ...named } = seeds

/**
 * The first rows of the example; a fresh store for every call.
 *
 * @param others rows of a test's own, in place of all those of their models
 */
export function catalogueData(others: Seeds = {}): ReturnType<typeof storedData> {
  return storedData({
    ...named,
    albums: seeds.albums.map((album) => ({ ...album, version: 1 })),
    artists: seeds.artists.map((artist) => ({ ...artist, trackCount: trackCount(artist.id) })),
    users: seeds.users.map((user, index) => ({ ...user, ...accounts[index] })),
    playlist_tracks: playlistTracks.map(numbered),
    library_items: libraryItems.map(numbered),
    ...others,
  })
}

const day = 86_400_000

/** The join rows of playlists, each of another day: the higher its number, the earlier a track was added. */
export const addedApart = playlistTracks
  .map(numbered)
  .map((row) => ({ ...row, addedAt: new Date(row.addedAt.getTime() - row.trackId * day) }))

/** A key for each join row, so that tests can list them. */
function numbered<Row>(row: Row, index: number): Row & { readonly id: number } {
  return { id: index + 1, ...row }
}

/** The database of the example counts them. */
function trackCount(artistId: number): number {
  const albums = new Set(seeds.albums.filter((album) => album.artistId === artistId).map(({ id }) => id))
  return seeds.tracks.filter(({ albumId }) => albumId !== null && albums.has(albumId)).length
}
