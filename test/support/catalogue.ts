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
import type { AlbumRow, ArtistRow, PlaylistRow, TrackRow, UserRow } from './catalogue-rows.js'
import { catalogueData } from './catalogue-rows.js'

/** The music catalogue, as far as reading goes: the one domain of all tests. */

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
