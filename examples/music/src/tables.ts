import type { Generated } from 'kysely'

/** The rows of all tables, for both engines. Declarations and custom statements are checked against these types. */

/** The largest value of the type `integer` in PostgreSQL. */
export const largestInteger = 2_147_483_647

export interface ArtistRow {
  id: number
  name: string
  slug: string
  website: string | null
  bio: string | null
  createdAt: Date
  /** Computed by the database: see `types/artists.ts`. */
  trackCount: number
}

export interface AlbumRow {
  id: number
  title: string
  averageRating: number | null
  artwork: string | null
  releasedAt: Date
  explicit: boolean
  status: 'upcoming' | 'released' | 'withdrawn'
  availableFrom: string | null
  availableUntil: string | null
  label: string | null
  catalogueNumber: string | null
  artistId: number | null
  /** Incremented by every write of the service. */
  version: number
}

export interface TrackRow {
  id: number
  title: string
  trackNumber: number
  durationSeconds: number
  explicit: boolean
  genres: string[]
  previewOffset: string | null
  albumId: number | null
}

export interface UserRow {
  id: number
  email: string
  displayName: string
  birthDate: string | null
  preferences: object
  lastSeenIp: string | null
  /** A hash: see `types/accounts.ts`. */
  password: string | null
  isAdmin: boolean
  /** The hash of the user's token; `null` for a user without a token. */
  tokenHash: string | null
}

export interface PlaylistRow {
  id: string
  title: string
  public: boolean
  externalId: string | null
  ownerId: number | null
}

/** A join row of a playlist and a track. */
export interface PlaylistTrackRow {
  playlistId: string
  trackId: number
  position: number
  weight: number
  addedAt: Date
}

export interface LibraryRow {
  id: number
  ownerId: number | null
}

/** A join row of a library and an item. */
export interface LibraryItemRow {
  libraryId: number
  itemId: number
  itemType: string
}

export interface FavoriteRow {
  id: number
  favoritedAt: Date
  userId: number | null
  favoritableId: number | null
  favoritableType: string | null
}

export interface DeviceRow {
  id: string
  label: string
  deletedAt: Date | null
}

export interface GenreRow {
  id: string
  name: string
}

export interface ProductRow {
  id: string
  name: string
  parentId: string | null
}

/** How often a track was played in a month, such as `2026-01`. */
export interface PlayRow {
  trackId: number
  month: string
  times: number
}

export interface ArtworkRow {
  albumId: number
  mediaType: string
  content: Uint8Array
}

export interface ImportRow {
  id: number
  source: string
  status: 'queued' | 'running' | 'done' | 'failed'
}

export interface JobRow {
  id: number
  status: 'queued' | 'running' | 'done'
  progress: number
  importId: number
}

/** Rows for inserts: some columns have a default value in the database. */
type With<Row, Default extends keyof Row> = Omit<Row, Default> & { [Name in Default]: Generated<Row[Name]> }

/** The tables, for Kysely. */
export interface Tables {
  artists: With<Omit<ArtistRow, 'trackCount'>, 'id' | 'createdAt'>
  albums: With<AlbumRow, 'id' | 'releasedAt' | 'explicit' | 'status' | 'version'>
  tracks: With<TrackRow, 'id' | 'durationSeconds' | 'explicit' | 'genres'>
  users: With<UserRow, 'id' | 'preferences' | 'isAdmin'>
  playlists: With<PlaylistRow, 'public'>
  playlistTracks: With<PlaylistTrackRow, 'addedAt'>
  libraries: With<LibraryRow, 'id'>
  libraryItems: LibraryItemRow
  favorites: With<FavoriteRow, 'id' | 'favoritedAt'>
  devices: DeviceRow
  genres: GenreRow
  products: ProductRow
  plays: PlayRow
  artworks: ArtworkRow
  imports: With<ImportRow, 'id'>
  jobs: With<JobRow, 'id' | 'status' | 'progress'>
}
