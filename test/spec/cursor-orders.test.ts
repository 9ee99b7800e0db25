import { belongsTo, createServer, cursorPage, defineResource, defineType, id, model } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { sqlSort } from 'ashlar/sql'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { follow, idsOf, pagesFrom, sentIn } from '../support/paged-albums.js'
import { storedData } from '../support/stored-data.js'
import { cursorWith, levelsOf } from '../support/cursor-content.js'

interface TrackRow {
  id: number
  title: string | null
  rating?: number | string | bigint | null
  explicit?: boolean | number | null
  releasedAt?: Date | string | null
  day?: string | null
  code?: string | null
  albumId?: number | null
}

const tracks = defineResource('tracks', {
  model: model<TrackRow>('tracks'),
  id: id(),
  attributes: (a) => ({
    title: a.string().nullable().sortable(),
    rating: a.decimal().nullable().sortable(),
    explicit: a.boolean().nullable().sortable(),
    releasedAt: a.dateTime().nullable().sortable(),
    day: a.date().nullable().sortable(),
    code: a.string().nullable().sortable(),
  }),
  relations: { album: belongsTo('albums') },
  sorts: (s) => ({
    id: s.field('id'),
    'album.title': s.through('album.title'),
    'album.artist.name': s.through('album.artist.name'),
    length: s.custom({
      compare: (a, b) => String(a['title']).length - String(b['title']).length,
      apply: sqlSort<TrackRow>(({ column }) => sql`length(${column('title')})`),
    }),
  }),
  pagination: cursorPage({ size: 2 }),
})
const albums = defineResource('albums', {
  model: model<{ id: number; title: string | null; artistId: number | null }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().nullable() }),
  relations: { artist: belongsTo('artists') },
})
const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})

const seeds = {
  albums: [
    { id: 1, title: 'Kid A', artistId: 1 },
    { id: 2, title: 'Amnesiac', artistId: 1 },
    { id: 3, title: null, artistId: null },
    { id: 4, title: 'Post', artistId: 2 },
  ],
  artists: [
    { id: 1, name: 'Radiohead' },
    { id: 2, name: 'Björk' },
  ],
}

const serving = (rows: readonly TrackRow[]): TestClient =>
  client(
    createServer({ resources: [tracks, albums, artists], data: storedData({ ...seeds, tracks: rows.toReversed() }) }),
  )

/** The ids of all pages, forward from the first and backward from the last. */
async function walked(api: TestClient, path: string): Promise<readonly string[]> {
  const start = await api.get(path)
  const pages = await pagesFrom(api, start)
  const forward = pages.flatMap(idsOf)
  const backward = (await pagesFrom(api, pages.at(-1) ?? start, 'prev')).toReversed().flatMap(idsOf)
  expect(backward).toEqual(forward)
  return forward
}

const titled = (...titles: readonly (string | null)[]): readonly TrackRow[] =>
  titles.map((title, index) => ({ id: index + 1, title }))

describe('a deterministic id tie-breaker is appended to the sort', () => {
  const rows = titled('a', 'a', 'b', 'a', 'b')

  test('ascending without a sort', async () => {
    expect(await walked(serving(rows), '/tracks')).toEqual(['1', '2', '3', '4', '5'])
  })

  test('in the direction of the last level', async () => {
    expect(await walked(serving(rows), '/tracks?sort=title')).toEqual(['1', '2', '4', '3', '5'])
    expect(await walked(serving(rows), '/tracks?sort=-title')).toEqual(['5', '3', '4', '2', '1'])
    expect(await walked(serving(rows), '/tracks?sort=rating,-title')).toEqual(['5', '3', '4', '2', '1'])
    expect(await walked(serving(rows), '/tracks?sort=-rating,title')).toEqual(['1', '2', '4', '3', '5'])
  })

  test('not if the sort contains the id itself, after which nothing matters', async () => {
    expect(await walked(serving(rows), '/tracks?sort=-title,id')).toEqual(['3', '5', '1', '2', '4'])
    expect(await walked(serving(rows), '/tracks?sort=-id,title')).toEqual(['5', '4', '3', '2', '1'])
  })
})

describe('null is the largest value', () => {
  const rows = titled('b', null, 'a', null, 'c')

  test('ascending it comes last', async () => {
    expect(await walked(serving(rows), '/tracks?sort=title')).toEqual(['3', '1', '5', '2', '4'])
  })

  test('descending it comes first', async () => {
    expect(await walked(serving(rows), '/tracks?sort=-title')).toEqual(['4', '2', '5', '1', '3'])
  })

  test('a range may start or end at it', async () => {
    const api = serving(rows)
    const whole = await api.get('/tracks?sort=title&page[size]=3')
    const nulls = await follow(api, whole, 'next')
    const [after, before] = [sentIn(whole, 'next', 'after'), sentIn(nulls, 'prev', 'before')]
    expect(idsOf(nulls)).toEqual(['2', '4'])
    expect(idsOf(await api.get(`/tracks?sort=title&page[size]=9&page[before]=${before}`))).toEqual(['3', '1', '5'])
    expect(idsOf(await api.get(`/tracks?sort=title&page[after]=${after}&page[before]=${before}`))).toEqual([])
  })
})

const rated = (...ratings: readonly TrackRow['rating'][]): readonly TrackRow[] =>
  ratings.map((rating = null, index) => ({ id: index + 1, title: 'x', rating }))

const sent = (column: string, value: unknown): string =>
  cursorWith(JSON.stringify([levelsOf('tracks', [column, 'id']), [value, 1]]))

describe('values of every kind of column are positions', () => {
  test('numbers, integers and fractions, and beyond doubles', async () => {
    const rows = rated(2.5, 10, -1, 0.1, 9_007_199_254_740_993n, 9_007_199_254_740_992n)
    expect(await walked(serving(rows), '/tracks?sort=rating')).toEqual(['3', '4', '1', '2', '6', '5'])
  })

  test('numbers that a store saves as text', async () => {
    const rows = rated('4.80', '10', '-1', null, '4.8')
    expect(await walked(serving(rows), '/tracks?sort=rating')).toEqual(['3', '1', '5', '2', '4'])
    expect(await walked(serving(rows), '/tracks?sort=-rating')).toEqual(['4', '2', '5', '1', '3'])
  })

  test('texts that a store saves as numbers', async () => {
    const rows = [10, '9', 'a', 2].map((code, index) => ({ id: index + 1, title: 'x', code }))
    expect(await walked(serving(rows as TrackRow[]), '/tracks?sort=code')).toEqual(['1', '4', '2', '3'])
  })

  test('booleans, stored as such or as numbers', async () => {
    const rows = [true, false, null, 1, 0].map((explicit, index) => ({ id: index + 1, title: 'x', explicit }))
    expect(await walked(serving(rows), '/tracks?sort=explicit')).toEqual(['2', '5', '1', '4', '3'])
  })

  test('moments, stored as such or as text', async () => {
    const moments = [
      new Date('2000-01-01T00:00:00.002Z'),
      '2000-01-01 00:00:00',
      new Date('2000-01-01T00:00:00.001Z'),
      '1999-12-31T23:00:00-02:00',
      null,
    ]
    const rows = moments.map((releasedAt, index) => ({ id: index + 1, title: 'x', releasedAt }))
    expect(await walked(serving(rows), '/tracks?sort=releasedAt')).toEqual(['2', '3', '1', '4', '5'])
    expect(await walked(serving(rows), '/tracks?sort=-releasedAt')).toEqual(['5', '4', '1', '3', '2'])
  })

  test('days', async () => {
    const rows = ['2000-01-02', '1999-12-31', null, '2000-01-01'].map((day, index) => ({
      id: index + 1,
      title: 'x',
      day,
    }))
    expect(await walked(serving(rows), '/tracks?sort=day')).toEqual(['2', '4', '1', '3'])
  })

  test('and values of another kind are CURSOR_MALFORMED', async () => {
    const api = serving(titled('a'))
    for (const [column, value] of [
      ['releasedAt', 'yesterday'],
      ['releasedAt', 7],
      ['day', 'yesterday'],
      ['day', true],
      ['rating', '4,8'],
      ['rating', ''],
      ['explicit', 'yes'],
    ] as const) {
      const response = await api.get(`/tracks?sort=${column}&page[after]=${sent(column, value)}`)
      expectErrors(response, [{ status: 400, code: 'CURSOR_MALFORMED', parameter: 'page[after]' }])
    }
  })
})

describe('a sort through a to-one', () => {
  const rows = [4, 1, null, 3, 2, 99, 1].map((albumId, index) => ({ id: index + 1, title: 'x', albumId }))

  test('is walked by the value at its end; rows without one count as null', async () => {
    expect(await walked(serving(rows), '/tracks?sort=album.title')).toEqual(['5', '2', '7', '1', '3', '4', '6'])
    expect(await walked(serving(rows), '/tracks?sort=-album.title')).toEqual(['6', '4', '3', '1', '7', '2', '5'])
  })

  test('may go further, and be one of several levels', async () => {
    expect(await walked(serving(rows), '/tracks?sort=album.artist.name,-album.title')).toEqual([
      '1',
      '7',
      '2',
      '5',
      '6',
      '4',
      '3',
    ])
  })
})

describe('a custom sort', () => {
  test('cannot be walked by cursor: it is SORTING_UNRECOGNIZED there', async () => {
    for (const sort of ['length', '-length', 'title,length']) {
      expectErrors(await serving(titled('a')).get(`/tracks?sort=${sort}`), [
        { status: 400, code: 'SORTING_UNRECOGNIZED', parameter: 'sort' },
      ])
    }
  })
})

describe('ids of every kind', () => {
  const encoded = defineResource('albums', {
    model: model<{ id: number }>('albums'),
    id: id().encodeUsing<number>({
      encode: (key) => `al-${(1000 - key).toString(36)}`,
      decode: (wireId) => 1000 - Number.parseInt(wireId.slice(3), 36),
    }),
    pagination: cursorPage({ size: 2 }),
  })

  test('that are encoded are walked by the stored key, and contained as clients know them', async () => {
    const rows = [1, 2, 3, 4, 5].map((key) => ({ id: key }))
    const api = client(createServer({ resources: [encoded], data: storedData({ albums: rows }) }))
    const wire = rows.map((row) => `al-${(1000 - row.id).toString(36)}`)
    expect(await walked(api, '/albums')).toEqual(wire)
    expect((await api.get('/albums')).document?.meta).toMatchObject({ page: { from: wire[0], to: wire[1] } })
  })

  test('that are UUIDs', async () => {
    const devices = defineResource('devices', {
      model: model<{ id: string }>('devices'),
      id: id().uuid(),
      pagination: cursorPage({ size: 2 }),
    })
    const keys = ['f', '0', 'a', '9', '5'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`)
    const data = storedData({ devices: keys.map((key) => ({ id: key })) })
    const api = client(createServer({ resources: [devices], data }))
    expect(await walked(api, '/devices')).toEqual(keys.toSorted())
  })

  test('of a provider that returns a plain list', async () => {
    const names = ['Norway', 'Iceland', 'Sweden', 'Denmark', 'Finland']
    const countries = defineType('countries', {
      fields: (a) => ({ id: id(), name: a.string().sortable() }),
      serializer: {
        members: ['name'],
        serialize: (row) => ({ id: String(row['id']), attributes: { name: row['name'] } }),
      },
      provider: {
        fetchOne: () => null,
        fetchCollection: () => names.map((name) => ({ id: name.slice(0, 2).toLowerCase(), name })),
      },
      operations: ['FetchCollection'],
      pagination: cursorPage({ size: 2 }),
    })
    const api = client(createServer({ resources: [countries] }))
    expect(await walked(api, '/countries')).toEqual(['de', 'fi', 'ic', 'no', 'sw'])
  })
})
