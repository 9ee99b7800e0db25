import type { Insertable } from 'kysely'
import { seeds } from '../seeds.js'
import { slugOf } from '../slug.js'
import type { Tables } from '../tables.js'
import { albumTitle, artistName, labelName, personName, playlistTitle, trackTitle } from './names.js'
import type { Random } from './random.js'

/** The next key of each table with sequential keys. */
export type Keys = Record<'artists' | 'albums' | 'tracks' | 'users' | 'libraries' | 'favorites', number>

/** A row, and the table to which it belongs. */
export type NewRow = { [Name in keyof Tables]: readonly [table: Name, row: Insertable<Tables[Name]>] }[keyof Tables]

interface State {
  readonly random: Random
  /** The next keys. Each new row increments one of them. */
  readonly keys: Keys
  /** The keys at the start of the run. All rows from these keys on exist. */
  readonly first: Readonly<Keys>
}

type Rows = Generator<NewRow, void>
type AlbumRow = Insertable<Tables['albums']>

const tracksOfListener = 100
const genres = seeds.genres.map(({ id }) => id) as [string, ...string[]]
const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'] as const

/**
 * Generates a catalogue with so many tracks, row by row: a referenced row comes before the rows that refer to it.
 *
 * @param first the keys of the first rows
 */
export function* catalogueRows(tracks: number, first: Readonly<Keys>, random: Random): Rows {
  const state: State = { random, keys: { ...first }, first }
  const { keys } = state
  const end = first.tracks + tracks
  let listeners = 0
  while (keys.tracks < end) {
    const artistId = keys.artists++
    yield ['artists', artist(artistId, random)]
    for (let left = random.between(5, 15); left > 0 && keys.tracks < end; left -= 1) {
      const album = albumOf(artistId, state)
      yield ['albums', album]
      yield* tracksOn(album, end, state)
      for (; listeners * tracksOfListener < keys.tracks - first.tracks; listeners += 1) yield* listener(state)
    }
  }
}

function artist(id: number, random: Random): Insertable<Tables['artists']> {
  const name = artistName(random)
  // Names may repeat, slugs must not.
  const slug = `${slugOf(name)}-${id}`
  const website = random.onceIn(2) ? `https://${slug}.example` : null
  const bio = random.onceIn(3) ? `Began with a record on ${labelName(random)}.` : null
  return { id, name, slug, website, bio, createdAt: moment(random, 1990, 2025) }
}

function albumOf(artistId: number, { random, keys }: State): AlbumRow {
  const status = random.onceIn(20) ? 'withdrawn' : random.onceIn(30) ? 'upcoming' : 'released'
  const releasedAt = status === 'upcoming' ? moment(random, 2027, 2027) : moment(random, 1955, 2025)
  const isOnLabel = random.onceIn(2)
  return {
    id: keys.albums++,
    title: albumTitle(random),
    averageRating: status === 'upcoming' || random.onceIn(5) ? null : random.between(10, 50) / 10,
    artwork: null,
    releasedAt,
    explicit: random.onceIn(12),
    status,
    availableFrom: random.onceIn(4) || status === 'withdrawn' ? dayOf(releasedAt) : null,
    availableUntil: status === 'withdrawn' ? dayOf(moment(random, 2026, 2026)) : null,
    label: isOnLabel ? labelName(random) : null,
    catalogueNumber: isOnLabel ? `CAT ${random.between(1000, 9999)}` : null,
    artistId,
  }
}

/** Generates the tracks of an album, and the plays of one track in ten. */
function* tracksOn(album: AlbumRow, end: number, { random, keys }: State): Rows {
  const style = random.oneOf(genres)
  const count = random.between(6, 14)
  for (let trackNumber = 1; trackNumber <= count && keys.tracks < end; trackNumber += 1) {
    const id = keys.tracks++
    yield [
      'tracks',
      {
        id,
        title: trackTitle(random),
        trackNumber,
        durationSeconds: random.between(95, 480),
        explicit: album.explicit === true && random.onceIn(2),
        genres: [...new Set([style, random.onceIn(4) ? random.oneOf(genres) : style])],
        previewOffset: random.onceIn(3) ? `00:0${random.below(2)}:${random.between(10, 59)}` : null,
        albumId: album.id ?? null,
      },
    ]
    if (!random.onceIn(10)) continue
    for (const month of months) {
      if (random.onceIn(3)) yield ['plays', { trackId: id, month, times: random.between(1, 5000) }]
    }
  }
}

/** Generates a user with a library, playlists and favorites of the rows that exist so far. */
function* listener(state: State): Rows {
  const { random, keys } = state
  const userId = keys.users++
  const displayName = personName(random)
  yield ['users', { id: userId, email: `${slugOf(displayName)}-${userId}@music.example`, displayName }]
  const libraryId = keys.libraries++
  yield ['libraries', { id: libraryId, ownerId: userId }]
  for (const itemType of ['artists', 'albums', 'tracks'] as const) {
    for (const itemId of someOf(itemType, 5, state)) yield ['libraryItems', { libraryId, itemType, itemId }]
    for (const favoritableId of someOf(itemType, 3, state)) {
      const favorite = { userId, favoritableType: itemType, favoritableId }
      yield ['favorites', { id: keys.favorites++, favoritedAt: moment(random, 2024, 2025), ...favorite }]
    }
  }
  for (let left = random.between(1, 3); left > 0; left -= 1) yield* playlistOf(userId, state)
}

function* playlistOf(ownerId: number, state: State): Rows {
  const { random } = state
  const id = random.uuid()
  const externalId = random.onceIn(4) ? random.uuid() : null
  yield ['playlists', { id, title: playlistTitle(random), public: random.onceIn(2), externalId, ownerId }]
  let position = 0
  for (const trackId of someOf('tracks', 30, state)) {
    position += 1
    const weight = position + random.below(10)
    yield ['playlistTracks', { playlistId: id, trackId, position, weight, addedAt: moment(random, 2025, 2025) }]
  }
}

/** Returns distinct keys of rows that were generated. */
function someOf(table: 'artists' | 'albums' | 'tracks', most: number, { random, keys, first }: State): Set<number> {
  const chosen = new Set<number>()
  for (let left = random.below(most + 1); left > 0; left -= 1) {
    chosen.add(random.between(first[table], keys[table] - 1))
  }
  return chosen
}

function moment(random: Random, firstYear: number, lastYear: number): Date {
  const [from, to] = [Date.UTC(firstYear, 0), Date.UTC(lastYear + 1, 0)]
  return new Date(from + random.below((to - from) / 1000) * 1000)
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
