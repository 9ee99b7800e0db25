import { belongsTo, createServer, cursorPage, defineResource, hasMany, hasOne, id, model, numberPage } from 'ashlar'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import type { Provider, RelatedCriteria, RowSet } from 'ashlar/store'
import type { TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { countedData } from '../support/counted-data.js'
import { recordingProvider } from '../support/recording-provider.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

interface Album {
  readonly id: number
  readonly shopId: number
  readonly artistId: number | null
}

const albumRows: readonly Album[] = [
  { id: 1, shopId: 1, artistId: 2 },
  { id: 2, shopId: 1, artistId: 1 },
  { id: 3, shopId: 2, artistId: 1 },
  { id: 4, shopId: 1, artistId: null },
  { id: 5, shopId: 1, artistId: 1 },
]
const artistRows = [
  { id: 1, name: 'Björk' },
  { id: 2, name: 'Radiohead' },
]

/** Shops have a custom provider; albums and artists are in the store. */
function shops() {
  const { data, calls } = countedData(storedData({ albums: albumRows, artists: artistRows }))
  const resources = [
    defineResource('shops', {
      model: model<{ id: number }>('shops'),
      id: id(),
      relations: {
        albums: hasMany('albums').via('shopId').countable(),
        walked: hasMany('albums')
          .via('shopId')
          .paginate(cursorPage({ size: 2 })),
        counted: hasMany('albums')
          .via('shopId')
          .paginate(numberPage({ size: 2 }).withCount()),
      },
      provider: recordingProvider([{ id: 1 }, { id: 2 }, { id: 3 }]).provider,
      readOnly: true,
    }),
    defineResource('albums', {
      model: model<Album>('albums'),
      id: id(),
      relations: { artist: belongsTo('artists') },
      filters: (f) => ({ name: f.through('artist.name'), signed: f.has('artist') }),
      sorts: (s) => ({ 'artist.name': s.through() }),
      scope: (context, f) => (context.request?.header('x-signed') === 'yes' ? f.has('artist') : null),
    }),
    defineResource('artists', {
      model: model<{ id: number; name: string }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
    }),
  ]
  return { api: client(createServer({ resources, data })), calls }
}

const ids = async (api: TestClient, path: string, headers = {}) => shown((await api.get(path, { headers })).resources)

describe('relations to another store, if the query follows relations of that store', () => {
  const { api } = shops()
  const signed = { 'X-Signed': 'yes' }

  test('are filtered', async () => {
    expect(await ids(api, '/shops/1/albums?filter[name]=Bj%C3%B6rk')).toEqual(['albums 2', 'albums 5'])
    expect(await ids(api, '/shops/1/albums?filter[signed]=true')).toEqual(['albums 1', 'albums 2', 'albums 5'])
    expect(await ids(api, '/shops/2/albums?filter[name]=Radiohead')).toEqual([])
  })

  test('are sorted, windowed and counted', async () => {
    expect(await ids(api, '/shops/1/albums?sort=-artist.name')).toEqual([
      'albums 4',
      'albums 1',
      'albums 5',
      'albums 2',
    ])
    expect(await ids(api, '/shops/1/albums?sort=artist.name&page[size]=3')).toEqual([
      'albums 2',
      'albums 5',
      'albums 1',
    ])
    const { document } = await api.get('/shops/1/counted?sort=artist.name&page[number]=2')
    expect(shown(document?.data)).toEqual(['albums 1', 'albums 4'])
    expect(document?.meta).toMatchObject({ total: 4 })
  })

  test('are walked by cursor', async () => {
    const first = await api.get('/shops/1/walked?sort=artist.name')
    expect(shown(first.resources)).toEqual(['albums 2', 'albums 5'])
    const second = await api.get(String(first.document?.links?.['next']).slice('http://localhost'.length))
    expect(shown(second.resources)).toEqual(['albums 1', 'albums 4'])
    expect(second.document?.links).not.toHaveProperty('next')
    const back = await api.get(String(second.document?.links?.['prev']).slice('http://localhost'.length))
    expect(shown(back.resources)).toEqual(['albums 2', 'albums 5'])
  })

  test('show only rows of the scope, included and counted too', async () => {
    expect(await ids(api, '/shops/1/albums', signed)).toEqual(['albums 1', 'albums 2', 'albums 5'])
    const { api: counted, calls } = shops()
    const { document } = await counted.get('/shops?include=albums&withCount=albums&fields[shops]=albums', {
      headers: { ...signed, Accept: `application/vnd.api+json; profile="${countableProfile.uri}"` },
    })
    expect(document?.data).toMatchObject([
      { relationships: { albums: { data: [{ id: '1' }, { id: '2' }, { id: '5' }], meta: { total: 3 } } } },
      { relationships: { albums: { data: [{ id: '3' }], meta: { total: 1 } } } },
      { relationships: { albums: { data: [], meta: { total: 0 } } } },
    ])
    expect(calls.filter(({ type, method }) => type === 'albums' && method === 'fetchCollection')).toHaveLength(2)
  })
})

describe('a provider that reads relations, and returns its collection as a plain list', () => {
  interface Show {
    readonly id: number
    readonly city: string
    readonly openerId?: number
  }

  const showRows: readonly Show[] = [
    { id: 1, city: 'Oxford' },
    { id: 2, city: 'Reykjavík' },
    { id: 3, city: 'Aarhus' },
  ]
  const members: Readonly<Record<number, readonly number[]>> = { 1: [1, 0], 3: [0] }

  function shows(settings: object = {}) {
    const relatedCalls: { readonly relation: string; readonly parents: RowSet; readonly criteria: RelatedCriteria }[] =
      []
    const provider: Provider = {
      fetchOne: (_type, wanted) => showRows.find((row) => String(row.id) === wanted) ?? null,
      fetchCollection: () => showRows,
      fetchRelated({ name, targets }, parents, criteria) {
        relatedCalls.push({ relation: name, parents, criteria })
        const rows = parents.rows.map((row) => members[Number(row[parents.columns.indexOf('id')])] ?? [])
        return {
          sets: [{ type: targets[0]?.type ?? '', rows: artistRows }],
          groups: rows.map((each) => ({
            members: (name === 'opener' ? each.slice(0, 1) : each).map((row) => ({ set: 0, row, pivot: null })),
            total: null,
          })),
        }
      },
    }
    const resources = [
      defineResource('shows', {
        model: model<Show>('shows'),
        id: id(),
        attributes: (a) => ({ city: a.string().sortable() }),
        relations: { acts: hasMany('artists'), opener: belongsTo('artists') },
        filters: (f) => ({
          played: f.has('acts'),
          silent: f.doesntHave('acts'),
          act: f.through('acts.name'),
          home: f.through('acts.albums.shopId'),
        }),
        sorts: (s) => ({ 'opener.name': s.through() }),
        provider,
        readOnly: true,
        ...settings,
      }),
      defineResource('artists', {
        model: model<{ id: number; name: string }>('artists'),
        id: id(),
        attributes: (a) => ({ name: a.string() }),
        relations: { albums: hasMany('albums').via('artistId') },
      }),
      defineResource('albums', {
        model: model<Album>('albums'),
        id: id(),
        attributes: (a) => ({ shopId: a.integer() }),
        relations: { shows: hasMany('shows').extractUsing(() => showRows) },
      }),
    ]
    const data = storedData({ albums: albumRows, artists: artistRows })
    return { api: client(createServer({ resources, data })), relatedCalls }
  }

  test('is filtered through them, by one read of the relation', async () => {
    const { api, relatedCalls } = shows()
    expect(await ids(api, '/shows?filter[played]=true&fields[shows]=')).toEqual(['shows 1', 'shows 3'])
    expect(relatedCalls).toMatchObject([
      {
        relation: 'acts',
        parents: {
          rows: [
            [1, 'Oxford'],
            [2, 'Reykjavík'],
            [3, 'Aarhus'],
          ],
        },
      },
    ])
    expect(await ids(api, '/shows?filter[silent]=true')).toEqual(['shows 2'])
    expect(await ids(api, '/shows?filter[act]=Radiohead')).toEqual(['shows 1'])
    expect(await ids(api, '/shows?filter[home]=2')).toEqual(['shows 1', 'shows 3'])
  })

  test('is sorted through them', async () => {
    expect(await ids(shows().api, '/shows?sort=opener.name')).toEqual(['shows 3', 'shows 1', 'shows 2'])
    const walked = shows({ pagination: cursorPage({ size: 2 }) }).api
    const { document } = await walked.get('/shows?sort=opener.name')
    expect(await ids(walked, String(document?.links?.['next']).slice('http://localhost'.length))).toEqual(['shows 2'])
  })

  test('is restricted by a scope that follows them, one by one too', async () => {
    const { api } = shows({ scope: (_context: unknown, f: { has(relation: string): object }) => f.has('acts') })
    expect(await ids(api, '/shows')).toEqual(['shows 1', 'shows 3'])
    expect((await api.get('/shows/1')).status).toBe(200)
    expect((await api.get('/shows/2')).status).toBe(404)
  })

  test('may be the end of a relation that a function reads', async () => {
    expect(await ids(shows().api, '/albums/1/shows?filter[act]=Radiohead')).toEqual(['shows 1'])
    expect(await ids(shows().api, '/albums/1/shows?sort=-opener.name')).toEqual(['shows 2', 'shows 1', 'shows 3'])
  })
})

test('a filter of a to-one that several rows refer to applies to the first row only', async () => {
  const best = hasOne('albums').via('shopId')
  const settings = { model: model<{ id: number }>('shops'), id: id(), readOnly: true } as const
  const albums = defineResource('albums', {
    model: model<Album>('albums'),
    id: id(),
    filters: (f) => ({ artist: f.where('artistId') }),
  })
  const shop = { id: 1 }
  const ofAlbums = albumRows.filter(({ shopId }) => shopId === shop.id)
  for (const type of [
    defineResource('shops', { ...settings, relations: { best } }),
    defineResource('shops', { ...settings, relations: { best }, provider: recordingProvider([shop]).provider }),
    defineResource('shops', { ...settings, relations: { best: best.extractUsing(() => ofAlbums.toReversed()) } }),
  ]) {
    const data = storedData({ shops: [shop], albums: albumRows })
    const api = client(createServer({ resources: [type, albums], data }))
    for (const path of ['/shops/1/best', '/shops/1/relationships/best']) {
      expect(shown([(await api.get(path)).document?.data])).toEqual(['albums 1'])
      expect(shown([(await api.get(`${path}?filter[artist]=2`)).document?.data])).toEqual(['albums 1'])
      expect((await api.get(`${path}?filter[artist]=1`)).document?.data).toBeNull()
    }
  }
})
