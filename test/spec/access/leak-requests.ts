import * as fc from 'fast-check'
import { type TypeName, typeNames } from './leak-rows.js'

/** A request of the walk. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
}

export interface Relation {
  readonly name: string
  readonly to: readonly TypeName[]
  readonly isMany: boolean
  readonly hasPivot?: boolean
}

const one = (name: string, ...to: readonly TypeName[]): Relation => ({ name, to, isMany: false })
const many = (name: string, ...to: readonly TypeName[]): Relation => ({ name, to, isMany: true })

export const relations: Readonly<Record<TypeName, readonly Relation[]>> = {
  editions: [many('labels', 'labels')],
  labels: [one('edition', 'editions'), many('artists', 'artists')],
  artists: [one('label', 'labels'), one('biography', 'biographies'), many('albums', 'albums'), many('notes', 'notes')],
  biographies: [one('artist', 'artists')],
  albums: [one('artist', 'artists'), many('tracks', 'tracks'), many('notes', 'notes')],
  tracks: [one('album', 'albums'), { ...many('playlists', 'playlists'), hasPivot: true }],
  playlists: [
    { ...many('tracks', 'tracks'), hasPivot: true },
    many('items', 'albums', 'tracks'),
    many('guests', 'artists'),
    one('favourite', 'albums'),
    many('notes', 'notes'),
  ],
  notes: [one('subject', 'artists', 'albums', 'playlists')],
}

export const anyId: fc.Arbitrary<number> = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.constant(7) },
)
export const anyType: fc.Arbitrary<TypeName> = fc.constantFrom(...typeNames)

export const including: Readonly<Record<TypeName, readonly string[]>> = {
  editions: ['labels', 'labels.edition'],
  labels: ['artists', 'artists.albums.tracks', 'artists.biography', 'artists.label', 'edition'],
  artists: ['label', 'albums', 'biography', 'notes', 'albums.artist,label', 'albums.tracks.playlists', 'notes.subject'],
  biographies: ['artist', 'artist.label', 'artist.notes'],
  albums: ['artist.label', 'tracks', 'notes', 'tracks.playlists', 'artist.albums', 'artist.biography,tracks'],
  tracks: [
    'album',
    'playlists',
    'album.artist.label',
    'playlists.tracks,playlists.items',
    'playlists.guests,playlists.favourite',
  ],
  playlists: ['tracks', 'items', 'guests.label', 'favourite.artist', 'guests', 'tracks.album.artist', 'notes'],
  notes: ['subject'],
}

export const maybe = (part: fc.Arbitrary<string>, freq = 2): fc.Arbitrary<string> =>
  fc.option(part, { freq }).map((text) => text ?? '')
export const withQuery = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`)
export const amongThem = (texts: readonly string[], form: (text: string) => string): fc.Arbitrary<string> =>
  texts.length === 0 ? fc.constant('') : fc.constantFrom(...texts).map(form)

export const anyRelation: fc.Arbitrary<readonly [TypeName, Relation]> = anyType.chain((type) =>
  fc.constantFrom(...relations[type]).map((relation) => [type, relation] as const),
)
