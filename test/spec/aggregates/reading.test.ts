import { belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../../support/client.js'
import { storedData } from '../../support/stored-data.js'

interface AlbumRow {
  id: number
  title: string
  genre: string
  rating: number | null
  plays: bigint
  price: number | null
  releasedAt: Date | null
  live: boolean
  artistId: number | null
}

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums') },
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
    live: a.boolean(),
  }),
  relations: { artist: belongsTo('artists').nullable() },
  filters: (f) => ({ genre: f.where(), title: f.contains() }),
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
    totals: g.fields({ albums: g.count(), rating: g.avg(), price: g.sum() }),
  }),
})

const rows: readonly AlbumRow[] = [
  { id: 1, title: 'OK Computer', genre: 'rock', rating: 9, plays: 9007199254740993n, price: 9.99, releasedAt: new Date('1997-05-21T23:30:00Z'), live: false, artistId: 1 },
  { id: 2, title: 'Kid A', genre: 'rock', rating: 10, plays: 9007199254740993n, price: 0.1, releasedAt: new Date('2000-10-02T00:00:00Z'), live: false, artistId: 1 },
  { id: 3, title: 'Amnesiac', genre: 'rock', rating: null, plays: 5n, price: 0.2, releasedAt: new Date('2001-06-05T00:00:00Z'), live: true, artistId: 1 },
  { id: 4, title: 'Moanin', genre: 'jazz', rating: 8, plays: 7n, price: null, releasedAt: new Date('1958-12-31T00:00:00Z'), live: false, artistId: 2 },
  { id: 5, title: 'Ágætis byrjun', genre: 'rock', rating: 7, plays: 1n, price: null, releasedAt: null, live: false, artistId: null },
]

const musicServer = () =>
  createServer({
    resources: [artists, albums],
    data: storedData({ artists: [{ id: 1, name: 'Radiohead' }, { id: 2, name: 'Art Blakey' }], albums: rows }),
  })

describe('an aggregate', () => {
  test('has a resource for each group', async () => {
    const api = client(musicServer())
    const response = await api.get('/albums/-aggregates/by-year')
    expect(response.status).toBe(200)
    expect(response.resources.map(({ type, attributes }) => [type, attributes])).toEqual([
      ['albums-by-year', { year: 1958, albums: 1, rating: 8 }],
      ['albums-by-year', { year: 1997, albums: 1, rating: 9 }],
      ['albums-by-year', { year: 2000, albums: 1, rating: 10 }],
      ['albums-by-year', { year: 2001, albums: 1, rating: null }],
      ['albums-by-year', { year: null, albums: 1, rating: 7 }],
    ])
    console.log(response.text)
  })

  test('has the related resource of a group as a relationship, which can be included', async () => {
    const api = client(musicServer())
    const response = await api.get('/albums/-aggregates/by-artist?sort=-plays&include=artist')
    console.log(response.text)
    expect(response.resources.map(({ attributes, relationships }) => [relationships?.['artist']?.data, attributes])).toEqual([
      [{ type: 'artists', id: '1' }, { albums: 3, plays: '18014398509481991', first: '1997-05-21T23:30:00+00:00' }],
      [{ type: 'artists', id: '2' }, { albums: 1, plays: '7', first: '1958-12-31T00:00:00+00:00' }],
      [null, { albums: 1, plays: '1', first: null }],
    ])
  })

  test('ignores null, except to count rows', async () => {
    const api = client(musicServer())
    const response = await api.get('/albums/-aggregates/by-genre')
    expect(response.resources.map(({ attributes }) => attributes)).toEqual([
      { genre: 'jazz', live: false, albums: 1, rated: 1, ratings: 8, best: 8, price: null, lastTitle: 'Moanin' },
      { genre: 'rock', live: false, albums: 3, rated: 3, ratings: 26, best: 10, price: 10.09, lastTitle: 'Ágætis byrjun' },
      { genre: 'rock', live: true, albums: 1, rated: 0, ratings: null, best: null, price: 0.2, lastTitle: 'Amnesiac' },
    ])
  })

  test('takes the filters of its type', async () => {
    const api = client(musicServer())
    const response = await api.get('/albums/-aggregates/totals?filter[genre]=rock')
    expect(response.resources.map(({ attributes }) => attributes)).toEqual([{ albums: 4, rating: 8.66666666666667, price: 10.29 }])
    const none = await api.get('/albums/-aggregates/totals?filter[title]=none')
    expect(none.resources.map(({ attributes }) => attributes)).toEqual([{ albums: 0, rating: null, price: null }])
    expectErrors(await api.get('/albums/-aggregates/totals?filter[rating]=1'), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED' },
    ])
  })
})
