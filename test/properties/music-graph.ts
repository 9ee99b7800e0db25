import {
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  id,
  model,
  morphTo,
  morphToMany,
} from 'ashlar'
import type { DataSource } from 'ashlar/store'
import * as fc from 'fast-check'

/** A small world with every kind of relation between types, and a plain reading of it to compare a server with. */

const labels = defineResource('labels', {
  model: model<{ id: number; name: string | null }>('labels'),
  id: id().sortable(),
  attributes: (a) => ({ name: a.string().nullable() }),
  relations: { artists: hasMany('artists').countable() },
  filters: (f) => ({ text: f.contains('name') }),
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string | null; labelId: number | null; mentorId: number | null }>('artists'),
  id: id().sortable(),
  attributes: (a) => ({ name: a.string().nullable() }),
  relations: {
    label: belongsTo('labels'),
    mentor: belongsTo('artists'),
    pupils: hasMany('artists').via('mentorId').countable(),
    albums: hasMany('albums').countable(),
  },
  filters: (f) => ({ text: f.contains('name') }),
})

const albums = defineResource('albums', {
  model: model<{ id: number; name: string | null; artistId: number | null; remasterOfId: number | null }>('albums'),
  id: id().sortable(),
  attributes: (a) => ({ name: a.string().nullable() }),
  relations: {
    artist: belongsTo('artists'),
    remasterOf: belongsTo('albums'),
    tracks: hasMany('tracks').withData().countable(),
  },
  filters: (f) => ({ text: f.contains('name') }),
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; name: string | null; albumId: number | null }>('tracks'),
  id: id().sortable(),
  attributes: (a) => ({ name: a.string().nullable() }),
  relations: { album: belongsTo('albums'), playlists: belongsToMany('playlists').countable() },
  filters: (f) => ({ text: f.contains('name') }),
})

const playlists = defineResource('playlists', {
  model: model<{ id: number; name: string | null }>('playlists'),
  id: id().sortable(),
  attributes: (a) => ({ name: a.string().nullable() }),
  relations: {
    tracks: belongsToMany('tracks').through('entries', { owner: 'playlistId', member: 'trackId' }).countable(),
  },
  filters: (f) => ({ text: f.contains('name') }),
})

const shelves = defineResource('shelves', {
  model: model<{ id: number; name: string | null; bestId: number | null; bestType: string | null }>('shelves'),
  id: id().sortable(),
  attributes: (a) => ({ name: a.string().nullable() }),
  relations: {
    best: morphTo(['albums', 'artists']),
    items: morphToMany(['tracks', 'albums', 'artists'])
      .through('items', { owner: 'shelfId', member: 'itemId', memberType: 'itemType' })
      .countable(),
  },
  filters: (f) => ({ text: f.contains('name') }),
})

/** Nothing is paginated, so that a document shows all members. */
export function musicServer(data: DataSource): ReturnType<typeof createServer> {
  return createServer({ resources: [labels, artists, albums, tracks, playlists, shelves], data, pagination: null })
}

export interface Identity {
  readonly type: string
  readonly id: string
}

type Row = Readonly<Record<string, string | number | null>>

export type World = Readonly<Record<string, readonly Row[]>>

const typeNames = ['labels', 'artists', 'albums', 'tracks', 'playlists', 'shelves'] as const

/** The most rows of a type; join rows may point further, at rows that are not there. */
const most = 4

const key = fc.option(fc.integer({ min: 1, max: most }), { freq: 4 })
const joined = fc.integer({ min: 1, max: most + 1 })

function rows(columns: Readonly<Record<string, fc.Arbitrary<string | number | null>>>): fc.Arbitrary<readonly Row[]> {
  const name = fc.option(fc.constantFrom('ab', 'Ab', 'b', 'a b', 'é', ''), { freq: 6 })
  const row = fc.record({ name, ...columns })
  return fc.array(row, { maxLength: most }).map((list) => list.map((each, index): Row => ({ ...each, id: index + 1 })))
}

function joinRows(columns: Readonly<Record<string, fc.Arbitrary<string | number>>>): fc.Arbitrary<readonly Row[]> {
  return fc
    .array(fc.record(columns), { maxLength: 10 })
    .map((list) => list.map((each, index): Row => ({ ...each, id: index })))
}

/** Some of the types are named by no relation. */
const memberType = fc.constantFrom('albums', 'artists', 'tracks', 'labels', 'devices')

export const anyWorld: fc.Arbitrary<World> = fc
  .record({
    labels: rows({}),
    artists: rows({ labelId: key, mentorId: key }),
    albums: rows({ artistId: key, remasterOfId: key }),
    tracks: rows({ albumId: key }),
    playlists: rows({}),
    shelves: rows({ bestId: key, bestType: memberType }),
    entries: joinRows({ playlistId: joined, trackId: joined }),
    items: joinRows({ shelfId: joined, itemId: joined, itemType: memberType }),
  })
  .map(withoutStrayKeys)

/** A key in the owner's row refers to an existing row or is null, as a store with foreign keys ensures. */
function withoutStrayKeys(world: World): World {
  const targets: Readonly<Record<string, string>> = {
    labelId: 'labels',
    mentorId: 'artists',
    artistId: 'artists',
    remasterOfId: 'albums',
    albumId: 'albums',
  }
  const sound = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => {
        const target = column === 'bestId' ? String(row['bestType']) : targets[column]
        const exists = target === undefined || world[target]?.some((other) => other['id'] === value) === true
        return [column, exists ? value : null]
      }),
    )
  const own = typeNames.map((type) => [type, (world[type] ?? []).map(sound)] as const)
  return { ...world, ...Object.fromEntries(own) }
}

export interface WorldRelation {
  readonly targets: readonly string[]
  readonly toMany: boolean
  /** Whether linkage is shown by default. */
  readonly always: boolean
  readonly members: (row: Row, world: World) => readonly Identity[]
}

function one(target: string, column: string): WorldRelation {
  const members: WorldRelation['members'] = (row) => (row[column] === null ? [] : [identity(target, row[column])])
  return { targets: [target], toMany: false, always: true, members }
}

function many(target: string, column: string, always = false): WorldRelation {
  const members: WorldRelation['members'] = (row, world) =>
    (world[target] ?? []).filter((other) => other[column] === row['id']).map((other) => identity(target, other['id']))
  return { targets: [target], toMany: true, always, members }
}

function through(target: string, [own, other]: readonly [string, string]): WorldRelation {
  const members: WorldRelation['members'] = (row, world) => {
    const keys = (world['entries'] ?? []).filter((join) => join[own] === row['id']).map((join) => join[other])
    return inWorld(target, keys, world)
  }
  return { targets: [target], toMany: true, always: false, members }
}

/** The rows with some of these keys, each once, in the order of keys. */
function inWorld(type: string, keys: readonly unknown[], world: World): readonly Identity[] {
  return (world[type] ?? []).filter((row) => keys.includes(row['id'])).map((row) => identity(type, row['id']))
}

function identity(type: string, value: unknown): Identity {
  return { type, id: String(value) }
}

/** The relations of each type, in the order of their declaration. */
export const worldRelations: Readonly<Record<string, Readonly<Record<string, WorldRelation>>>> = {
  labels: { artists: many('artists', 'labelId') },
  artists: {
    label: one('labels', 'labelId'),
    mentor: one('artists', 'mentorId'),
    pupils: many('artists', 'mentorId'),
    albums: many('albums', 'artistId'),
  },
  albums: {
    artist: one('artists', 'artistId'),
    remasterOf: one('albums', 'remasterOfId'),
    tracks: many('tracks', 'albumId', true),
  },
  tracks: { album: one('albums', 'albumId'), playlists: through('playlists', ['trackId', 'playlistId']) },
  playlists: { tracks: through('tracks', ['playlistId', 'trackId']) },
  shelves: {
    best: {
      targets: ['albums', 'artists'],
      toMany: false,
      always: true,
      members: ({ bestId, bestType }) =>
        bestId !== null && (bestType === 'albums' || bestType === 'artists') ? [identity(bestType, bestId)] : [],
    },
    items: {
      targets: ['tracks', 'albums', 'artists'],
      toMany: true,
      always: false,
      members: (row, world) => {
        const joins = (world['items'] ?? []).filter(({ shelfId }) => shelfId === row['id'])
        return ['tracks', 'albums', 'artists'].flatMap((type) => {
          const keys = joins.filter(({ itemType }) => itemType === type).map(({ itemId }) => itemId)
          return inWorld(type, keys, world)
        })
      },
    },
  },
}

export function rowOf({ type, id: wireId }: Identity, world: World): Row {
  const row = world[type]?.find((each) => String(each['id']) === wireId)
  if (row === undefined) throw new Error(`There is no '${type}' '${wireId}'.`)
  return row
}

/** The rows that match `filter[text]`: a part of the name, ignoring the case of ASCII letters; nothing matches null. */
export function hasText(resource: Identity, text: string | null, world: World): boolean {
  const { name } = rowOf(resource, world)
  if (text === null) return true
  return typeof name === 'string' && asciiLower(name).includes(asciiLower(text))
}

function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
