import { belongsToMany, createServer, defineResource, defineType, id, model, morphTo, morphToMany } from 'ashlar'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import { type Provider, type RelatedCriteria, type RelationLink, rowSet, type RowSet } from 'ashlar/store'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { recordingProvider } from '../support/recording-provider.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

interface Named {
  readonly id: number
  readonly name: string
}

const artists = defineResource('artists', {
  model: model<Named>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().sortable() }),
  filters: (f) => ({ name: f.where() }),
})

const artistRows: readonly Named[] = [
  { id: 1, name: 'Radiohead' },
  { id: 2, name: 'Björk' },
  { id: 3, name: 'Miles Davis' },
]
const radiohead = { id: 1, name: 'Radiohead' }
const bjork = { id: 2, name: 'Björk' }
const miles = { id: 3, name: 'Miles Davis' }

const withCounts = { headers: { Accept: `application/vnd.api+json; profile="${countableProfile.uri}"` } }

describe('a provider that reads the relations of its type', () => {
  interface RelatedCall {
    readonly relation: RelationLink
    readonly parents: RowSet
    readonly criteria: RelatedCriteria
  }

  /** Festivals know their line-up themselves; artists are in the store. */
  function festivals(settings: Pick<Provider, 'countRelated'> = {}) {
    const relatedCalls: RelatedCall[] = []
    const rows = [
      { id: 1, name: 'Roskilde' },
      { id: 2, name: 'Newport' },
    ]
    const provider: Provider = {
      fetchOne: (_type, wanted) => rows.find((row) => String(row.id) === wanted) ?? null,
      fetchCollection: () => rows,
      fetchRelated(relation, parents, criteria) {
        relatedCalls.push({ relation, parents, criteria })
        const members = [
          { set: 0, row: 1, pivot: { stage: 'Orange', secret: 'x' } },
          { set: 0, row: 0, pivot: { stage: 'Arena', secret: 'y' } },
        ]
        return {
          sets: [
            {
              type: 'artists',
              rows: rowSet(
                ['name', 'id'],
                [
                  ['Radiohead', 1],
                  ['Björk', 2],
                ],
              ),
            },
          ],
          groups: parents.rows.map((row) => ({ members: row[0] === 1 ? members : [], total: null })),
        }
      },
      ...settings,
    }
    const type = defineResource('festivals', {
      model: model<Named>('festivals'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      relations: {
        lineUp: belongsToMany('artists')
          .fields((a) => ({ stage: a.string() }))
          .countable(),
      },
      provider,
      readOnly: true,
    })
    const api = client(createServer({ resources: [type, artists], data: storedData({ artists: artistRows }) }))
    return { api, relatedCalls }
  }

  test('is called once for all parents, and needs no storage to be named', async () => {
    const { api, relatedCalls } = festivals()
    const { document } = await api.get('/festivals?include=lineUp&fields[artists]=name')
    expect(document?.data).toMatchObject([
      {
        relationships: {
          lineUp: {
            data: [
              { type: 'artists', id: '2', meta: { pivot: { stage: 'Orange' } } },
              { type: 'artists', id: '1', meta: { pivot: { stage: 'Arena' } } },
            ],
          },
        },
      },
      { relationships: { lineUp: { data: [] } } },
    ])
    expect(shown(document?.included)).toEqual(['artists 2', 'artists 1'])
    expect(relatedCalls).toMatchObject([
      {
        relation: { name: 'lineUp', storage: { kind: 'provider' } },
        parents: {
          columns: ['id', 'name'],
          rows: [
            [1, 'Roskilde'],
            [2, 'Newport'],
          ],
        },
        criteria: { conditions: [], window: null, wantsCount: false },
      },
    ])
    expect(relatedCalls[0]?.criteria.columnsOf.get('artists')).toEqual(['id', 'name'])
  })

  test('applies filters, sorts and pages itself', async () => {
    const { api, relatedCalls } = festivals()
    const { document } = await api.get('/festivals/1/lineUp?filter[name]=Bj%C3%B6rk&sort=-name&page[size]=2')
    expect(shown(document?.data)).toEqual(['artists 2', 'artists 1'])
    expect(relatedCalls[0]?.criteria).toMatchObject({
      conditions: [{ kind: 'compare', column: { name: 'name' }, operator: '=', value: 'Björk' }],
      orders: [
        { column: { name: 'name' }, descending: true },
        { column: { name: 'id' }, descending: true },
      ],
      window: { kind: 'offset', offset: 0, limit: 2 },
    })
  })

  test('counts if it can; else its members are counted', async () => {
    const totals = async ({ api }: ReturnType<typeof festivals>) =>
      (await api.get('/festivals?withCount=lineUp', withCounts)).resources.map(
        ({ relationships }) => relationships?.['lineUp']?.meta,
      )
    expect(await totals(festivals())).toEqual([{ total: 2 }, { total: 0 }])
    const counting = festivals({ countRelated: () => [40, 2] })
    expect(await totals(counting)).toEqual([{ total: 40 }, { total: 2 }])
    expect(counting.relatedCalls).toEqual([])
  })
})

/** A type that knows its objects by their names. */
const kind = (type: 'bands' | 'singers', singers: boolean) =>
  defineResource(type, {
    model: model<Named>(type),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    objectType: (row) => (row.id < 10 && singers === (row.name === 'Björk') ? type : null),
  })

describe('a relation that a function reads', () => {
  interface Album {
    readonly id: number
    readonly artistIds: readonly number[]
  }

  function albums() {
    const calls: string[] = []
    const byId = (key: number) => artistRows.find((row) => row.id === key)
    const type = defineResource('albums', {
      model: model<Album>('albums'),
      id: id(),
      attributes: () => ({}),
      relations: (r) => ({
        artists: r
          .hasMany('artists')
          .countable()
          .extractUsing((row, _context, name) => {
            calls.push(`${name} of ${row.id}`)
            return row.artistIds.map(byId)
          }),
        main: r.belongsTo('artists').extractUsing(async (row) => {
          calls.push(`main of ${row.id}`)
          return byId(row.artistIds[0] ?? 0)
        }),
      }),
    })
    const rows: readonly Album[] = [
      { id: 1, artistIds: [3, 1, 2] },
      { id: 2, artistIds: [1] },
      { id: 3, artistIds: [] },
    ]
    const api = client(
      createServer({ resources: [type, artists], data: storedData({ albums: rows, artists: artistRows }) }),
    )
    return { api, calls }
  }

  test('calls the function once for each parent, and only if it is needed', async () => {
    const { api, calls } = albums()
    await api.get('/albums?fields[albums]=')
    expect(calls).toEqual([])
    const { document } = await api.get('/albums?include=artists&fields[albums]=artists')
    expect(document?.data).toMatchObject([
      { relationships: { artists: { data: [{ id: '1' }, { id: '2' }, { id: '3' }] } } },
      { relationships: { artists: { data: [{ id: '1' }] } } },
      { relationships: { artists: { data: [] } } },
    ])
    expect(shown(document?.included)).toEqual(['artists 1', 'artists 2', 'artists 3'])
    expect(calls).toEqual(['artists of 1', 'artists of 2', 'artists of 3'])
  })

  test('may be asynchronous, and returns one object or none for a to-one', async () => {
    const { api } = albums()
    const { resources, document } = await api.get('/albums?include=main')
    expect(resources.map(({ relationships }) => relationships?.['main']?.data)).toEqual([
      { type: 'artists', id: '3' },
      { type: 'artists', id: '1' },
      null,
    ])
    expect(shown(document?.included)).toEqual(['artists 3', 'artists 1'])
    expect((await api.get('/albums/3/main')).document?.data).toBeNull()
  })

  test('is filtered, sorted, windowed and counted by the service', async () => {
    const { api } = albums()
    const page = await api.get('/albums/1/artists?sort=name&page[size]=2')
    expect(shown(page.resources)).toEqual(['artists 2', 'artists 3'])
    expect(page.document?.links).toHaveProperty('next')
    expect(shown((await api.get('/albums/1/artists?filter[name]=Radiohead')).resources)).toEqual(['artists 1'])
    const { resource } = await api.get('/albums/1?withCount=artists', withCounts)
    expect(resource.relationships?.['artists']?.meta).toEqual({ total: 3 })
  })

  test('to several types distinguishes them by their objects; an unknown object is no member', async () => {
    const shows = defineResource('shows', {
      model: model<{ id: number }>('shows'),
      id: id(),
      attributes: () => ({}),
      relations: {
        acts: morphToMany(['bands', 'singers']).extractUsing(() => [bjork, { ...miles, id: 99 }, radiohead]),
      },
    })
    const api = client(
      createServer({
        resources: [shows, kind('bands', false), kind('singers', true)],
        data: storedData({ shows: [{ id: 1 }] }),
      }),
    )
    const { document } = await api.get('/shows/1?include=acts')
    expect(document?.included).toMatchObject([
      { type: 'bands', id: '1', attributes: { name: 'Radiohead' } },
      { type: 'singers', id: '2', attributes: { name: 'Björk' } },
    ])
    expectErrors(await api.get('/shows/1/acts?filter[name]=x'), [
      { status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter: 'filter' },
    ])
  })
})

/** A type without a model, over a custom provider. */
const guests = (type: string, { provider }: ReturnType<typeof recordingProvider<Named>>) =>
  defineType(type, {
    fields: (a) => ({ id: id(), name: a.string() }),
    serializer: {
      members: ['name'],
      serialize: (row) => ({ id: String(row['id']), attributes: { name: row['name'] } }),
    },
    objectType: ({ name }) => ((name === 'Björk') === (type === 'singers') ? type : null),
    provider,
  })

test('types without a model are read by one call each, and recognize their own objects', async () => {
  const [bands, singers] = [recordingProvider([radiohead, bjork]), recordingProvider([radiohead, bjork])]
  const shows = defineResource('shows', {
    model: model<{ id: number; actId: number; actType: string }>('shows'),
    id: id(),
    attributes: () => ({}),
    relations: { act: morphTo(['bands', 'singers']) },
  })
  const rows = [
    { id: 1, actId: 1, actType: 'bands' },
    { id: 2, actId: 2, actType: 'bands' },
    { id: 3, actId: 2, actType: 'singers' },
  ]
  const resources = [shows, guests('bands', bands), guests('singers', singers)]
  const { document } = await client(createServer({ resources, data: storedData({ shows: rows }) })).get(
    '/shows?include=act',
  )
  expect(document?.data).toMatchObject([
    { relationships: { act: { data: { type: 'bands', id: '1' } } } },
    { relationships: { act: { data: { type: 'singers', id: '2' } } } },
    { relationships: { act: { data: { type: 'singers', id: '2' } } } },
  ])
  expect(shown(document?.included)).toEqual(['bands 1', 'singers 2'])
  expect([bands.calls.length, singers.calls.length]).toEqual([1, 1])
})
