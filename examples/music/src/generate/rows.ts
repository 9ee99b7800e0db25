import type { Insertable } from 'kysely'
import { seeds } from '../seeds.js'
import { slugOf } from '../slug.js'
import type { Tables } from '../tables.js'
import { albumTitle, artistName, labelName, personName, playlistTitle, trackTitle } from './names.js'
import type { Random } from './random.js'

/** Tables whose keys are counted: the key of the next row of each. */
export type Keys = Record<'artists' | 'albums' | 'tracks' | 'users' | 'libraries' | 'favorites', number>

/** A row, and the table that it belongs to. */
export type NewRow = { [Name in keyof Tables]: readonly [table: Name, row: Insertable<Tables[Name]>] }[keyof Tables]

interface Making {
  readonly random: Random
  /** They go on with every row. */
  readonly keys: Keys
  /** Those that it began with: rows from there on are there for certain. */
  readonly first: Readonly<Keys>
}

type Rows = Generator<NewRow, void>
type AlbumRow = Insertable<Tables['albums']>

const tracksOfListener = 100
const genres = seeds.genres.map(({ id }) => id) as [string, ...string[]]
const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'] as const

/**
 * A catalogue with so many tracks, row by row, those that are pointed at first. No more than one row is held at a time.
 *
 * @param first the keys that it begins with
 */
export function* catalogueRows(tracks: number, first: Readonly<Keys>, random: Random): Rows {
  const making: Making = { random, keys: { ...first }, first }
  const { keys } = making
  const end = first.tracks + tracks
  let listeners = 0
  while (keys.tracks < end) {
    const artistId = keys.artists++
    yield ['artists', artist(artistId, random)]
    for (let left = random.between(5, 15); left > 0 && keys.tracks < end; left -= 1) {
      const album = albumOf(artistId, making)
      yield ['albums', album]
      yield* tracksOn(album, end, making)
      for (; listeners * tracksOfListener < keys.tracks - first.tracks; listeners += 1) yield* listener(making)
    }
  }
}

function artist(id: number, random: Random): Insertable<Tables['artists']> {
  const name = artistName(random)
  // Names come again, addresses must not.
  const slug = `${slugOf(name)}-${id}`
  const website = random.onceIn(2) ? `https://${slug}.example` : null
  const bio = random.onceIn(3) ? `Began with a record on ${labelName(random)}.` : null
  return { id, name, slug, website, bio, createdAt: moment(random, 1990, 2025) }
}

function albumOf(artistId: number, { random, keys }: Making): AlbumRow {
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

/** With how often each was played: most of them too seldom to be counted. */
function* tracksOn(album: AlbumRow, end: number, { random, keys }: Making): Rows {
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

/** Somebody with a library, playlists and favorites, of what there is by then. */
function* listener(making: Making): Rows {
  const { random, keys } = making
  const userId = keys.users++
  const displayName = personName(random)
  yield ['users', { id: userId, email: `${slugOf(displayName)}-${userId}@music.example`, displayName }]
  const libraryId = keys.libraries++
  yield ['libraries', { id: libraryId, ownerId: userId }]
  for (const itemType of ['artists', 'albums', 'tracks'] as const) {
    for (const itemId of someOf(itemType, 5, making)) yield ['libraryItems', { libraryId, itemType, itemId }]
    for (const favoritableId of someOf(itemType, 3, making)) {
      const what = { userId, favoritableType: itemType, favoritableId }
      yield ['favorites', { id: keys.favorites++, favoritedAt: moment(random, 2024, 2025), ...what }]
    }
  }
  for (let left = random.between(1, 3); left > 0; left -= 1) yield* playlistOf(userId, making)
}

function* playlistOf(ownerId: number, making: Making): Rows {
  const { random } = making
  const id = random.uuid()
  const externalId = random.onceIn(4) ? random.uuid() : null
  yield ['playlists', { id, title: playlistTitle(random), public: random.onceIn(2), externalId, ownerId }]
  let position = 0
  for (const trackId of someOf('tracks', 30, making)) {
    position += 1
    const weight = position + random.below(10)
    yield ['playlistTracks', { playlistId: id, trackId, position, weight, addedAt: moment(random, 2025, 2025) }]
  }
}

/** Keys of rows that were made, none of them twice. */
function someOf(table: 'artists' | 'albums' | 'tracks', most: number, { random, keys, first }: Making): Set<number> {
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
