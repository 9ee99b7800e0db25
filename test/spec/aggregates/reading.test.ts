import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../../support/client.js'
import { albumServer } from './albums.js'

const api = (options: Parameters<typeof albumServer>[0] = {}) => client(albumServer(options).server)
const fieldsOf = ({ resources }: TestResponse) => resources.map(({ attributes }) => attributes)

const idsOf = async (query: string) =>
  (await api().get(`/albums/-aggregates/by-genre?${query}`)).resources.map(({ id }) => id)

describe('an aggregate', () => {
  test('has a resource for each group, in the order of the groups', async () => {
    const response = await api().get('/albums/-aggregates/by-year')
    expect(response.resources.map(({ type, attributes }) => [type, attributes])).toEqual([
      ['albums-by-year', { year: 1958, albums: 1, rating: 8 }],
      ['albums-by-year', { year: 1997, albums: 1, rating: 9 }],
      ['albums-by-year', { year: 2000, albums: 1, rating: 10 }],
      ['albums-by-year', { year: 2001, albums: 1, rating: null }],
      ['albums-by-year', { year: null, albums: 1, rating: 7 }],
    ])
  })

  test('has the related resource of a group as a relationship, which can be included', async () => {
    const response = await api().get('/albums/-aggregates/by-artist?sort=-plays&include=artist')
    expect(
      response.resources.map(({ attributes, relationships }) => [relationships?.['artist']?.data, attributes]),
    ).toEqual([
      [
        { type: 'artists', id: '1' },
        { albums: 3, plays: '18014398509481991', first: '1997-05-21T23:30:00+00:00' },
      ],
      [
        { type: 'artists', id: '2' },
        { albums: 1, plays: '7', first: '1958-12-31T00:00:00+00:00' },
      ],
      [null, { albums: 1, plays: '1', first: null }],
    ])
    expect(response.document?.included?.map(({ id }) => id)).toEqual(['1', '2'])
  })

  test('ignores null, except to count rows', async () => {
    expect(fieldsOf(await api().get('/albums/-aggregates/by-genre'))).toEqual([
      { genre: 'jazz', live: false, albums: 1, rated: 1, ratings: 8, best: 8, price: null, lastTitle: 'Moanin' },
      {
        genre: 'rock',
        live: false,
        albums: 3,
        rated: 3,
        ratings: 26,
        best: 10,
        price: 10.09,
        lastTitle: 'Ágætis byrjun',
      },
      { genre: 'rock', live: true, albums: 1, rated: 0, ratings: null, best: null, price: 0.2, lastTitle: 'Amnesiac' },
    ])
  })

  test('groups by days, quarters, and weeks of ISO 8601', async () => {
    expect(fieldsOf(await api().get('/albums/-aggregates/by-day'))).toEqual([
      { recordedOn: '1958-10-30', week: '1958-W44', quarter: '1958-Q4', albums: 1 },
      { recordedOn: '1996-07-04', week: '1996-W27', quarter: '1996-Q3', albums: 1 },
      { recordedOn: '1999-01-03', week: '1998-W53', quarter: '1999-Q1', albums: 1 },
      { recordedOn: null, week: null, quarter: null, albums: 2 },
    ])
  })

  test('without groups is one resource, also of no rows', async () => {
    expect(fieldsOf(await api().get('/albums/-aggregates/totals'))).toEqual([{ albums: 5, rating: 8.5, price: 10.29 }])
    const none = await api().get('/albums/-aggregates/totals?filter[title]=none')
    expect(fieldsOf(none)).toEqual([{ albums: 0, rating: null, price: null }])
    expect(fieldsOf(await api().get('/albums/-aggregates/by-year?filter[title]=none'))).toEqual([])
  })

  test('takes the filters of its type, and no others', async () => {
    const rock = await api().get('/albums/-aggregates/totals?filter[genre]=rock')
    expect(fieldsOf(rock)).toEqual([{ albums: 4, rating: 8.66666666666667, price: 10.29 }])
    const through = await api().get('/albums/-aggregates/totals?filter[artist.name]=Art Blakey')
    expect(fieldsOf(through)).toEqual([{ albums: 1, rating: 8, price: null }])
    const deleted = await api().get('/albums/-aggregates/totals?filter[trashed]=true')
    expect(fieldsOf(deleted)).toEqual([{ albums: 6, rating: 7, price: 10.29 }])
    expectErrors(await api().get('/albums/-aggregates/totals?filter[rating]=1'), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[rating]' },
    ])
    expectErrors(await api().get('/albums/-aggregates/totals?filter[id]=1&filter[albums]=1'), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[albums]' },
    ])
  })

  test('is sorted by its fields, and then by the groups', async () => {
    const sorted = async (sort: string) =>
      fieldsOf(await api().get(`/albums/-aggregates/by-year?sort=${sort}`)).map((fields) => fields?.['year'])
    expect(await sorted('-year')).toEqual([null, 2001, 2000, 1997, 1958])
    expect(await sorted('rating')).toEqual([null, 1958, 1997, 2000, 2001])
    expect(await sorted('-rating')).toEqual([2001, 2000, 1997, 1958, null])
    expect(await sorted('albums')).toEqual([1958, 1997, 2000, 2001, null])
    const byArtist = await api().get('/albums/-aggregates/by-artist?sort=-artist')
    expect(byArtist.resources.map(({ relationships }) => relationships?.['artist']?.data)).toEqual([
      null,
      { type: 'artists', id: '2' },
      { type: 'artists', id: '1' },
    ])
    expectErrors(await api().get('/albums/-aggregates/by-year?sort=title'), [
      { status: 400, code: 'SORTING_UNRECOGNIZED', parameter: 'sort' },
    ])
  })

  test('has pages of groups, which are counted on request', async () => {
    const titles = async (query: string) =>
      fieldsOf(await api().get(`/albums/-aggregates/paged?${query}`)).map((fields) => fields?.['title'])
    expect(await titles('')).toEqual(['Amnesiac', 'Kid A'])
    expect(await titles('page[number]=2')).toEqual(['Moanin', 'OK Computer'])
    expect(await titles('page[number]=3')).toEqual(['Ágætis byrjun'])
    expect(await titles('page[number]=9')).toEqual([])
    const first = await api().get('/albums/-aggregates/paged')
    expect(first.document?.links?.['next']).toContain('/albums/-aggregates/paged?page%5Bnumber%5D=2')
    expect(await titles('page[size]=9')).toEqual(['Amnesiac', 'Kid A', 'Moanin'])
    const countable = 'application/vnd.api+json; profile="https://haddowg.github.io/json-api/profiles/countable/"'
    const counted = await api().get('/albums/-aggregates/paged?withCount=_self_', { headers: { Accept: countable } })
    expect(counted.document?.meta).toMatchObject({ total: 5, page: { total: 5, lastPage: 3 } })
    const none = await api().get('/albums/-aggregates/totals?withCount=_self_&filter[title]=none', {
      headers: { Accept: countable },
    })
    expect(none.document?.meta).toMatchObject({ total: 1 })
  })

  test('has sparse fieldsets', async () => {
    const response = await api().get('/albums/-aggregates/by-year?fields[albums-by-year]=year,rating&sort=-albums,year')
    expect(fieldsOf(response)[0]).toEqual({ year: 1958, rating: 8 })
    const related = await api().get('/albums/-aggregates/by-artist?fields[albums-by-artist]=artist')
    expect(related.resources.map(({ attributes }) => attributes)).toEqual([undefined, undefined, undefined])
  })

  test('leaves out small groups, and says whether there are any', async () => {
    const large = await api().get('/albums/-aggregates/large')
    expect(fieldsOf(large)).toEqual([{ genre: 'rock', albums: 4, best: 10 }])
    expect(large.document?.meta).toMatchObject({ minGroupSize: 2, hasSmallerGroups: true })
    const rock = await api().get('/albums/-aggregates/large?filter[genre]=rock')
    expect(rock.document?.meta).toMatchObject({ minGroupSize: 2, hasSmallerGroups: false })
    const one = await api().get('/albums/-aggregates/large?filter[title]=Moanin')
    expect([fieldsOf(one), one.document?.meta?.['hasSmallerGroups']]).toEqual([[], true])
    const beyond = await api().get('/albums/-aggregates/large?page[number]=5')
    expect([fieldsOf(beyond), beyond.document?.meta?.['hasSmallerGroups']]).toEqual([[], true])
  })

  test('has the same ids for the same groups of the same rows, and other ids with other filters', async () => {
    const all = await idsOf('')
    expect(await idsOf('sort=-genre,-live')).toEqual(all.toReversed())
    const rock = await idsOf('filter[genre]=rock')
    expect(rock).not.toContain(all[1])
    expect(await idsOf('filter[genre]=rock')).toEqual(rock)
    expect(new Set([...all, ...rock]).size).toBe(5)
    expect(await idsOf('filter[title]=a&filter[genre]=rock')).toEqual(await idsOf('filter[genre]=rock&filter[title]=a'))
  })

  test('is only read, and only at its address', async () => {
    expectErrors(await api().post('/albums/-aggregates/by-year', {}), [{ status: 405, code: 'METHOD_NOT_ALLOWED' }])
    for (const path of ['/albums/-aggregates/none', '/albums/-aggregates', '/albums/-aggregates/by-year/1']) {
      expectErrors(await api().get(path), [{ status: 404, code: 'PATH_NOT_FOUND' }])
    }
    expectErrors(await api().get('/artists/-aggregates/by-year'), [{ status: 404, code: 'PATH_NOT_FOUND' }])
    expect((await api().get('/albums-by-year')).status).toBe(404)
  })

  test('is a part of the cost of a request', async () => {
    const priced = api({ queryCost: { budget: 20 } })
    expect((await priced.get('/albums/-aggregates/totals')).status).toBe(200)
    expectErrors(await priced.get('/albums/-aggregates/by-year'), [{ status: 400, code: 'QUERY_TOO_EXPENSIVE' }])
    expect((await priced.get('/albums/-aggregates/by-year?page[size]=5')).status).toBe(200)
  })

  test('calls the listeners before a list of its type', async () => {
    const ran: string[] = []
    const { server } = albumServer()
    server.on('BeforeFetchCollection', () => void ran.push('before'))
    server.on('AfterFetchCollection', () => void ran.push('after'))
    await client(server).get('/albums/-aggregates/totals')
    expect(ran).toEqual(['before'])
  })
})
