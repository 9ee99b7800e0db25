import { createClient } from '@ashlar/client'
import {
  type ApiOf,
  belongsTo,
  createServer,
  defaultProfiles,
  defineResource,
  filterTreeProfile,
  hasMany,
  id as idOf,
  model,
  numberPage,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { allOf, thrownBy } from './scripted-server.js'

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: idOf(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums').via('artistId') },
})
const albums = defineResource('albums', {
  model: model<{ id: number; title: string; year: number; rating: number | null; artistId: number }>('albums'),
  id: idOf(),
  attributes: (a) => ({ title: a.string().sortable(), year: a.integer(), rating: a.integer().nullable() }),
  relations: { artist: belongsTo('artists') },
  filters: (f) => ({ title: f.contains(), year: f.range(), rating: f.in(), artist: f.through('artist.name') }),
  aggregates: (g) => ({ totals: g.fields({ albums: g.count() }) }),
  pagination: numberPage({ size: 2 }),
  export: true,
})

const settings = {
  resources: [artists, albums],
  access: 'open',
  data: memoryData({
    artists: [
      { id: 1, name: 'Radiohead' },
      { id: 2, name: 'Björk' },
    ],
    albums: [
      { id: 1, title: 'OK Computer', year: 1997, rating: 5, artistId: 1 },
      { id: 2, title: 'Kid A', year: 2000, rating: null, artistId: 1 },
      { id: 3, title: 'Homogenic', year: 1997, rating: 4, artistId: 2 },
      { id: 4, title: 'Vespertine', year: 2001, rating: 3, artistId: 2 },
    ],
  }),
} as const

const server = createServer({ ...settings, profiles: [...defaultProfiles, filterTreeProfile] })
interface Api extends ApiOf<typeof server> {}

function connected() {
  const sent: {
    readonly method: string
    readonly url: string
    readonly type: string | null
    readonly body: unknown
  }[] = []
  const { types } = createClient<Api>({
    url: 'http://localhost',
    queryMethod: 'never',
    async fetch(url, init) {
      const { method = '', headers, body } = init
      sent.push({ method, url, type: new Headers(headers).get('content-type'), body })
      return server.fetch(new Request(url, init))
    },
  })
  return { types, sent }
}

const recentOrRated = { or: [{ year: { min: 2001 } }, { rating: [5] }], not: { title: 'nothing' } } as const

describe('combined filters', () => {
  test('are sent as the JSON body of a QUERY request', async () => {
    const { types, sent } = connected()
    const page = await types.albums.list({
      filter: recentOrRated,
      sort: ['-title'],
      include: ['artist'],
      fields: { albums: ['title', 'artist'] },
    })
    expect(page.data).toEqual([
      { type: 'albums', id: '4', title: 'Vespertine', artist: expect.objectContaining({ name: 'Björk' }) },
      { type: 'albums', id: '1', title: 'OK Computer', artist: expect.objectContaining({ name: 'Radiohead' }) },
    ])
    expect(sent).toEqual([
      {
        method: 'QUERY',
        url: 'http://localhost/albums',
        type: 'application/json',
        body: JSON.stringify({
          include: ['artist'],
          fields: { albums: ['title', 'artist'] },
          filter: recentOrRated,
          sort: ['-title'],
        }),
      },
    ])
  })

  test('apply to all pages, forwards and back', async () => {
    const { types, sent } = connected()
    const query = { filter: { not: { title: 'nothing' } }, sort: ['title'], page: { size: 1 } } as const
    expect((await allOf(types.albums.each(query))).map(({ id }) => id)).toEqual(['3', '2', '1', '4'])
    expect(sent.map(({ method }) => method)).toEqual(['QUERY', 'QUERY', 'QUERY', 'QUERY'])
    const second = await (await types.albums.list(query)).next()
    expect(second?.previousPage).toEqual({ number: 1, size: 1 })
    expect((await second?.previous())?.data.map(({ id }) => id)).toEqual(['3'])
  })

  test('apply to related resources, exports and counts', async () => {
    const { types } = connected()
    const related = await types.artists.related('2', 'albums', { filter: { not: { rating: [3] } } })
    expect(related.data.map(({ title }) => title)).toEqual(['Homogenic'])
    const rows = await allOf(types.albums.export({ filter: recentOrRated, fields: { albums: ['year'] } }))
    expect(rows).toEqual([
      { id: '1', year: 1997 },
      { id: '4', year: 2001 },
    ])
    const groups = await types.albums.aggregate('totals', { filter: recentOrRated })
    expect(groups.data).toMatchObject([{ albums: 2 }])
  })

  test('may be lists without members: nothing is one of no filters', async () => {
    const { types } = connected()
    expect((await types.albums.list({ filter: { or: [] } })).data).toEqual([])
    expect((await types.albums.list({ filter: { and: [] } })).data).toHaveLength(2)
  })

  test('have errors at the member of the filter', async () => {
    const { types } = connected()
    const year = { min: 'x' as unknown as number }
    const error = await thrownBy(types.albums.list({ filter: { or: [{ year }] } }))
    expect(error).toMatchObject({ status: 400, method: 'QUERY', url: 'http://localhost/albums' })
    expect((error as { errors: unknown }).errors).toMatchObject([{ source: { pointer: '/filter/or/0/year' } }])
  })
})

test('filters without operators stay in the URL', async () => {
  const { types, sent } = connected()
  await types.albums.list({ filter: { title: 'kid', year: { min: 2000 } } })
  expect(sent[0]).toMatchObject({ method: 'GET', body: null })
})

/** It is only compiled. */
const unused = (): unknown => {
  const { types } = connected()
  const plain = createServer(settings)
  interface PlainApi extends ApiOf<typeof plain> {}
  const client = createClient<PlainApi>({ url: 'http://localhost' })
  return [
    // @ts-expect-error -- there is no such filter
    types.albums.list({ filter: { or: [{ titel: 'x' }] } }),
    // @ts-expect-error -- there is no such filter
    types.albums.list({ filter: { not: { and: [{ titel: 'x' }] } } }),
    // @ts-expect-error -- the value has another type
    types.albums.list({ filter: { and: [{ title: 3 }] } }),
    // @ts-expect-error -- an operator with a list
    types.albums.list({ filter: { not: [{ title: 'x' }] } }),
    // @ts-expect-error -- there is no such filter
    types.albums.export({ filter: { or: [{ titel: 'x' }] } }),
    // @ts-expect-error -- there is no such filter
    types.artists.related('1', 'albums', { filter: { or: [{ titel: 'x' }] } }),
    // @ts-expect-error -- the server does not have the profile
    client.types.albums.list({ filter: { or: [{ title: 'x' }] } }),
  ]
}

test('misspelt filters, values of other types, and operators that the server does not have, do not compile', () => {
  expect(unused).toBeTypeOf('function')
})
