import { createServer, cursorPage, defineResource, defineType, id, model, numberPage } from 'ashlar'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import { rowSet } from 'ashlar/store'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { recordingProvider } from '../support/recording-provider.js'
import { shown } from '../support/shown.js'

interface Chart {
  readonly id: number
  readonly title: string
  readonly country: string
  readonly since: number | null
}

const rows: readonly Chart[] = [
  { id: 3, title: 'Hot 100', country: 'us', since: 1958 },
  { id: 1, title: 'Singles', country: 'uk', since: 1952 },
  { id: 4, title: 'Downloads', country: 'uk', since: null },
  { id: 2, title: 'Albums', country: 'uk', since: 1956 },
]

type CustomProvider = ReturnType<typeof recordingProvider<Chart>>

function charts(custom: CustomProvider, settings: object = {}): TestClient {
  const type = defineResource('charts', {
    model: model<Chart>('charts'),
    id: id(),
    attributes: (a) => ({
      title: a.string().sortable(),
      country: a.string(),
      since: a.integer().nullable().sortable(),
    }),
    filters: (f) => ({ country: f.where(), since: f.range(), ids: f.idIn() }),
    provider: custom.provider,
    readOnly: true,
    countable: true,
    ...settings,
  })
  return client(createServer({ resources: [type] }))
}

describe('a provider that returns a list of all its rows', () => {
  test('is sorted by the key, and windowed, by the service', async () => {
    const custom = recordingProvider(rows)
    const { document } = await charts(custom).get('/charts?page[size]=3&fields[charts]=title')
    expect(document?.data).toMatchObject([{ id: '1' }, { id: '2' }, { id: '3', attributes: { title: 'Hot 100' } }])
    expect(document?.meta).toEqual({ page: { currentPage: 1, perPage: 3, from: 1, to: 3 } })
    expect(document?.links?.['next']).toBe(
      'http://localhost/charts?fields%5Bcharts%5D=title&page%5Bsize%5D=3&page%5Bnumber%5D=2',
    )
    expect(custom.calls).toHaveLength(1)
  })

  test('is filtered by the service, with values of the kind of the field', async () => {
    const api = charts(recordingProvider(rows))
    expect(shown((await api.get('/charts?filter[country]=uk')).resources)).toEqual(['charts 1', 'charts 2', 'charts 4'])
    expect(shown((await api.get('/charts?filter[since][min]=1956')).resources)).toEqual(['charts 2', 'charts 3'])
    expect(shown((await api.get('/charts?filter[ids]=4,3,9')).resources)).toEqual(['charts 3', 'charts 4'])
    expectErrors(await api.get('/charts?filter[since][min]=x'), [
      { status: 400, code: 'FILTER_VALUE_INVALID', parameter: 'filter[since]' },
    ])
  })

  test('is sorted by the service; null is the largest value', async () => {
    const api = charts(recordingProvider(rows))
    expect(shown((await api.get('/charts?sort=since')).resources)).toEqual([
      'charts 1',
      'charts 2',
      'charts 3',
      'charts 4',
    ])
    expect(shown((await api.get('/charts?sort=-since')).resources)).toEqual([
      'charts 4',
      'charts 3',
      'charts 2',
      'charts 1',
    ])
    const sorted = charts(recordingProvider(rows), { defaultSort: ['-title'] })
    expect(shown((await sorted.get('/charts')).resources)).toEqual(['charts 1', 'charts 3', 'charts 4', 'charts 2'])
  })

  test('is counted by the service, on demand or always', async () => {
    const profile = { headers: { Accept: `application/vnd.api+json; profile="${countableProfile.uri}"` } }
    const demanded = await charts(recordingProvider(rows)).get(
      '/charts?withCount=_self_&filter[country]=uk&page[size]=1',
      profile,
    )
    expect(demanded.document?.meta).toMatchObject({ total: 3, page: { total: 3, lastPage: 3 } })
    const always = await charts(recordingProvider(rows), { pagination: numberPage({ size: 3 }).withCount() }).get(
      '/charts',
    )
    expect(always.document?.meta).toMatchObject({ total: 4, page: { total: 4, lastPage: 2 } })
    const whole = await charts(recordingProvider(rows), { pagination: null }).get('/charts?filter[country]=uk')
    expect(whole.document?.meta).toEqual({ total: 3 })
  })

  test('is walked by cursor', async () => {
    const api = charts(recordingProvider(rows), { pagination: cursorPage({ size: 2 }) })
    const first = await api.get('/charts?sort=-since')
    expect(shown(first.resources)).toEqual(['charts 4', 'charts 3'])
    const next = String(first.document?.links?.['next']).slice('http://localhost'.length)
    const second = await api.get(next)
    expect(shown(second.resources)).toEqual(['charts 2', 'charts 1'])
    expect(second.document?.links).not.toHaveProperty('next')
  })

  test('may return rows by position', async () => {
    const custom = recordingProvider(rows, {
      response: (all) =>
        rowSet(
          ['country', 'id', 'title'],
          all.map(({ country, id: key, title }) => [country, key, title]),
        ),
    })
    const { resources } = await charts(custom).get('/charts?filter[country]=us&fields[charts]=title')
    expect(resources).toEqual([
      { type: 'charts', id: '3', attributes: { title: 'Hot 100' }, links: { self: 'http://localhost/charts/3' } },
    ])
  })

  test('has only the rows of the scope, in lists and one by one', async () => {
    const api = charts(recordingProvider(rows), {
      scope: (_context: unknown, f: { where(column: string): { fixed(value: string): object } }) =>
        f.where('country').fixed('uk'),
    })
    expect(shown((await api.get('/charts')).resources)).toEqual(['charts 1', 'charts 2', 'charts 4'])
    expect((await api.get('/charts/1')).status).toBe(200)
    expectErrors(await api.get('/charts/3'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })

  test('may belong to a type without a model and with a serializer', async () => {
    const { provider } = recordingProvider(rows)
    const type = defineType('charts', {
      fields: (a) => ({ id: id(), title: a.string().sortable() }),
      serializer: {
        members: ['title'],
        serialize: (row) => ({ id: `chart-${String(row['id'])}`, attributes: { title: row['title'] } }),
      },
      filters: (f) => ({ country: f.where() }),
      provider,
      operations: ['FetchCollection', 'FetchOne'],
    })
    const api = client(createServer({ resources: [type] }))
    const { resources } = await api.get('/charts?filter[country]=uk&sort=-title&page[size]=2')
    expect(resources.map(({ id: wireId, attributes }) => [wireId, attributes?.['title']])).toEqual([
      ['chart-1', 'Singles'],
      ['chart-4', 'Downloads'],
    ])
  })
})

const returning = (result: object) => recordingProvider(rows, { response: () => ({ rows, total: null, ...result }) })

describe('a provider that returns a collection with its facts', () => {
  test('gets all criteria, and its result is not filtered again', async () => {
    const custom = returning({ rows: rows.slice(0, 2), more: true })
    const { document } = await charts(custom).get('/charts?filter[country]=uk&sort=-title&page[size]=2&page[number]=3')
    expect(shown(document?.data)).toEqual(['charts 3', 'charts 1'])
    expect(document?.links).toHaveProperty('next')
    expect(custom.calls).toMatchObject([
      {
        criteria: {
          columns: ['id', 'title', 'country', 'since'],
          conditions: [{ kind: 'compare', column: { name: 'country' }, operator: '=', value: 'uk' }],
          orders: [
            { kind: 'column', column: { name: 'title' }, descending: true },
            { kind: 'column', column: { name: 'id' }, descending: true },
          ],
          window: { kind: 'offset', offset: 4, limit: 2 },
          wantsCount: false,
        },
      },
    ])
  })

  test('returns its total only if it is requested', async () => {
    const custom = returning({ total: 40 })
    expect((await charts(custom).get('/charts')).document?.meta).not.toHaveProperty('total')
    const counted = charts(custom, { pagination: numberPage().withCount() })
    expect((await counted.get('/charts')).document?.meta).toMatchObject({ total: 40, page: { lastPage: 3 } })
  })

  test('need not count a list that it returns whole', async () => {
    const api = charts(returning({}), { pagination: null })
    expect((await api.get('/charts')).document?.meta).toEqual({ total: 4 })
  })
})
