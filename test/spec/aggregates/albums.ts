import {
  belongsTo,
  createServer,
  defineResource,
  hasMany,
  id,
  model,
  type Middleware,
  type Policy,
  type RuleKit,
} from 'ashlar'
import { storedData } from '../../support/stored-data.js'

export interface AlbumRow {
  id: number
  title: string
  genre: string
  rating: number | null
  plays: bigint
  price: number | null
  releasedAt: Date | null
  recordedOn: string | null
  live: boolean
  artistId: number | null
  ownerId: number
  deletedAt: Date | null
}

interface ArtistRow {
  id: number
  name: string
  ownerId: number
}

const artistRows: readonly ArtistRow[] = [
  { id: 1, name: 'Radiohead', ownerId: 1 },
  { id: 2, name: 'Art Blakey', ownerId: 2 },
]

const album = (row: Pick<AlbumRow, 'id' | 'title' | 'genre' | 'rating'> & Partial<AlbumRow>): AlbumRow => ({
  plays: BigInt(row.id),
  price: null,
  releasedAt: null,
  recordedOn: null,
  live: false,
  artistId: null,
  ownerId: 1,
  deletedAt: null,
  ...row,
})

const at = (text: string): Date => new Date(text)

const albumRows: readonly AlbumRow[] = [
  album({
    id: 1,
    title: 'OK Computer',
    genre: 'rock',
    rating: 9,
    plays: 9007199254740993n,
    price: 9.99,
    releasedAt: at('1997-05-21T23:30:00Z'),
    recordedOn: '1996-07-04',
    artistId: 1,
  }),
  album({
    id: 2,
    title: 'Kid A',
    genre: 'rock',
    rating: 10,
    plays: 9007199254740993n,
    price: 0.1,
    releasedAt: at('2000-10-02T00:00:00Z'),
    recordedOn: '1999-01-03',
    artistId: 1,
  }),
  album({
    id: 3,
    title: 'Amnesiac',
    genre: 'rock',
    rating: null,
    plays: 5n,
    price: 0.2,
    releasedAt: at('2001-06-05T00:00:00Z'),
    live: true,
    artistId: 1,
  }),
  album({
    id: 4,
    title: 'Moanin',
    genre: 'jazz',
    rating: 8,
    plays: 7n,
    releasedAt: at('1958-12-31T00:00:00Z'),
    recordedOn: '1958-10-30',
    artistId: 2,
    ownerId: 2,
  }),
  album({ id: 5, title: 'Ágætis byrjun', genre: 'rock', rating: 7, plays: 1n }),
  album({
    id: 6,
    title: 'Withdrawn',
    genre: 'jazz',
    rating: 1,
    artistId: 2,
    ownerId: 2,
    deletedAt: at('2020-01-01T00:00:00Z'),
  }),
]

/** A caller of the tests, by the header `x-user`. */
export interface User {
  readonly id: number
}

const users: Middleware = async ({ request }, next) => {
  const user = request?.header('x-user')
  return next(user === undefined ? {} : { caller: { id: Number(user) } satisfies User })
}

interface Options {
  readonly policy?: (p: RuleKit<AlbumRow>) => Policy
  readonly artistPolicy?: (p: RuleKit<ArtistRow>) => Policy
  readonly queryCost?: object
}

/** A server with albums and their aggregates. Users are the owners of rows. */
export function albumServer({ policy, artistPolicy, queryCost }: Options = {}) {
  const data = storedData({ artists: artistRows, albums: albumRows })
  const artists = defineResource('artists', {
    model: model<ArtistRow>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: { albums: hasMany('albums') },
    ...(artistPolicy === undefined ? { policy: 'public' as const } : { policy: artistPolicy }),
  })
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({
      title: a.string(),
      genre: a.string().in(['rock', 'jazz']),
      rating: a.integer().nullable(),
      plays: a.bigint(),
      price: a.decimal().nullable(),
      releasedAt: a.dateTime().nullable(),
      recordedOn: a.date().nullable(),
      live: a.boolean(),
      secret: a.integer().nullable().storedAs('rating').readOnly().visibleIf('audit'),
      mood: a
        .string()
        .storedAs('genre')
        .readOnly()
        .hidden((_row, { caller }) => caller === null),
      byRow: a
        .integer()
        .nullable()
        .storedAs('rating')
        .readOnly()
        .hidden((row) => row.live),
    }),
    relations: { artist: belongsTo('artists').nullable() },
    filters: (f) => ({
      genre: f.where(),
      title: f.contains(),
      'artist.name': f.through(),
      trashed: f.withTrashed(),
      year: f.dateRange('releasedAt'),
      secret: f.where(),
      mood: f.where(),
    }),
    aggregates: (g) => ({
      'by-year': g.fields({ year: g.year('releasedAt'), albums: g.count(), rating: g.avg() }),
      'by-artist': g.fields({ artist: g.by(), albums: g.count(), plays: g.sum(), first: g.min('releasedAt') }),
      'by-genre': g.fields({
        genre: g.by(),
        live: g.by(),
        albums: g.count(),
        rated: g.count('rating'),
        ratings: g.sum('rating'),
        best: g.max('rating'),
        price: g.sum(),
        lastTitle: g.max('title'),
      }),
      'by-day': g.fields({
        recordedOn: g.by(),
        week: g.week('recordedOn'),
        quarter: g.quarter('recordedOn'),
        albums: g.count(),
      }),
      'by-mood': g.fields({ mood: g.by(), albums: g.count() }),
      secrets: g.fields({ genre: g.by(), albums: g.count(), secret: g.avg(), byRow: g.sum() }),
      large: g.fields({ genre: g.by(), albums: g.count(), best: g.max('rating') }).minGroupSize(2),
      totals: g.fields({ albums: g.count(), rating: g.avg(), price: g.sum() }),
      paged: g.fields({ title: g.by(), albums: g.count() }).pages({ size: 2, maxSize: 3 }),
    }),
    softDeletes: { column: 'deletedAt' },
    policy: (p) => ({
      custom: { audit: p.signedIn(() => true) },
      ...(policy === undefined ? { viewAny: true, view: true } : policy(p)),
    }),
  })
  const server = createServer({
    resources: [artists, albums],
    data,
    middleware: [users],
    ...(queryCost === undefined ? {} : { queryCost }),
  })
  return { server, data }
}
