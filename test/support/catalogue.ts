import {
  belongsTo,
  belongsToMany,
  createServer,
  cursorPage,
  defineResource,
  defineType,
  enumeration,
  fixedPage,
  hasMany,
  hasOne,
  id,
  model,
  morphTo,
  morphToMany,
  numberPage,
  offsetPage,
  pageMenu,
  rule,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'

/** The music catalogue, as far as reading goes: the one domain of all tests. */

interface AlbumRow {
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

const AlbumStatus = enumeration('AlbumStatus', {
  upcoming: 'Announced, not out yet.',
  released: 'Out.',
  withdrawn: 'No longer sold.',
})

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  server: ['default', 'admin'],
  countable: true,
  maxIncludeDepth: 2,
  attributes: (a) => ({
    title: a.string().required().maxLength(200).sortable(),
    averageRating: a.decimal().nullable().readOnly(),
    artwork: a.string().nullable().readOnly(),
    releasedAt: a.dateTime().before(oneYearFromNow).sortable(),
    explicit: a.boolean(),
    status: a.string().enum(AlbumStatus).sortable(),
    availableFrom: a.date().nullable(),
    availableUntil: a.date().nullable().compareWith('availableFrom', '>'),
    releaseInfo: a
      .map()
      .nullable()
      .fields({ label: a.string().nullable(), catalogueNumber: a.string().nullable().maxLength(20) }),
  }),
  relations: {
    artist: belongsTo('artists'),
    tracks: hasMany('tracks')
      .countable()
      .withFilters((f) => ({ longerThan: f.greaterThan('durationSeconds') }))
      .withSorts((s) => ({ duration: s.field('durationSeconds') })),
  },
  filters: (f) => ({
    title: f.contains('title'),
    'artist.name': f.through('artist.name'),
    tracks: f.has('tracks'),
    rating: f.range('averageRating'),
    releasedAt: f.dateRange('releasedAt'),
    q: f.contains('title'),
  }),
  sorts: (s) => ({ 'artist.name': s.through('artist.name') }),
})

function oneYearFromNow(): Date {
  const moment = new Date()
  moment.setUTCFullYear(moment.getUTCFullYear() + 1)
  return moment
}

interface ArtistRow {
  id: number
  name: string
  slug: string
  website: string | null
  bio: string | null
  createdAt: Date
}

const artists = defineResource('artists', {
  model: model<ArtistRow>('artists'),
  id: id(),
  attributes: (a) => ({
    name: a.string().required().maxLength(120).sortable(),
    slug: a.slug().sortable().unique({ message: 'Another artist has this slug.' }),
    website: a.url().nullable(),
    bio: a.string().nullable().maxLength(1000),
    createdAt: a.dateTime().readOnlyOnUpdate().sortable(),
  }),
  relations: { albums: hasMany('albums').paginate(cursorPage()) },
  filters: (f) => ({ slug: f.where('slug').singular(), q: f.contains('name'), name: f.where('name') }),
  countable: true,
  maxIncludeDepth: 2,
})

interface TrackRow {
  id: number
  title: string
  trackNumber: number
  durationSeconds: number
  explicit: boolean
  genres: readonly string[]
  previewOffset: string | null
  albumId: number | null
}

const tracks = defineResource('tracks', {
  model: model<TrackRow>('tracks'),
  id: id(),
  attributes: (a) => ({
    title: a.string().required().sortable(),
    trackNumber: a.integer().min(1).sortable(),
    durationSeconds: a.integer(),
    explicit: a.boolean(),
    genres: a.arrayList().minItems(1).uniqueItems().each(rule.minLength(1)),
    previewOffset: a.time().nullable(),
    displayTitle: a.string().computed((row) => `${row.trackNumber}. ${row.title}`),
  }),
  relations: {
    album: belongsTo('albums'),
    playlists: belongsToMany('playlists').through('playlist_tracks').withData().countable().cannotReplace(),
  },
  filters: (f) => ({
    title: f.contains('title'),
    explicit: f.boolean('explicit'),
    genres: f.in('genres'),
    q: f.contains('title'),
  }),
  pagination: pageMenu([numberPage(), cursorPage(), offsetPage()]),
  countable: true,
  meta: () => ({ served_by: 'ashlar' }),
})

interface PlaylistRow {
  id: string
  title: string
  public: boolean
  externalId: string | null
  ownerId: number | null
}

const playlists = defineResource('playlists', {
  model: model<PlaylistRow>('playlists'),
  id: id().uuid().generated(),
  attributes: (a) => ({
    title: a.string().required(),
    slug: a.string().computed((row) => row.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')),
    public: a.boolean(),
    externalId: a.uuid().nullable(),
  }),
  relations: {
    owner: belongsTo('users').cannotBeIncluded(),
    // The same column as a narrower view of the same rows.
    publicOwner: belongsTo('public-profiles').via('ownerId'),
    tracks: belongsToMany('tracks').through('playlist_tracks', { owner: 'playlistId', member: 'trackId' }).countable(),
    orderedTracks: belongsToMany('tracks')
      .storedAs('tracks')
      .fields((a) => ({
        position: a.integer().required().min(1),
        weight: a.integer().compareWith('position', '>='),
        addedAt: a.dateTime().readOnly(),
      }))
      .withFilters((f) => ({ position: f.numeric('pivot.position'), weight: f.numeric('pivot.weight', '>=') }))
      .defaultSort('position'),
  },
  countable: true,
})

const libraries = defineResource('libraries', {
  model: model<{ id: number; ownerId: number | null }>('libraries'),
  id: id(),
  relations: {
    owner: belongsTo('users'),
    items: morphToMany(['tracks', 'albums', 'artists']).through('library_items', {
      owner: 'libraryId',
      member: 'itemId',
      memberType: 'itemType',
    }),
  },
})

const publicProfiles = defineResource('public-profiles', {
  model: model<UserRow>('users'),
  id: id(),
  readOnly: true,
  attributes: (a) => ({ displayName: a.string().sortable() }),
  pagination: cursorPage(),
})

/** On this server users are only referred to. */
const userReferences = defineType('users', {
  model: model<UserRow>('users'),
  fields: () => ({ id: id() }),
})

const devices = defineResource('devices', {
  model: model<{ id: string; label: string }>('devices'),
  id: id().ulid().generated(),
  attributes: (a) => ({ label: a.string().required() }),
  cacheHeaders: { max_age: 60, public: true, vary: 'Accept-Language', operations: { read: { max_age: 600 } } },
})

const genres = defineResource('genres', {
  model: model<{ id: string; name: string }>('genres'),
  id: id()
    .pattern(/[a-z]+(-[a-z]+)*/)
    .requireClientId(),
  attributes: (a) => ({ name: a.string().required() }),
})

const products = defineResource('products', {
  model: model<{ id: string; name: string; parentId: string | null }>('products'),
  id: id()
    .matchAs(/prod-[0-9a-f]+/)
    .generateUsing(productKey()),
  attributes: (a) => ({ name: a.string().required() }),
  relations: { parent: belongsTo('products') },
  deprecation: true,
  sunset: 'Wed, 31 Dec 2031 23:59:59 GMT',
  sunsetLink: 'https://music.example/sunset',
})

function productKey(): () => string {
  let last = 0xa0
  return () => {
    last += 1
    return `prod-${last.toString(16)}`
  }
}

/** Ids on the wire are not the stored keys. */
const favorites = defineResource('favorites', {
  model: model<{
    id: number
    favoritedAt: Date
    userId: number | null
    favoritableId: number | null
    favoritableType: string | null
  }>('favorites'),
  id: id()
    .allowClientId()
    .encodeUsing<number>({
      encode: (key) => `fav-${(key * 7).toString(36)}`,
      decode(wireId) {
        const key = /^fav-[0-9a-z]+$/.test(wireId) ? Number.parseInt(wireId.slice(4), 36) / 7 : Number.NaN
        return Number.isInteger(key) ? key : null
      },
    }),
  attributes: (a) => ({ favoritedAt: a.dateTime().readOnlyOnUpdate() }),
  relations: { user: belongsTo('users'), favoritable: morphTo(['tracks', 'albums', 'artists']) },
  defaultIncludes: ['favoritable'],
})

interface UserRow {
  id: number
  email: string
  displayName: string
  birthDate: string | null
  preferences: object
  lastSeenIp: string | null
  password: string
}

const users = defineResource('users', {
  model: model<UserRow>('users'),
  id: id(),
  server: 'admin',
  attributes: (a) => ({
    email: a.email().required().unique(),
    displayName: a.string().required(),
    birthDate: a.date().nullable(),
    preferences: a.arrayHash().maxProperties(20),
    lastSeenIp: a.ip().nullable(),
    password: a.string().required().minLength(8).writeOnly(),
    passwordConfirm: a.string().computed().writeOnly().compareWith('password', '='),
  }),
  relations: { playlists: hasMany('playlists').via('ownerId'), library: hasOne('libraries').via('ownerId') },
})

const countryNames: Readonly<Record<string, string>> = { is: 'Iceland', no: 'Norway', se: 'Sweden' }

const countries = defineType('countries', {
  fields: (a) => ({ code: id(), name: a.string() }),
  serializer: {
    members: ['name'],
    serialize: (row) => ({ id: String(row['code']), attributes: { name: row['name'] } }),
  },
  provider: {
    fetchOne: (_type, code) => (Object.hasOwn(countryNames, code) ? { code, name: countryNames[code] } : null),
    fetchCollection: () => Object.entries(countryNames).map(([code, name]) => ({ code, name })),
  },
  pagination: fixedPage(),
  operations: ['FetchCollection', 'FetchOne'],
})

/** Famous rows; a fresh store for every call. */
export function catalogueData(): ReturnType<typeof memoryData> {
  return memoryData({
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

export const catalogueTypes = [
  albums,
  artists,
  tracks,
  playlists,
  libraries,
  publicProfiles,
  userReferences,
  devices,
  genres,
  products,
  favorites,
  users,
  countries,
] as const

type Settings = Omit<Parameters<typeof createServer<typeof catalogueTypes>>[0], 'resources' | 'data' | 'servers'>

/** Two servers over fresh rows: `default` without a prefix, and `admin`. */
export function catalogueServer(settings: Settings = {}): ReturnType<typeof createServer<typeof catalogueTypes>> {
  return createServer({
    ...settings,
    resources: catalogueTypes,
    data: catalogueData(),
    servers: { admin: { prefix: '/admin' } },
  })
}
