import {
  belongsTo,
  belongsToMany,
  createServer,
  cursorPage,
  defineResource,
  hasMany,
  id,
  morphTo,
  numberPage,
  pageMenu,
  type Server,
} from 'ashlar'
import { type SqlDataOptions, sqlData, table } from 'ashlar/sql'
import { DatabaseSync } from '@photostructure/sqlite'
import { Pool } from 'pg'
import { type MusicDatabase, migrateMusic } from './music-migrations.js'

/** The music catalogue as a user declares it over tables of a database. */

interface TrackRow {
  id: number
  title: string
  seconds: number
  rating: number | null
  plays: number
  albumId: number | null
}

const paged = pageMenu([numberPage({ size: 20, maxSize: 1000 }), cursorPage({ size: 20, maxSize: 1000 })], {
  default: 'cursor',
})

/** @param isVersioned whether they have a version, in a column that only some tables have */
const artists = (isVersioned: boolean) =>
  defineResource('artists', {
    model: table<{ id: number; name: string; country: string | null; lockVersion: number | null }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string().sortable(), country: a.string().nullable() }),
    relations: { albums: hasMany('albums').countable(), dedications: hasMany('playlists').via('dedicatedToId') },
    filters: (f) => ({ track: f.through('albums.tracks.title') }),
    pagination: paged,
    version: isVersioned ? 'lockVersion' : null,
  })

const albums = defineResource('albums', {
  model: table<{ id: number; title: string; year: number | null; artistId: number | null }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().sortable(), year: a.integer().nullable().sortable() }),
  relations: {
    artist: belongsTo('artists').nullable(),
    tracks: hasMany('tracks').countable().withoutPagination(),
    pagedTracks: hasMany('tracks')
      .storedAs('tracks')
      .paginate(cursorPage({ size: 3 })),
  },
  filters: (f) => ({
    year: f.where(),
    title: f.contains(),
    begins: f.startsWith('title'),
    artist: f.through('artist.name'),
  }),
  pagination: paged,
})

const tracks = (isCounted: boolean) =>
  defineResource('tracks', {
    model: table<TrackRow>('tracks'),
    id: id().sortable(),
    attributes: (a) => ({
      title: a.string().sortable(),
      seconds: a.integer().sortable(),
      rating: a.integer().nullable().sortable(),
      plays: a.integer().sortable(),
    }),
    relations: { album: belongsTo('albums').nullable(), playlists: belongsToMany('playlists').countable() },
    filters: (f) => ({
      ids: f.idIn(),
      title: f.contains(),
      begins: f.startsWith('title'),
      rating: f.range(),
      seconds: f.in(),
      artist: f.through('album.artist.name'),
      listed: f.has('playlists'),
      search: f.any({ title: f.contains('title'), album: f.through('album.title') }),
    }),
    hooks: {
      beforeUpdate(draft, { plays }) {
        if (isCounted) draft.plays = plays + 1
      },
    },
    pagination: paged,
  })

const playlists = ({ isScoped = false, isHooked = false }: MusicOptions) =>
  defineResource('playlists', {
    model: table<{
      id: number
      title: string
      public: boolean
      dedicatedToId: number | null
      dedicatedToType: string | null
    }>('playlists'),
    id: id(),
    attributes: (a) => ({ title: a.string().sortable(), public: a.boolean() }),
    relations: {
      tracks: belongsToMany('tracks')
        .through('playlist_tracks', { owner: 'playlistId', member: 'trackId' })
        .fields((a) => ({ position: a.integer().nullable(), weight: a.integer().nullable() }))
        .countable()
        .withoutPagination(),
      dedicatedTo: morphTo(['artists', 'albums']).nullable(),
    },
    scope: (_context, f) => (isScoped ? f.where('public').fixed(true) : null),
    hooks: isHooked ? { beforeDelete() {} } : {},
    pagination: paged,
  })

const joinRows = table<{ playlistId: number; trackId: number; position: number | null; weight: number | null }>(
  'playlist_tracks',
  { key: ['playlistId', 'trackId'] },
)

type Settings = Omit<Parameters<typeof createServer>[0], 'resources' | 'data'>

export interface MusicOptions extends SqlDataOptions {
  /** Only public playlists are visible. */
  readonly isScoped?: boolean
  /** Playlists have a hook before they are deleted, so that a deletion takes a transaction. */
  readonly isHooked?: boolean
  /** Every change of a track is a play, which a hook writes. A change takes a transaction in any case. */
  readonly isCounted?: boolean
  /** Whether artists have a version, in the column `lock_version`. */
  readonly isVersioned?: boolean
  readonly settings?: Settings
}

/** A server over the tables of `migrateMusic()`. */
export function musicServer(
  database: MusicDatabase,
  {
    isScoped = false,
    isHooked = false,
    isCounted = false,
    isVersioned = false,
    settings = {},
    ...options
  }: MusicOptions = {},
): Server {
  return createServer({
    ...settings,
    resources: [artists(isVersioned), albums, tracks(isCounted), playlists({ isScoped, isHooked })],
    data: sqlData(database, { tables: [joinRows], naming: 'snake_case', ...options }),
  })
}

/** A music database of a test, and the functions to query it without the server. */
export interface OpenMusic {
  readonly database: MusicDatabase
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  close(): Promise<void>
}

/** @param file a path, `:memory:`, or the address of a PostgreSQL server with an empty schema */
export function openMusic(file: string): OpenMusic {
  if (file.startsWith('postgres')) {
    const pool = new Pool({ connectionString: file, max: 8 })
    return {
      database: pool,
      rows: async (sql) => (await pool.query<Readonly<Record<string, unknown>>>(sql)).rows,
      close: () => pool.end(),
    }
  }
  const database = new DatabaseSync(file)
  return {
    database,
    rows: async (sql) => database.prepare(sql).all() as readonly Readonly<Record<string, unknown>>[],
    close: async () => database.close(),
  }
}

/** @param count the number of tracks: see `migrateMusic()` */
export async function madeMusic(file: string, count = 0): Promise<OpenMusic> {
  const music = openMusic(file)
  await migrateMusic(music.database, count)
  return music
}
