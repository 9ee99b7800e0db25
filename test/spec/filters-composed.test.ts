import { belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { expectErrors, testClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { storedData } from '../support/stored-data.js'

interface Album {
  id: number
  title: string
  year: number
  draft: boolean
  artistId: number
}

const rows: readonly Album[] = [
  { id: 1, title: 'The Bends', year: 1995, draft: false, artistId: 1 },
  { id: 2, title: 'Kid A', year: 2000, draft: false, artistId: 1 },
  { id: 3, title: 'Post', year: 1995, draft: false, artistId: 2 },
  { id: 4, title: 'Unfinished', year: 1999, draft: true, artistId: 2 },
]

const seen: unknown[] = []

const albums = defineResource('albums', {
  model: model<Album>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string(), year: a.integer() }),
  relations: { artist: belongsTo('artists') },
  filters: (f) => ({
    decade: f
      .custom({
        where: (decade, g) =>
          g.all({
            from: g.greaterThanOrEqual('year').fixed(decade),
            to: g.lessThan('year').fixed(Number(decade) + 10),
          }),
      })
      .integer()
      .deserializeUsing(Number),
    // Filters without a value take the value that was sent.
    search: f.custom({ where: (_value, g) => g.any({ title: g.contains(), by: g.through('artist.name') }) }),
    recent: f.custom({
      where(value, g, context) {
        seen.push([value, context.request?.header('x-year')])
        const year = context.request?.header('x-year') ?? null
        return year === null ? null : g.greaterThanOrEqual('year').fixed(Number(year))
      },
    }),
    years: f.custom({ where: (_value, g) => g.range('year') }),
    nothing: f.custom({ where: (() => 5) as never }),
    invalid: f.custom({ where: (_value, g) => g.isNull('title').fixed(1) }),
  }),
  scope: (context, f) =>
    context.request?.header('x-staff') === 'yes' ? null : f.custom({ where: (_, g) => g.where('draft').fixed(false) }),
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums') },
  filters: (f) => ({
    after: f.hasMatching('albums', { where: (value, g) => g.greaterThan('year').fixed(Number(value)) }),
  }),
})

const logged: unknown[] = []
const served = () =>
  testClient(
    createServer({
      resources: [albums, artists],
      data: storedData({
        albums: rows,
        artists: [
          { id: 1, name: 'Radiohead' },
          { id: 2, name: 'Björk' },
        ],
      }),
      logger: { error: (details: { readonly err?: unknown }) => void logged.push(String(details.err)) },
    }),
  )

async function ids(path: string, headers: Record<string, string> = {}): Promise<readonly (string | undefined)[]> {
  return (await served().get(path, { headers })).resources.map((each) => each.id)
}

describe('a custom filter that composes other filters', () => {
  test('gets the value after deserializeUsing()', async () => {
    expect(await ids('/albums?filter[decade]=1990')).toEqual(['1', '3'])
    expect(await ids('/albums?filter[decade]=2000')).toEqual(['2'])
  })

  test('checks the value before the conversion', async () => {
    expectErrors(await served().get('/albums?filter[decade]=x'), [
      { status: 400, code: 'FILTER_VALUE_INVALID', parameter: 'filter[decade]' },
    ])
  })

  test('passes the sent value to filters without a value, through relations too', async () => {
    expect(await ids('/albums?filter[search]=kid')).toEqual(['2'])
    expect(await ids('/albums?filter[search]=Björk')).toEqual(['3'])
  })

  test('passes bounds to a range; a value without bounds is in no range', async () => {
    expect(await ids('/albums?filter[years][min]=1995&filter[years][max]=1999')).toEqual(['1', '3'])
    expect(await ids('/albums?filter[years][min]=2000&filter[years][max]=')).toEqual(['2'])
    expect(await ids('/albums?filter[years][min]=x')).toEqual([])
    expect(await ids('/albums?filter[years]=1995')).toEqual([])
  })

  test('is evaluated for each request, also for one with the same query', async () => {
    const api = served()
    const found = async (year: string | null) =>
      (await api.get('/albums?filter[recent]=1', { headers: year === null ? {} : { 'x-year': year } })).resources.map(
        (each) => each.id,
      )
    expect([await found('1996'), await found(null), await found('2001')]).toEqual([['2'], ['1', '2', '3'], []])
    expect(seen).toEqual([
      ['1', '1996'],
      ['1', undefined],
      ['1', '2001'],
    ])
  })

  test('is a scope', async () => {
    expect(await ids('/albums', { 'x-staff': 'yes' })).toEqual(['1', '2', '3', '4'])
    expect((await served().get('/albums/4')).status).toBe(404)
  })

  test('tests visible related rows', async () => {
    expect(await ids('/artists?filter[after]=1994')).toEqual(['1', '2'])
    expect(await ids('/artists?filter[after]=1998')).toEqual(['1'])
  })

  test('filters related collections', async () => {
    expect(await ids('/artists/1/albums?filter[decade]=1990')).toEqual(['1'])
  })

  test('is a logged 500 if it returns something else', async () => {
    for (const key of ['nothing', 'invalid']) {
      expectErrors(await served().get(`/albums?filter[${key}]=1`), [{ status: 500 }])
    }
    expect(logged).toEqual([
      "Error: The function 'where' of a custom filter returned neither a filter nor null.",
      "Error: The function 'where' of a custom filter is not valid: fixed() does not fit a filter by null.",
    ])
  })
})
