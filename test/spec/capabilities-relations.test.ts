import {
  belongsTo,
  createServer,
  cursorPage,
  defineResource,
  defineType,
  hasMany,
  hasOne,
  id,
  model,
  morphTo,
} from 'ashlar'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import type { DataSource, Provider } from 'ashlar/store'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { countedData } from '../support/counted-data.js'
import { recordingProvider } from '../support/recording-provider.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

/** Albums are in the store; charts and their entries come from a custom provider. */

interface Album {
  readonly id: number
  readonly title: string
  readonly chartCode: string | null
}

interface Entry {
  readonly id: number
  readonly rank: number
  readonly albumId: number
  readonly chart: string
}

const albumRows: readonly Album[] = [
  { id: 1, title: 'OK Computer', chartCode: 'uk' },
  { id: 2, title: 'Kid A', chartCode: 'us' },
  { id: 3, title: 'Homogenic', chartCode: 'uk' },
  { id: 4, title: 'Kind of Blue', chartCode: null },
]
const chartRows = [{ code: 'uk' }, { code: 'us' }]
const entryRows: readonly Entry[] = [
  { id: 1, rank: 3, albumId: 1, chart: 'uk' },
  { id: 2, rank: 1, albumId: 2, chart: 'us' },
  { id: 3, rank: 1, albumId: 1, chart: 'uk' },
  { id: 4, rank: 2, albumId: 1, chart: 'us' },
]

interface Providers {
  readonly charts: Provider
  readonly entries: Provider
}

function shop({ charts, entries }: Providers, data: DataSource = storedData({ albums: albumRows })) {
  return client(
    createServer({
      data,
      resources: [
        defineResource('albums', {
          model: model<Album>('albums'),
          id: id(),
          attributes: (a) => ({ title: a.string() }),
          relations: {
            chart: belongsTo('charts').via('chartCode'),
            entries: hasMany('entries').countable(),
            best: hasOne('entries').via('albumId'),
            pagedEntries: hasMany('entries')
              .via('albumId')
              .paginate(cursorPage({ size: 2 })),
          },
        }),
        defineType('charts', {
          fields: () => ({ code: id() }),
          relations: { entries: hasMany('entries').via('chart') },
          serializer: { members: [], serialize: (row) => ({ id: String(row['code']) }) },
          provider: charts,
          operations: ['FetchOne'],
        }),
        defineResource('entries', {
          model: model<Entry>('entries'),
          id: id(),
          attributes: (a) => ({ rank: a.integer().sortable(), albumId: a.integer().hidden() }),
          relations: { album: belongsTo('albums') },
          filters: (f) => ({ rank: f.where() }),
          defaultSort: ['rank'],
          scope: (context, f) => (context.request?.header('x-top') === 'yes' ? f.where('rank').fixed(1) : null),
          provider: entries,
          readOnly: true,
        }),
      ],
    }),
  )
}

function recordingProviders() {
  const [charts, entries] = [recordingProvider(chartRows, { key: 'code' }), recordingProvider(entryRows)]
  const { fetchOne } = charts.provider
  return { charts, entries, providers: { charts: { fetchOne }, entries: entries.provider } }
}

describe('a relation to a type with a custom provider', () => {
  test('reads the rows of all parents by one call of the collection', async () => {
    const { entries, providers } = recordingProviders()
    const { document } = await shop(providers).get('/albums?include=entries&fields[albums]=entries')
    expect(document?.data).toMatchObject([
      { relationships: { entries: { data: [{ id: '3' }, { id: '4' }, { id: '1' }] } } },
      { relationships: { entries: { data: [{ id: '2' }] } } },
      { relationships: { entries: { data: [] } } },
      { relationships: { entries: { data: [] } } },
    ])
    expect(shown(document?.included)).toEqual(['entries 3', 'entries 4', 'entries 1', 'entries 2'])
    expect(entries.calls).toMatchObject([
      {
        method: 'fetchCollection',
        criteria: {
          columns: null,
          conditions: [{ kind: 'in', column: { name: 'albumId' }, values: [1, 2, 3, 4], negated: false }],
          // One row more than a document may include.
          window: { kind: 'offset', offset: 0, limit: 10_001 },
        },
      },
    ])
  })

  test('reads each key once from a provider without collections', async () => {
    const { charts, providers } = recordingProviders()
    const { document } = await shop(providers).get('/albums?include=chart&fields[albums]=chart')
    expect(shown(document?.included)).toEqual(['charts uk', 'charts us'])
    expect(charts.calls).toEqual([
      { method: 'fetchOne', type: 'charts', id: 'uk' },
      { method: 'fetchOne', type: 'charts', id: 'us' },
    ])
  })

  test('is empty if the provider has no such row', async () => {
    for (const none of [null, undefined as never]) {
      const { providers } = recordingProviders()
      const api = shop({ ...providers, charts: { fetchOne: () => none } })
      const { document } = await api.get('/albums/1?include=chart')
      expect(document?.included).toEqual([])
      expect((await api.get('/albums/1/chart')).document?.data).toBeNull()
    }
  })

  test('is filtered, sorted and windowed by the service', async () => {
    const { providers } = recordingProviders()
    const api = shop(providers)
    expect(shown((await api.get('/albums/1/entries')).resources)).toEqual(['entries 3', 'entries 4', 'entries 1'])
    expect(shown((await api.get('/albums/1/entries?sort=-rank&page[size]=2')).resources)).toEqual([
      'entries 1',
      'entries 4',
    ])
    expect(shown((await api.get('/albums/1/entries?filter[rank]=2')).resources)).toEqual(['entries 4'])
    expect(shown((await api.get('/albums/1/relationships/entries?filter[rank]=2')).document?.data)).toEqual([
      'entries 4',
    ])
  })

  test('is windowed per parent if it has cursor pages', async () => {
    const { entries, providers } = recordingProviders()
    const { document } = await shop(providers).get('/albums?include=pagedEntries&fields[albums]=pagedEntries')
    expect(document?.data).toMatchObject([
      { relationships: { pagedEntries: { data: [{ id: '3' }, { id: '4' }], links: { next: expect.any(String) } } } },
      {
        relationships: {
          pagedEntries: { data: [{ id: '2' }], links: expect.not.objectContaining({ next: expect.anything() }) },
        },
      },
      { relationships: { pagedEntries: { data: [] } } },
      { relationships: { pagedEntries: { data: [] } } },
    ])
    expect(shown(document?.included)).toEqual(['entries 3', 'entries 4', 'entries 2'])
    expect(entries.calls).toHaveLength(1)
  })

  test('is counted by its members, in one call', async () => {
    const { entries, providers } = recordingProviders()
    const { resources } = await shop(providers).get('/albums?withCount=entries&fields[albums]=entries', {
      headers: { Accept: `application/vnd.api+json; profile="${countableProfile.uri}"` },
    })
    expect(resources.map(({ relationships }) => relationships?.['entries']?.meta)).toEqual([
      { total: 3 },
      { total: 1 },
      { total: 0 },
      { total: 0 },
    ])
    expect(entries.calls).toHaveLength(1)
  })

  test('shows only rows of the scope of that type', async () => {
    const { providers } = recordingProviders()
    const top = { headers: { 'X-Top': 'yes' } }
    expect(shown((await shop(providers).get('/albums/1/entries', top)).resources)).toEqual(['entries 3'])
    const { document } = await shop(providers).get('/albums/1?include=entries', top)
    expect(shown(document?.included)).toEqual(['entries 3'])
  })

  test('to one refers to the row with the lowest key of several, however they are sorted, and shows no other', async () => {
    const { providers } = recordingProviders()
    const { document, resource } = await shop(providers).get('/albums/1?include=best')
    expect(resource.relationships?.['best']?.data).toEqual({ type: 'entries', id: '1' })
    expect(shown(document?.included)).toEqual(['entries 1'])
    const related = await shop(providers).get('/albums/1/best?include=album')
    expect(shown(related.document?.data)).toEqual(['entries 1'])
    expect(shown(related.document?.included)).toEqual(['albums 1'])
  })
})

describe('a relation of a type with a custom provider', () => {
  test('to a type of the store is read by one call of its collection', async () => {
    const { providers } = recordingProviders()
    const { data, calls } = countedData(storedData({ albums: albumRows }))
    const { document } = await shop(providers, data).get('/entries?include=album&sort=rank')
    expect(document?.data).toMatchObject([
      { id: '2', relationships: { album: { data: { type: 'albums', id: '2' } } } },
      { id: '3', relationships: { album: { data: { type: 'albums', id: '1' } } } },
      { id: '4', relationships: { album: { data: { type: 'albums', id: '1' } } } },
      { id: '1', relationships: { album: { data: { type: 'albums', id: '1' } } } },
    ])
    expect(shown(document?.included)).toEqual(['albums 2', 'albums 1'])
    expect(calls).toEqual([{ type: 'albums', method: 'fetchCollection' }])
  })

  test('to another such type is read by one call per relation and level', async () => {
    const { charts, entries, providers } = recordingProviders()
    const { data, calls } = countedData(storedData({ albums: albumRows }))
    const { document } = await shop(providers, data).get(
      '/charts/uk?include=entries.album.entries&fields[albums]=entries',
    )
    expect(shown(document?.included)).toEqual(['entries 3', 'entries 1', 'albums 1', 'entries 4'])
    expect(charts.calls).toHaveLength(1)
    expect(entries.calls).toHaveLength(2)
    expect(calls).toHaveLength(1)
  })
})

describe('a relation to several types with custom providers', () => {
  interface Like {
    readonly id: number
    readonly onId: number | null
    readonly onType: string | null
  }

  const likes: readonly Like[] = [
    { id: 1, onId: 1, onType: 'songs' },
    { id: 2, onId: 1, onType: 'bands' },
    { id: 3, onId: 2, onType: 'songs' },
    { id: 4, onId: null, onType: null },
    { id: 5, onId: 1, onType: null },
    { id: 6, onId: 9, onType: 'bands' },
  ]

  test('is read by one call per type, each row as its own type', async () => {
    const songs = recordingProvider([
      { id: 1, song: 'Airbag' },
      { id: 2, song: 'Jóga' },
    ])
    const bands = recordingProvider([{ id: 1, band: 'Radiohead' }])
    const named = (type: string, { provider }: Pick<typeof songs, 'provider'>, member: string) =>
      defineResource(type, {
        model: model<{ id: number; song: string; band: string }>(type),
        id: id(),
        attributes: (a) => ({ [member]: a.string() }) as never,
        provider,
        readOnly: true,
      })
    const liked = defineResource('likes', {
      model: model<Like>('likes'),
      id: id(),
      relations: { on: morphTo(['songs', 'bands']) },
    })
    const api = client(
      createServer({
        data: storedData({ likes }),
        resources: [liked, named('songs', songs, 'song'), named('bands', bands as never, 'band')],
      }),
    )
    const { document } = await api.get('/likes?include=on')
    expect(document?.included).toMatchObject([
      { type: 'songs', id: '1', attributes: { song: 'Airbag' } },
      { type: 'bands', id: '1', attributes: { band: 'Radiohead' } },
      { type: 'songs', id: '2', attributes: { song: 'Jóga' } },
    ])
    expect([songs.calls.length, bands.calls.length]).toEqual([1, 1])
    expect((await api.get('/likes/5/on')).document?.data).toBeNull()
    expectErrors(await api.get('/likes/1/on?sort=song'), [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED' }])
  })
})
