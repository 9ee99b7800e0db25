import { belongsTo, createServer, cursorPage, defineResource, hasMany, id, model, rule } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface TrackRow {
  id: number | bigint
  plays: bigint | null
  limit: bigint | null
  ids: readonly string[] | null
  albumId: number | bigint | null
}

const far = 9_007_199_254_740_993n

const tracks = defineResource('tracks', {
  model: model<TrackRow>('tracks'),
  id: id(),
  attributes: (a) => ({
    plays: a.bigint().nullable().min(-10n).sortable(),
    limit: a.bigint().nullable().compareWith('plays', '>='),
    ids: a.arrayList().of('bigint').each(rule.max(far)).nullable(),
  }),
  relations: { album: belongsTo('albums').via('albumId') },
  filters: (f) => ({ plays: f.where(), among: f.in('plays'), between: f.range('plays'), ids: f.in() }),
  pagination: cursorPage({ size: 1, maxSize: 10 }),
})

const albums = defineResource('albums', {
  model: model<{ id: number | bigint; copies: bigint }>('albums'),
  id: id(),
  attributes: (a) => ({ copies: a.bigint() }),
  relations: { tracks: hasMany('tracks').via('albumId') },
})

const rows = (): {
  readonly tracks: readonly TrackRow[]
  readonly albums: readonly { id: bigint; copies: bigint }[]
} => ({
  albums: [{ id: far, copies: 2n ** 63n - 1n }],
  tracks: [
    { id: 1, plays: far, limit: far, ids: [String(far)], albumId: far },
    { id: 2, plays: far - 1n, limit: null, ids: [], albumId: null },
    { id: 3, plays: far + 1n, limit: null, ids: null, albumId: far },
    { id: 4, plays: 5n, limit: null, ids: null, albumId: null },
    { id: 5, plays: null, limit: null, ids: null, albumId: null },
  ],
})

const serving = (): TestClient => client(createServer({ resources: [tracks, albums], data: storedData({ ...rows() }) }))

const idsOf = async (api: TestClient, query: string): Promise<readonly string[]> =>
  (await api.get(`/tracks?${query}&page[size]=10`)).resources.map(({ id: key }) => key)

const body = (attributes: object, key?: string): { body: object } => ({
  body: { data: { type: 'tracks', ...(key === undefined ? {} : { id: key }), attributes } },
})

const form = 'This must be a whole number as a string of digits, from -9223372036854775808 to 9223372036854775807.'

describe('a bigint', () => {
  test('is a string of digits on the wire, with all digits', async () => {
    const api = serving()
    const read = await api.get('/tracks/1')
    expect(read.resource.attributes).toEqual({ plays: String(far), limit: String(far), ids: [String(far)] })
    expect((await api.patch('/tracks/1', { body: { data: read.resource } })).status).toBe(200)
    expect((await api.get('/tracks/1')).text).toBe(read.text)
  })

  test('is written with all digits', async () => {
    const api = serving()
    const made = await api.post('/tracks', body({ plays: '9223372036854775807', ids: [String(far - 2n)] }))
    expect(made.resource.attributes).toMatchObject({ plays: '9223372036854775807', ids: [String(far - 2n)] })
    const changed = await api.patch('/tracks/4', body({ plays: String(far + 5n) }, '4'))
    expect(changed.resource.attributes).toMatchObject({ plays: String(far + 5n) })
    expect(await idsOf(api, `filter[plays]=${far + 5n}`)).toEqual(['4'])
  })

  test.each([
    12,
    1.5,
    '012',
    '+1',
    '1.0',
    '1e3',
    ' 1',
    '',
    '0x10',
    '-0',
    '9223372036854775808',
    '-9223372036854775809',
    true,
  ])('is not %j', async (plays) => {
    const made = await serving().post('/tracks', body({ plays }))
    const detail = typeof plays === 'string' ? form : 'This must be a string.'
    expectErrors(made, [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/plays', detail }])
  })

  test('has bounds, and is compared with others by size', async () => {
    const api = serving()
    expectErrors(await api.post('/tracks', body({ plays: '-11' })), [
      { status: 422, pointer: '/data/attributes/plays', detail: 'This must be -10 or more.' },
    ])
    expectErrors(await api.post('/tracks', body({ plays: '10', limit: '9' })), [
      { status: 422, pointer: '/data/attributes/limit', detail: "This must be greater than or equal to 'plays'." },
    ])
    expectErrors(await api.post('/tracks', body({ ids: [String(far), String(far + 1n), 'x'] })), [
      { status: 422, pointer: '/data/attributes/ids/2', detail: form },
    ])
    expectErrors(await api.post('/tracks', body({ ids: [String(far), String(far + 1n)] })), [
      { status: 422, pointer: '/data/attributes/ids/1', detail: `This must be ${far} or less.` },
    ])
  })

  test('is filtered by all digits', async () => {
    const api = serving()
    expect(await idsOf(api, `filter[plays]=${far}`)).toEqual(['1'])
    expect(await idsOf(api, `filter[among]=${far},5`)).toEqual(['1', '4'])
    expect(await idsOf(api, `filter[between][min]=${far}`)).toEqual(['1', '3'])
    expect(await idsOf(api, `filter[ids]=${far}`)).toEqual(['1'])
    expectErrors(await api.get('/tracks?filter[plays]=1.5'), [{ status: 400, parameter: 'filter[plays]' }])
  })

  test.each([
    ['plays', ['4', '2', '1', '3', '5']],
    ['-plays', ['5', '3', '1', '2', '4']],
  ])('is sorted by size: %s', async (sort, expected) => {
    const api = serving()
    const seen: string[] = []
    for (let next: unknown = `/tracks?sort=${sort}`; typeof next === 'string' && seen.length < 9; ) {
      const page = await api.get(next.replace('http://localhost', ''))
      seen.push(...page.resources.map(({ id: key }) => key))
      next = page.document?.links?.['next']
    }
    expect(seen).toEqual(expected)
  })

  test('may be an id and a key of others', async () => {
    const api = serving()
    const read = await api.get(`/albums/${far}`)
    expect(read.resource).toMatchObject({ id: String(far), attributes: { copies: '9223372036854775807' } })
    const related = await api.get(`/albums/${far}/tracks?page[size]=10`)
    expect(related.resources.map(({ id: key }) => key)).toEqual(['1', '3'])
    expect((await api.get(`/albums/${far - 1n}`)).status).toBe(404)
    const linkage = { body: { data: { type: 'albums', id: String(far) } } }
    expect((await api.patch('/tracks/4/relationships/album', linkage)).status).toBeLessThan(300)
    expect((await api.get('/tracks/4?include=album')).document?.included).toMatchObject([{ id: String(far) }])
  })
})

test('an integer is never shown with wrong digits: a larger one is left out, and logged', async () => {
  const counted = defineResource('tracks', {
    model: model<TrackRow>('tracks'),
    id: id(),
    attributes: (a) => ({ plays: a.integer().nullable() }),
  })
  const logged: unknown[] = []
  const data = storedData({ tracks: rows().tracks })
  const api = client(createServer({ resources: [counted], data, logger: { error: ({ err }) => logged.push(err) } }))
  expect((await api.get('/tracks/4')).resource.attributes).toEqual({ plays: 5 })
  expect((await api.get('/tracks/1')).resource.attributes).toBeUndefined()
  expect(logged).toEqual([
    new Error(
      "The resource '1' of 'tracks' is shown without 'plays': the column 'plays' holds 9007199254740993, which the kind integer() cannot show. Correct the row, or declare the attribute as a.bigint().",
    ),
  ])
  const fixed = await api.patch('/tracks/1', { body: { data: { type: 'tracks', id: '1', attributes: { plays: 7 } } } })
  expect(fixed.resource.attributes).toEqual({ plays: 7 })
})

test('a decimal over large integers is filtered as it is shown', async () => {
  const shown = defineResource('tracks', {
    model: model<{ id: number; plays: bigint }>('tracks'),
    id: id(),
    attributes: (a) => ({ plays: a.decimal() }),
    filters: (f) => ({
      is: f.where('plays'),
      from: f.where('plays', '>='),
      to: f.where('plays', '<='),
      above: f.where('plays', '>'),
      below: f.where('plays', '<'),
    }),
  })
  // Both of the first two are shown as 9007199254740992.
  const counts = [2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 2n, 2n ** 53n - 1n, 5n].map((plays, index) => {
    return { id: index + 1, plays }
  })
  const api = client(createServer({ resources: [shown], data: storedData({ tracks: counts }) }))
  const found = async (filter: string, value: string) =>
    (await api.get(`/tracks?filter[${filter}]=${value}&sort=id`)).resources.map((each) => each.id)
  const [same, next] = ['9007199254740992', '9007199254740994']
  expect(await found('is', same)).toEqual(['1', '2'])
  expect(await found('from', same)).toEqual(['1', '2', '3'])
  expect(await found('to', same)).toEqual(['1', '2', '4', '5'])
  expect(await found('above', same)).toEqual(['3'])
  expect(await found('below', same)).toEqual(['4', '5'])
  expect(await found('from', next)).toEqual(['3'])
  expect(await found('below', next)).toEqual(['1', '2', '4', '5'])
  expect(await found('to', '9007199254740991')).toEqual(['4', '5'])
  expect(await found('above', '5')).toEqual(['1', '2', '3', '4'])
})
