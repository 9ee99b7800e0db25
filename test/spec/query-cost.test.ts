import { atomic, authenticate, JsonApiError } from 'ashlar'
import type { TestClient } from 'ashlar/testing'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, inject, test } from 'vitest'
import { add, batchClient, linked, remove, update } from '../atomic/batch-client.js'
import { client } from '../support/client.js'
import { costedData, costedMusic } from '../support/costed-music.js'
import { countedData } from '../support/counted-data.js'

/** A request that costs more than its budget is refused before anything is read or written, and the error explains the sum. */

const tooExpensive = { status: 400, code: 'QUERY_TOO_EXPENSIVE', title: 'Request is too expensive' } as const

/** Sends a request on servers whose budget is its cost, and one less. */
async function atTheEdge(cost: number, send: (api: TestClient) => ReturnType<TestClient['get']>) {
  const [enough, less] = [costedMusic({ budget: cost }), costedMusic({ budget: cost - 1 })]
  return { served: await send(client(enough)), refused: await send(client(less)) }
}

describe('a read', () => {
  test.each([
    ['/albums', 15, 'page[size]'],
    ['/albums/1', 1, undefined],
    ['/albums?include=tracks', 195, 'include'],
    ['/albums?page[size]=2&include=tracks.playlists,artist', 2 + 24 + 240 + 2 + 2400, 'fields[playlists]'],
    ['/albums?page[size]=2&filter[artist.label.title]=x', 22, 'filter[artist.label.title]'],
    ['/albums?page[size]=2&filter[tracks]=true&filter[title]=x', 12, 'filter[tracks]'],
    ['/albums?page[size]=2&sort=-artist', 12, 'sort'],
    ['/albums/1?withLinkage[albums]=tracks', 13, 'withLinkage[albums]'],
    ['/artists/1/albums?include=tracks', 196, 'include'],
    ['/albums/1/artist', 2, undefined],
    ['/albums/1/relationships/tracks', 13, undefined],
    ['/albums/-actions/draw', 1, undefined],
  ])('%s may cost its budget, and not more', async (url, cost, parameter) => {
    const { served, refused } = await atTheEdge(cost, (api) => api.get(url))
    expect(served.errors).toEqual([])
    const [error] = expectErrors(refused, [tooExpensive])
    expect(error?.source).toEqual(parameter === undefined ? undefined : { parameter })
    expect(error?.meta).toMatchObject({ cost, budget: cost - 1 })
  })

  test('that is refused reads nothing, and the error has the parts of the sum', async () => {
    const { data, calls } = countedData(costedData())
    const api = client(costedMusic({ budget: 1000 }, { data }))
    const refused = await api.get('/artists?page[limit]=9&include=albums.tracks,label')
    expect(refused.errors).toEqual([
      {
        status: '400',
        code: 'QUERY_TOO_EXPENSIVE',
        title: 'Request is too expensive',
        detail: 'This request costs 1188, and at most 1000 is allowed. The largest share is that of include: 1179.',
        source: { parameter: 'include' },
        meta: {
          cost: 1188,
          budget: 1000,
          parts: [
            { kind: 'rows', name: 'artists', parameter: 'page[limit]', cost: 9 },
            { kind: 'include', name: 'albums', parameter: 'include', cost: 90 },
            { kind: 'include', name: 'label', parameter: 'include', cost: 9 },
            { kind: 'include', name: 'albums.tracks', parameter: 'include', cost: 1080 },
          ],
        },
      },
    ])
    expect(calls).toEqual([])
  })

  test('is refused each time: the cost is cached with the plan', async () => {
    const api = client(costedMusic({ budget: 194 }))
    for (const _ of [1, 2, 3]) expectErrors(await api.get('/albums?include=tracks'), [tooExpensive])
  })

  test('is refused after the errors of its query, and before 404', async () => {
    const api = client(costedMusic({ budget: 0 }))
    expectErrors(await api.get('/albums?include=songs'), [{ code: 'INCLUSION_UNRECOGNIZED' }])
    expectErrors(await api.get('/albums/99'), [tooExpensive])
  })
})

const get = (api: TestClient, caller: string) =>
  api.get('/albums?include=tracks', { headers: { Authorization: caller } })

const budgetOfAlice = ({ caller }: { readonly caller: unknown }) =>
  (caller as { id: string }).id === 'alice' ? 195 : 194

describe('the budget', () => {
  const byToken = authenticate({
    challenge: 'Bearer',
    caller: (request) => {
      const token = request.header('authorization')
      return token === undefined ? null : { id: token }
    },
  })
  test('may be that of the caller, also for a plan that callers share', async () => {
    const middleware = [byToken]
    const api = client(costedMusic({ budget: budgetOfAlice }, { middleware }, { policy: 'public' }))
    expect((await get(api, 'alice')).status).toBe(200)
    expectErrors(await get(api, 'bob'), [tooExpensive])
    expect((await get(api, 'alice')).status).toBe(200)
  })

  test('may be infinite', async () => {
    expect((await client(costedMusic({ budget: () => Infinity })).get('/profiles')).status).toBe(200)
    expect((await client(costedMusic({})).get('/profiles')).status).toBe(200)
    expect((await client(costedMusic(false)).get('/profiles')).status).toBe(200)
  })

  test.each([[Number.NaN], [-1], ['5'], [undefined], [Promise.resolve(5)]])(
    'that a function returns is a number: %s is an error of the application',
    async (budget) => {
      expectErrors(await client(costedMusic({ budget: () => budget as number })).get('/albums'), [{ status: 500 }])
    },
  )

  test('of a named server is its own, or inherited, with the other members', async () => {
    const servers = {
      staff: { prefix: '/staff', queryCost: { budget: 200 } },
      partner: { prefix: '/partner', maxPageSize: 50 },
      open: { prefix: '/open', queryCost: false },
    } as const
    const api = client(
      costedMusic({ budget: 100, join: 90 }, { servers }, { server: ['default', 'staff', 'partner', 'open'] }),
    )
    const statuses = async (query: string) => {
      const all: number[] = []
      for (const prefix of ['', '/staff', '/partner', '/open']) {
        all.push((await api.get(`${prefix}/albums?page[size]=15${query}`)).status)
      }
      return all
    }
    expect(await statuses('&filter[tracks]=true')).toEqual([400, 200, 400, 200])
    expect(await statuses('&include=tracks')).toEqual([400, 200, 400, 200])
    expect(await statuses('&include=tracks.album')).toEqual([400, 400, 400, 200])
  })
})

const track = (id: string) => ({ type: 'tracks', id })
const album = (relationships: object = {}) => ({
  data: { type: 'albums', attributes: { title: 'New' }, relationships },
})

describe('a write costs 10, the rows that it names, and the includes of its response:', () => {
  test.each([
    ['a create', 11, (api: TestClient) => api.post('/albums', { body: album() })],
    [
      'a create with linkage',
      13,
      (api: TestClient) =>
        api.post('/albums', {
          body: album({ tracks: { data: [track('1'), track('2')] }, artist: { data: { type: 'artists', id: '1' } } }),
        }),
    ],
    ['a create with include', 23, (api: TestClient) => api.post('/albums?include=tracks', { body: album() })],
    [
      'an update',
      12,
      (api: TestClient) =>
        api.patch('/albums/1?include=artist', { body: { data: { ...album().data, id: '1', relationships: {} } } }),
    ],
    [
      'a change of members',
      12,
      (api: TestClient) => api.post('/albums/2/relationships/tracks', { body: linked([track('1'), track('2')]) }),
    ],
    ['a delete', 11, (api: TestClient) => api.delete('/albums/3')],
    ['an action', 23, (api: TestClient) => api.post('/albums/1/-actions/reissue?include=tracks', {})],
  ])('%s', async (_name, cost, send) => {
    const { served, refused } = await atTheEdge(cost, send)
    expect(served.errors).toEqual([])
    const [error] = expectErrors(refused, [tooExpensive])
    expect(error?.meta).toMatchObject({ cost })
    const write: unknown = expect.objectContaining({ kind: 'write', name: 'albums', parameter: null })
    expect(error?.meta?.['parts']).toContainEqual(write)
  })

  test('nothing is written if it is refused', async () => {
    const api = client(costedMusic({ budget: 22 }))
    expectErrors(await api.post('/albums?include=tracks', { body: album() }), [
      { ...tooExpensive, parameter: 'include' },
    ])
    expect((await api.get('/albums?fields[albums]=title')).resources).toHaveLength(3)
  })
})

const batchOn = (budget: number) => batchClient(costedMusic({ budget }, { extensions: [atomic()] }))

describe('a batch costs the sum of its operations', () => {
  const operations = [
    add('albums', { title: 'A' }, { relationships: { tracks: linked([{ type: 'tracks', id: '1' }]) } }),
    add('albums', { title: 'B' }),
    update('artists', '1', { title: 'C' }),
    remove('albums', '3'),
  ]

  test('and may cost its budget, and not more', async () => {
    expect((await batchOn(45).batch(operations)).status).toBe(200)
    const api = batchOn(44)
    const refused = await api.batch(operations)
    const [error] = expectErrors(refused, [{ ...tooExpensive, pointer: '/atomic:operations' }])
    expect(error?.detail).toContain("The largest share is that of the write of 'albums': 34.")
    expect(error?.meta?.['parts']).toEqual([
      { kind: 'write', name: 'albums', parameter: null, cost: 34 },
      { kind: 'write', name: 'artists', parameter: null, cost: 11 },
    ])
    expect((await api.get('/albums?fields[albums]=title')).resources).toHaveLength(3)
  })

  test('also if one statement creates all', async () => {
    const creations = [add('labels', { title: 'A' }), add('labels', { title: 'B' })]
    expect((await batchOn(22).batch(creations)).status).toBe(200)
    expectErrors(await batchOn(21).batch(creations), [tooExpensive])
  })

  test('with the includes of its results', async () => {
    const creations = [add('profiles', { title: 'A' }), add('profiles', { title: 'B' })]
    expect((await batchOn(24).batch(creations)).status).toBe(200)
    expectErrors(await batchOn(23).batch(creations), [tooExpensive])
  })
})

const budgetOfDispatch = ({ request }: { readonly request: unknown }) => (request === null ? 194 : 0)

test('operations that an application dispatches have a budget, too', async () => {
  const server = costedMusic({ budget: budgetOfDispatch })
  const read = (query: string) => server.dispatch({ kind: 'FetchResource', type: 'albums', id: null, query })
  expect((await read('include=artist')).kind).toBe('data')
  const refused = await read('include=tracks').catch((thrown: unknown) => thrown)
  expect(JsonApiError.is(refused) && refused.problems[0]?.code).toBe('QUERY_TOO_EXPENSIVE')
})

const headerOf = async (path: string, debug: boolean, budget = 1000) => {
  const response = await client(costedMusic({ budget }, { debug })).get(path)
  return response.headers.get('query-cost')
}

describe('in debug mode', () => {
  test('responses have the cost in a header', async () => {
    expect(await headerOf('/albums?include=tracks', true)).toBe('195;budget=1000')
    expect(await headerOf('/albums/99', true)).toBe('1;budget=1000')
    expect(await headerOf('/albums?include=tracks', true, 10)).toBe('195;budget=10')
    expect(await headerOf('/albums?include=tracks', true, Infinity)).toBe('195')
    const api = client(costedMusic({}, { debug: true, extensions: [atomic()] }))
    expect((await api.delete('/albums/3')).headers.get('query-cost')).toBe('11')
    expect((await api.request('HEAD', '/albums')).headers.get('query-cost')).toBe('15')
    const batch = await batchClient(costedMusic({}, { debug: true, extensions: [atomic()] })).batch([
      add('albums', { title: 'A' }),
      update('artists', '1', { title: 'C' }),
    ])
    expect(batch.headers.get('query-cost')).toBe('22')
  })

  test('except others', async () => {
    expect(await headerOf('/albums', false)).toBeNull()
    expect(await headerOf('/songs', true)).toBeNull()
    expect(await headerOf('/albums?sort=x', true)).toBeNull()
  })
})

const storeUnderTest = inject('store')

const budgetOfCaller = ({ caller }: { readonly caller: unknown }) => (caller === null ? 10 : 20)

describe('server.explain()', () => {
  test('returns the cost of a read, and reads nothing', async () => {
    const { data, calls } = countedData(costedData())
    const server = costedMusic({ budget: 100 }, { data })
    expect(
      await server.explain({ url: 'http://music.example/albums/1/tracks?include=playlists&fields[playlists]=title' }),
    ).toEqual({
      operation: 'FetchRelated',
      type: 'albums',
      cost: 78,
      budget: 100,
      isWithinBudget: true,
      parts: [
        { kind: 'owner', name: 'albums', parameter: null, cost: 1 },
        { kind: 'rows', name: 'tracks', parameter: null, cost: 7 },
        { kind: 'include', name: 'playlists', parameter: 'include', cost: 70 },
      ],
      statements: null,
      refusal: null,
    })
    expect(await server.explain({ url: '/albums?include=tracks' })).toMatchObject({ cost: 195, isWithinBudget: false })
    expect(calls).toEqual([])
  })

  test('runs the read on demand, and returns its statements', async () => {
    const { statements } = await costedMusic({}).explain({ url: '/albums?include=tracks', statements: true })
    const isMemory = storeUnderTest === 'memory'
    expect(statements?.map(({ shape }) => shape)).toEqual(isMemory ? [] : ['list albums', 'list albums.tracks'])
    for (const statement of statements ?? []) {
      expect(statement).toEqual({
        engine: storeUnderTest,
        shape: expect.any(String),
        table: expect.stringMatching(/albums|tracks/),
        sql: expect.stringMatching(/^select /),
        rows: expect.any(Number),
        milliseconds: expect.any(Number),
      })
    }
  })

  test('does not run a read that is beyond the budget, and returns the reason if another one has no document', async () => {
    const { data, calls } = countedData(costedData())
    const server = costedMusic({ budget: 100 }, { data })
    const beyond = await server.explain({ url: '/albums?include=tracks', statements: true })
    expect(beyond).toMatchObject({ isWithinBudget: false, statements: null })
    expect(calls).toEqual([])
    const refusal = 'The requested resource does not exist.'
    expect(await server.explain({ url: '/albums/404', statements: true })).toMatchObject({ cost: 1, refusal })
    expect(calls).not.toEqual([])
  })

  test('takes a caller and a server', async () => {
    const servers = { staff: { prefix: '/staff', queryCost: { expectedMembers: 2 } } }
    const server = costedMusic({ budget: budgetOfCaller }, { servers }, { server: ['default', 'staff'] })
    expect(await server.explain({ url: '/albums', as: { id: 1 } })).toMatchObject({ cost: 15, budget: 20 })
    expect(await server.explain({ url: '/albums' })).toMatchObject({ budget: 10, isWithinBudget: false })
    expect(await server.explain({ url: '/staff/artists/1?include=albums' })).toMatchObject({ cost: 3 })
    expect(await server.explain({ url: '/staff/artists/1?include=albums', server: 'staff' })).toMatchObject({ cost: 3 })
  })

  test.each([
    ['/songs', "'/songs' is not a URL at which this service reads resources."],
    ['/albums/1/-actions/reissue', 'is not a URL at which this service reads resources.'],
    ['albums', "'albums' is not a URL: begin it with a slash, as in /albums."],
    ['/albums?include=songs', 'These include paths name no relationship: songs.'],
    ['/albums?sort=x', "'x'"],
  ])('rejects %s', async (url, message) => {
    await expect(costedMusic({}).explain({ url })).rejects.toThrow(message)
  })
})
