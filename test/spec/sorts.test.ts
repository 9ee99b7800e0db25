import {
  belongsTo,
  createServer,
  cursorPage,
  defineResource,
  fixedPage,
  hasOne,
  id,
  model,
  numberPage,
  offsetPage,
} from 'ashlar'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import { expectErrors } from 'ashlar/testing'
import { sqlSort } from 'ashlar/sql'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { idsOf, pagesFrom } from '../support/paged-albums.js'
import { storedData } from '../support/stored-data.js'

interface AlbumRow {
  id: number
  title: string
  year: number | null
  rating: number | null
  explicit: boolean | null
  recordedOn: string | null
  releasedAt: Date | null
  startsAt: string | null
  plays: number
  artistId: number | null
}

const album = (key: number, title: string, rest: Partial<AlbumRow> = {}): AlbumRow => ({
  id: key,
  title,
  year: null,
  rating: null,
  explicit: null,
  recordedOn: null,
  releasedAt: null,
  startsAt: null,
  plays: 0,
  artistId: null,
  ...rest,
})

const albumRows = [
  album(10, 'Kid A', {
    year: 2000,
    rating: 4.6,
    explicit: true,
    recordedOn: '1999-12-31',
    releasedAt: new Date('2000-10-02T00:00:00Z'),
    startsAt: '09:30:00',
    plays: 20,
    artistId: 2,
  }),
  album(2, 'amnesiac', {
    year: 997,
    rating: 10,
    explicit: false,
    recordedOn: '2000-01-01',
    releasedAt: new Date('2001-05-30T00:00:00Z'),
    startsAt: '10:00:00',
    plays: 3,
    artistId: 2,
  }),
  album(1, 'OK Computer', {
    year: 2000,
    rating: 4.6,
    explicit: false,
    recordedOn: '996-07-01'.padStart(10, '0'),
    releasedAt: new Date('1997-05-21T00:00:00Z'),
    startsAt: '09:30:00',
    plays: 100,
    artistId: 1,
  }),
  album(3, 'Ágætis byrjun', { plays: 3 }),
]

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id().sortable(),
  attributes: (a) => ({
    title: a.string().sortable(),
    year: a.integer().nullable().sortable(),
    rating: a.decimal().nullable().sortable(),
    explicit: a.boolean().nullable().sortable(),
    recordedOn: a.date().nullable().sortable(),
    releasedAt: a.dateTime().nullable().sortable(),
    startsAt: a.time().nullable().sortable(),
    released: a.dateTime().storedAs('releasedAt').nullable().readOnly().sortable(),
    shout: a.string().computed((row) => row.title),
  }),
  relations: { artist: belongsTo('artists'), cover: hasOne('covers') },
  sorts: (s) => ({
    plays: s.field(),
    popularity: s.field('plays'),
    artist: s.through('artist.name'),
    'artist.label.name': s.through(),
    cover: s.through('cover.colour'),
    length: s.custom({
      compare: (a, b) => String(a['title']).length - String(b['title']).length,
      apply: sqlSort<AlbumRow>(({ column }) => sql`length(${column('title')})`),
    }),
    same: s.custom({ compare: () => 0, apply: sqlSort(() => sql`length('')`) }),
    mood: s.custom({
      compare: (a, b, context) =>
        (context?.request?.header('x-mood') === 'down' ? 1 : -1) * (Number(a['id']) - Number(b['id'])),
      apply: sqlSort<AlbumRow>(({ column, context }) =>
        context.request?.header('x-mood') === 'down' ? column('id') : sql`-${column('id')}`,
      ),
    }),
  }),
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; labelId: number | null }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { label: belongsTo('labels') },
})

const labels = defineResource('labels', {
  model: model<{ id: number; name: string }>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})

const covers = defineResource('covers', {
  model: model<{ id: number; colour: string | null; albumId: number }>('covers'),
  id: id(),
  attributes: (a) => ({ colour: a.string().nullable() }),
  relations: { album: belongsTo('albums') },
})

const api = client(
  createServer({
    resources: [albums, artists, labels, covers],
    data: storedData({
      albums: albumRows,
      artists: [
        { id: 1, name: 'Radiohead', labelId: null },
        { id: 2, name: 'Björk', labelId: 1 },
      ],
      labels: [{ id: 1, name: 'One Little Indian' }],
      covers: [
        { id: 1, colour: 'white', albumId: 1 },
        { id: 2, colour: null, albumId: 2 },
        { id: 3, colour: 'red', albumId: 10 },
      ],
    }),
  }),
)

const ids = async (sort: string, options = {}): Promise<readonly string[]> =>
  (await api.get(`/albums?sort=${sort}`, options)).resources.map((resource) => resource.id)

async function refuses(target: string, code: string, by = api): Promise<string | undefined> {
  const [error] = expectErrors(await by.get(target), [{ status: 400, code, parameter: 'sort' }])
  return error?.detail
}

describe('a sortable field', () => {
  test.each([
    ['text, by code points', 'title', ['10', '1', '2', '3']],
    ['descending', '-title', ['3', '2', '1', '10']],
    ['whole numbers by size, null last', 'year', ['2', '1', '10', '3']],
    ['null first when descending', '-year', ['3', '10', '1', '2']],
    ['decimals by size', 'rating', ['1', '10', '2', '3']],
    ['false before true', 'explicit', ['1', '2', '10', '3']],
    ['true before false', '-explicit', ['3', '10', '2', '1']],
    ['days', 'recordedOn', ['1', '10', '2', '3']],
    ['instants', '-releasedAt', ['3', '2', '10', '1']],
    ['an attribute that is stored under another name', 'released', ['1', '10', '2', '3']],
    ['times of day', 'startsAt', ['1', '10', '2', '3']],
    ['the id', 'id', ['1', '2', '3', '10']],
    ['the id, descending', '-id', ['10', '3', '2', '1']],
  ])('%s', async (_name, sort, expected) => {
    expect(await ids(sort)).toEqual(expected)
  })
})

describe('several keys', () => {
  test('the first is the most significant, each has its own direction', async () => {
    expect(await ids('year,title')).toEqual(['2', '10', '1', '3'])
    expect(await ids('year,-title')).toEqual(['2', '1', '10', '3'])
    expect(await ids('-rating,-year,title')).toEqual(['3', '2', '10', '1'])
    expect(await ids('plays,-id')).toEqual(['3', '2', '10', '1'])
  })

  test('rows that are equal in an ascending key come by ascending id', async () => {
    expect(await ids('rating')).toEqual(['1', '10', '2', '3'])
    expect(await ids('startsAt')).toEqual(['1', '10', '2', '3'])
  })

  test('rows that are equal in a descending key come by descending id', async () => {
    expect(await ids('-rating')).toEqual(['3', '2', '10', '1'])
    expect(await ids('-startsAt')).toEqual(['3', '2', '10', '1'])
  })

  test('rows that are equal in all of several keys come by id in the direction of the last key', async () => {
    expect(await ids('-year,rating')).toEqual(['3', '1', '10', '2'])
    expect(await ids('year,-rating')).toEqual(['2', '10', '1', '3'])
    expect(await ids('-year,-rating,startsAt')).toEqual(['3', '1', '10', '2'])
    expect(await ids('year,rating,-startsAt')).toEqual(['2', '10', '1', '3'])
  })

  test.each<[string, AnyPaginator | null]>([
    ['number pages', numberPage({ size: 2 })],
    ['offset pages', offsetPage({ size: 2 })],
    ['fixed pages', fixedPage({ size: 2 })],
    ['cursor pages', cursorPage({ size: 2 })],
    ['whole lists', null],
  ])('equal rows have the same order on %s', async (_name, pagination) => {
    const listed = defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({ year: a.integer().nullable().sortable(), rating: a.decimal().nullable().sortable() }),
      pagination,
    })
    const by = client(createServer({ resources: [listed], data: storedData({ albums: albumRows }) }))
    const walked = async (sort: string): Promise<readonly string[]> =>
      (await pagesFrom(by, await by.get(`/albums?sort=${sort}`))).flatMap(idsOf)
    expect(await walked('year')).toEqual(['2', '1', '10', '3'])
    expect(await walked('-year')).toEqual(['3', '10', '1', '2'])
    expect(await walked('-year,rating')).toEqual(['3', '1', '10', '2'])
    expect(await walked('year,-rating')).toEqual(['2', '10', '1', '3'])
    expect(await walked('')).toEqual(['1', '2', '3', '10'])
  })

  test('a repeated key has no effect', async () => {
    expect(await ids('title,-title')).toEqual(await ids('title'))
    expect(await ids('rating,-rating')).toEqual(await ids('rating'))
    expect(await ids('-plays,popularity')).toEqual(await ids('-plays'))
  })

  test('without any, rows come by ascending id', async () => {
    expect(await ids('')).toEqual(['1', '2', '3', '10'])
  })
})

describe('text', () => {
  test('is ordered by code points, case-sensitively, and characters beyond U+FFFF come last', async () => {
    const names = ['ａ', 'Z', 'a', '😀', '\u00e9', 'z', '', '10', '9', 'A', 'aa', '\uffee', 'e\u0301']
    const rows = names.map((name, index) => ({ id: index + 1, name }))
    const tags = defineResource('tags', {
      model: model<{ id: number; name: string }>('tags'),
      id: id(),
      attributes: (a) => ({ name: a.string().sortable() }),
    })
    const server = createServer({ resources: [tags], data: storedData({ tags: rows }) })
    const sorted = async (sort: string): Promise<readonly unknown[]> =>
      (await client(server).get(`/tags?sort=${sort}`)).resources.map(({ attributes }) => attributes?.['name'])
    const byCodePoints = ['', '10', '9', 'A', 'Z', 'a', 'aa', 'e\u0301', 'z', '\u00e9', 'ａ', '\uffee', '😀']
    expect(await sorted('name')).toEqual(byCodePoints)
    expect(await sorted('-name')).toEqual(byCodePoints.toReversed())
  })
})

describe('declared sorts', () => {
  test('may use a column without an attribute, under any key', async () => {
    expect(await ids('plays')).toEqual(['2', '3', '10', '1'])
    expect(await ids('-popularity')).toEqual(['1', '10', '3', '2'])
  })

  test('follow to-one relations; a missing row counts as null, the largest', async () => {
    expect(await ids('artist')).toEqual(['2', '10', '1', '3'])
    expect(await ids('-artist')).toEqual(['3', '1', '10', '2'])
    expect(await ids('artist.label.name,title')).toEqual(['10', '2', '1', '3'])
    expect(await ids('cover')).toEqual(['10', '1', '2', '3'])
  })

  test('that are user-defined compare rows, in both directions, with the request', async () => {
    expect(await ids('length')).toEqual(['10', '2', '1', '3'])
    expect(await ids('-length')).toEqual(['3', '1', '2', '10'])
    expect(await ids('plays,-length')).toEqual(['3', '2', '10', '1'])
    expect(await ids('mood')).toEqual(['10', '3', '2', '1'])
    expect(await ids('mood', { headers: { 'X-Mood': 'down' } })).toEqual(['1', '2', '3', '10'])
    expect(await ids('same')).toEqual(['1', '2', '3', '10'])
    expect(await ids('-same')).toEqual(['10', '3', '2', '1'])
  })

  test('win over a sortable field of the same name', async () => {
    const declared = defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string().sortable(), rating: a.decimal().nullable() }),
      sorts: (s) => ({ title: s.field('rating') }),
    })
    const server = createServer({ resources: [declared], data: storedData({ albums: albumRows }) })
    const { resources } = await client(server).get('/albums?sort=-title')
    expect(resources.map((resource) => resource.id)).toEqual(['3', '2', '10', '1'])
  })
})

const late = () => Promise.resolve(1) as never

test('a user-defined order that is asynchronous is an error of the application', async () => {
  const sorted = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    sorts: (s) => ({ late: s.custom({ compare: late, apply: sqlSort(late) }) }),
  })
  const server = createServer({ resources: [sorted], data: storedData({ albums: albumRows }) })
  expect((await client(server).get('/albums?sort=late')).status).toBe(500)
})

describe('unsupported sorts', () => {
  test.each(['nobody', '-nobody', 'title,nobody', 'shout', 'artistId', 'artist.name', 'Title', '--title', '+title'])(
    '%s is SORTING_UNRECOGNIZED',
    async (sort) => {
      await refuses(`/albums?sort=${sort}`, 'SORTING_UNRECOGNIZED')
    },
  )

  test('the detail names the first unknown key, without its direction', async () => {
    expect(await refuses('/albums?sort=title,-nobody,other', 'SORTING_UNRECOGNIZED')).toEqual(
      expect.stringMatching(/^The sort key 'nobody' is not offered here\. Offered: /),
    )
  })

  test('sort without a list is SORTING_UNSUPPORTED', async () => {
    await refuses('/labels/1?sort=name', 'SORTING_UNSUPPORTED')
    expect((await api.get('/labels?sort=')).status).toBe(200)
  })

  test('sort with brackets is QUERY_PARAM_MALFORMED', async () => {
    for (const name of ['sort[]', 'sort[title]', 'sort[a][b]']) {
      await refuses(`/albums?${name}=title`, 'QUERY_PARAM_MALFORMED')
    }
  })

  test('a user-defined order cannot have cursor pages', async () => {
    const walked = defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string().sortable() }),
      sorts: (s) => ({ length: s.custom({ compare: () => 0, apply: sqlSort(() => sql`0`) }) }),
      pagination: cursorPage(),
    })
    const by = client(createServer({ resources: [walked], data: storedData({ albums: albumRows }) }))
    await refuses('/albums?sort=length', 'SORTING_UNRECOGNIZED', by)
    expect((await by.get('/albums?sort=title')).resources.map((resource) => resource.id)).toEqual(['10', '1', '2', '3'])
  })
})

describe('in the catalogue', () => {
  const catalogue = client(catalogueServer())

  test.each([
    ['/albums?sort=-releasedAt', ['2', '3', '1', '4']],
    ['/albums?sort=artist.name,title', ['3', '4', '2', '1']],
    ['/artists?sort=createdAt', ['3', '1', '2']],
    ['/tracks?sort=trackNumber,-title', ['5', '8', '3', '1', '2', '4', '10', '11', '12', '9', '6', '7']],
  ])('%s', async (target, expected) => {
    expect((await catalogue.get(target)).resources.map((resource) => resource.id)).toEqual(expected)
  })
})
