import type { ResourceMetadata, ServerSettings } from 'ashlar'
import type { QueryCostSettings } from '../../src/server/assembly/declared/query-cost-settings.js'
import {
  actionResource,
  reply,
  belongsTo,
  belongsToMany,
  createServer,
  cursorPage,
  defineResource,
  fixedPage,
  hasMany,
  hasOne,
  id,
  model,
  morphToMany,
  noContent,
  numberPage,
  offsetPage,
} from 'ashlar'
import { sqlFilter } from 'ashlar/sql'
import type { DataSource } from 'ashlar/store'
import { sql } from 'kysely'
import { storedData } from './stored-data.js'

/** Types whose reads cost something different each. */

interface Titled {
  readonly id: number
  readonly title: string
}

const artists = defineResource('artists', {
  model: model<Titled & { labelId: number | null }>('artists'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { label: belongsTo('labels'), albums: hasMany('albums'), profile: hasOne('profiles') },
  pagination: offsetPage({ size: 5 }),
})

const albums = defineResource('albums', {
  model: model<Titled & { artistId: number | null }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().sortable() }),
  relations: {
    artist: belongsTo('artists').filterable(),
    tracks: hasMany('tracks').expectedMembers(12).countable(),
  },
  filters: (f) => ({
    title: f.contains(),
    slug: f.where('title').singular(),
    'artist.title': f.through(),
    'artist.label.title': f.through(),
    tracks: f.has(),
    anything: f.any({ title: f.where('title'), artist: f.through('artist.title') }),
    odd: f.custom({ matches: () => true, apply: sqlFilter(() => sql`1 = 1`) }),
  }),
  sorts: (s) => ({ artist: s.through('artist.title') }),
  countable: true,
  actions: (a) => ({
    draw: a.collection({ methods: ['GET'], responds: noContent(), handle: () => reply.noContent() }),
    reissue: a.resource({ responds: actionResource(), handle: ({ entity }) => reply.resource(entity) }),
  }),
})

const tracks = defineResource('tracks', {
  model: model<Titled & { albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    album: belongsTo('albums'),
    playlists: belongsToMany('playlists').through('playlist_tracks', { owner: 'trackId', member: 'playlistId' }),
  },
  pagination: fixedPage({ size: 7 }),
})

const playlists = defineResource('playlists', {
  model: model<Titled>('playlists'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    tracks: belongsToMany('tracks')
      .through('playlist_tracks', { owner: 'playlistId', member: 'trackId' })
      .paginate(cursorPage({ size: 4 }))
      .withData(),
  },
  pagination: numberPage({ size: 3 }).withCount().estimable(),
})

const labels = defineResource('labels', {
  model: model<Titled>('labels'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { artists: hasMany('artists').withoutPagination() },
  expectedRows: 8,
})

const profiles = defineResource('profiles', {
  model: model<Titled & { artistId: number | null }>('profiles'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { artist: belongsTo('artists') },
  pagination: null,
  defaultIncludes: ['artist'],
})

const shelves = defineResource('shelves', {
  model: model<Titled>('shelves'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    items: morphToMany(['albums', 'artists'])
      .through('shelf_items', { owner: 'shelfId', member: 'itemId', memberType: 'itemType' })
      .expectedMembers(6),
  },
  pagination: null,
  expectedRows: 2,
  defaultIncludes: (row) => (row.id === 1 ? ['items'] : []),
})

export const costedTypes = [artists, albums, tracks, playlists, labels, profiles, shelves] as const

const titled = (count: number, more: (key: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, title: `Title ${index + 1}`, ...more(index + 1) }))

export function costedData(): DataSource {
  return storedData({
    labels: titled(1),
    artists: titled(2, () => ({ labelId: 1 })),
    albums: titled(3, (key) => ({ artistId: key === 3 ? null : key })),
    tracks: titled(4, () => ({ albumId: 1 })),
    playlists: titled(1),
    playlist_tracks: [{ playlistId: 1, trackId: 1 }],
    profiles: titled(1, () => ({ artistId: 1 })),
    shelves: titled(1),
    shelf_items: [{ shelfId: 1, itemId: 1, itemType: 'albums' }],
  })
}

type Settings = Omit<ServerSettings<typeof costedTypes>, 'resources' | 'queryCost'>

export function costedMusic(
  queryCost: QueryCostSettings | false,
  settings: Settings = {},
  metadata: ResourceMetadata & { readonly policy?: 'public' } = {},
): ReturnType<typeof createServer<typeof costedTypes>> {
  const resources = costedTypes.map((each) => each.with(metadata)) as unknown as typeof costedTypes
  return createServer({ data: costedData(), ...settings, resources, queryCost })
}
