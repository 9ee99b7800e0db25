import { createServer, defineResource, hasMany, id, model, type Operation } from 'ashlar'
import {
  countableProfile,
  cursorPaginationProfile,
  relationshipQueriesProfile,
} from '../../src/declare/profiles/profile.js'
import type { TestClient, TestResponse } from 'ashlar/testing'
import { describe, expect, inject, test } from 'vitest'
import { seeds } from '../../examples/music/src/seeds.js'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { storedData } from '../support/stored-data.js'

/** A cached response equals a new one, whatever was written meanwhile. */

/** A query that is new, and may still change: nothing is cached. */
function anew(operation: Operation): Operation {
  const { query } = operation
  const fields = new Map([...query.fields].map(([type, members]) => [type, new Set(members)]))
  return { ...operation, query: { ...query, fields } }
}

const settings = {
  handler: (builtIn: (operation: Operation) => Promise<never>) => (operation: Operation) =>
    builtIn(operation.context.request?.header('x-anew') === 'yes' ? anew(operation) : operation),
} as object

const uris = [countableProfile, relationshipQueriesProfile, cursorPaginationProfile].map(({ uri }) => uri)
const accept = `application/vnd.api+json; profile="${uris.join(' ')}"`

function comparableResponse({ status, headers, text }: TestResponse): string {
  return `${status} ${headers.get('content-type')} ${text}`
}

interface CorpusRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

const sendAll = (
  api: TestClient,
  requests: readonly CorpusRequest[],
  more: CorpusRequest['headers'] = {},
): Promise<readonly string[]> =>
  Promise.all(
    requests.map(async ({ path, headers }) =>
      comparableResponse(await api.get(path, { headers: { ...headers, ...more } })),
    ),
  )

/** The requests with different responses: a diff of long texts would take too long. */
function differing(
  requests: readonly CorpusRequest[],
  some: readonly string[],
  others: readonly string[],
): readonly string[] {
  return requests.flatMap(({ path }, index) => (some[index] === others[index] ? [] : [path]))
}

/** Each form of a part of a query with each of the others, but only every so many of them. */
function combined(path: string, parts: readonly (readonly string[])[], step: number): readonly string[] {
  const queries = parts.reduce<readonly string[]>(
    (found, some) =>
      found.flatMap((query) => some.map((part) => [query, part].filter((each) => each !== '').join('&'))),
    [''],
  )
  return queries.filter((_, index) => index % step === 0).map((query) => (query === '' ? path : `${path}?${query}`))
}

const [roadTrip = '', rainyDay = ''] = seeds.playlists.map(({ id: key }) => key)

const ofAlbums = ['', 'fields[albums]=title', 'fields[albums]=releasedAt,artist,tracks', 'fields[artists]=name']
const ofTracks = ['', 'fields[tracks]=title', 'fields[tracks]=genres,album&fields[albums]=title']
const toAlbums = [
  '',
  'include=artist',
  'include=tracks',
  'include=artist,tracks',
  'include=tracks.playlists',
  'include=x',
]
const toTracks = ['', 'include=album', 'include=album.artist', 'include=playlists']

const plain: readonly string[] = [
  ...combined(
    '/albums',
    [
      ['', 'sort=-title', 'sort=artist.name,-releasedAt', 'sort=nothing'],
      toAlbums,
      ofAlbums,
      ['', 'filter[title]=o', 'filter[artist.name]=Radiohead', 'filter[tracks]=1', 'filter[rating][min]=4'],
      ['', 'page[size]=2', 'page[number]=2&page[size]=1', 'page[number]=x'],
    ],
    47,
  ),
  ...combined(
    '/tracks',
    [
      ['', 'sort=-title', 'sort=trackNumber'],
      toTracks,
      ofTracks,
      ['', 'filter[explicit]=true', 'filter[genres]=rock,electronic', 'filter[q]=a', 'filter[nothing]=x'],
      ['', 'page[size]=3', 'page[kind]=cursor&page[size]=2', 'page[offset]=1&page[limit]=2'],
    ],
    37,
  ),
  ...['1', '2', '4', '99', '01', 'x'].flatMap((key) => combined(`/albums/${key}`, [toAlbums, ofAlbums], 11)),
  ...['1', '3'].flatMap((key) => combined(`/albums/${key}/tracks`, [toTracks, ofTracks, ['', 'sort=-duration']], 7)),
  ...['artist', 'relationships/artist', 'relationships/tracks', 'relationships/x'].map((name) => `/albums/1/${name}`),
  ...combined('/artists', [['', 'include=albums', 'include=albums.tracks'], ofAlbums, ['', 'filter[q]=r']], 2),
  ...combined('/artists/1', [['', 'include=albums', 'include=albums.tracks'], ofAlbums], 2),
  ...combined('/playlists', [['', 'include=tracks', 'include=orderedTracks,publicOwner'], ofTracks], 2),
  ...[roadTrip, rainyDay, roadTrip.toUpperCase(), 'x'].flatMap((key) => [
    `/playlists/${key}`,
    `/playlists/${key}?include=tracks.album&fields[tracks]=title,album`,
    `/playlists/${key}/tracks?sort=-title`,
  ]),
  '/favorites',
  '/favorites?include=favoritable',
  '/favorites/fav-1d',
  '/libraries?include=items',
  '/libraries/1/items',
  '/genres',
  '/products?include=parent',
  '/devices',
  '/countries',
  '/countries/is',
  '/public-profiles',
  '/users/1',
  '/admin/users',
  '/admin/users/1?include=playlists',
  '/admin/albums?sort=title',
]

const profiled: readonly string[] = [
  ...combined(
    '/albums',
    [
      ['', 'withCount=_self_', 'withCount=tracks', 'withCount=tracks,_self_'],
      ['', 'include=tracks', 'include=artist,tracks'],
      ['', 'relatedQuery[tracks][sort]=-title', 'relatedQuery[tracks][filter][title]=a'],
      ofAlbums,
    ],
    5,
  ),
  '/albums/1',
  '/artists/1?include=albums',
  `/playlists/${roadTrip}?include=tracks&withCount=tracks`,
]

const corpus: readonly CorpusRequest[] = [
  ...plain.map((path) => ({ path, headers: {} })),
  ...profiled.map((path) => ({ path, headers: { accept } })),
]

type Write = (api: TestClient) => Promise<TestResponse>

const track = (key: string) => ({ type: 'tracks', id: key })

/** Of each kind of write one, on rows that nearly every request shows. */
const writes: readonly (readonly Write[])[] = [
  [
    (api) => api.patch('/albums/1', { body: resourceBody('albums', { title: 'Oh! Computer €' }, '1') }),
    (api) => api.post('/tracks', { body: newTrack('Airbag again', '1') }),
    (api) => api.delete(`/playlists/${roadTrip}/relationships/tracks`, { body: { data: [track('1')] } }),
  ],
  [
    (api) => api.patch('/artists/1', { body: resourceBody('artists', { name: 'Radio Head' }, '1') }),
    (api) => api.patch('/albums/2/relationships/artist', { body: { data: { type: 'artists', id: '2' } } }),
    (api) => api.delete('/tracks/2'),
  ],
]

function newTrack(title: string, album: string): object {
  const { data } = resourceBody('tracks', {
    title,
    trackNumber: 77,
    durationSeconds: 100,
    explicit: false,
    genres: ['rock'],
  })
  return { data: { ...data, relationships: { album: { data: { type: 'albums', id: album } } } } }
}

describe('the responses of the catalogue', () => {
  // Over a database some of them have to do.
  const step = inject('store') === 'memory' ? 1 : 2
  const requests = corpus.filter((_, index) => index % step === 0)

  test('are equal to uncached ones, however often they are sent and whatever is written', async () => {
    const api = client(catalogueServer(settings), { validate: false })
    const first = await sendAll(api, requests)
    expect(differing(requests, first, await sendAll(api, requests))).toEqual([])
    let before = first
    for (const some of writes) {
      for (const write of some) expect((await write(api)).errors).toEqual([])
      const after = await sendAll(api, requests)
      expect(differing(requests, after, await sendAll(api, requests, { 'x-anew': 'yes' }))).toEqual([])
      expect(differing(requests, before, after).length).toBeGreaterThan(requests.length / 4)
      before = after
    }
  })

  test('are successful more often than not, and of many kinds', async () => {
    const responses = await sendAll(
      client(catalogueServer(settings)),
      requests.filter((_, index) => index % 3 === 0),
    )
    expect(responses.filter((response) => response.startsWith('200')).length).toBeGreaterThan(responses.length / 2)
    expect(new Set(responses).size).toBeGreaterThan(responses.length / 2)
  })

  test('show writes immediately, one write after the other', async () => {
    const api = client(catalogueServer())
    for (const title of ['a', 'b€', 'c😀', 'd']) {
      await api.patch('/albums/1', { body: resourceBody('albums', { title }, '1') })
      expect((await api.get('/albums/1')).resource.attributes?.['title']).toBe(title)
      expect((await api.get('/albums/1?fields[albums]=title')).resource.attributes).toEqual({ title })
      expect(
        (await api.get(`/albums?filter[title]=${encodeURIComponent(title)}`)).resources.map(({ id: key }) => key),
      ).toContain('1')
      const { document } = await api.get('/tracks/1?include=album')
      expect(document?.included?.[0]?.attributes?.['title']).toBe(title)
    }
  })
})

const noteIds = ['1', '01', '1e2', '100', 'A', 'a', 'é', 'a b', '9'.repeat(20)]
const uuids = ['6f9619ff-8b86-4d01-b42d-00cf4fc964ff', '00000000-0000-4000-8000-000000000000'] as const

function keyed() {
  const texts = defineResource('texts', {
    model: model<{ id: string; note: string }>('texts'),
    id: id().allowClientId(),
    attributes: (a) => ({ note: a.string() }),
    relations: { parts: hasMany('parts').via('textId') },
  })
  const parts = defineResource('parts', { model: model<{ id: number; textId: string }>('parts'), id: id() })
  const marks = defineResource('marks', {
    model: model<{ id: string; note: string }>('marks'),
    id: id().uuid(),
    attributes: (a) => ({ note: a.string() }),
  })
  const rows = {
    texts: noteIds.slice(0, 7).map((key) => ({ id: key, note: `note ${key}` })),
    parts: [
      { id: 1, textId: '1' },
      { id: 2, textId: '01' },
      { id: 3, textId: 'é' },
    ],
    marks: uuids.slice(0, 1).map((key) => ({ id: key, note: 'marked' })),
  }
  return createServer({ resources: [texts, parts, marks], data: storedData(rows), ...settings })
}

describe('keys of any form', () => {
  const numbers = [
    '1',
    '01',
    '1e2',
    '1.0',
    '+1',
    '-1',
    '%201',
    '2',
    '99999999999999999999',
    '9007199254740993',
    'x',
    '2',
  ]
  const cases = [
    { name: 'numbers', build: () => recordShop({}, settings), path: '/albums', keys: numbers, include: 'artist' },
    { name: 'texts', build: keyed, path: '/texts', keys: noteIds.map(encodeURIComponent), include: 'parts' },
    {
      name: 'UUIDs',
      build: keyed,
      path: '/marks',
      keys: [...uuids, uuids[0].toUpperCase(), 'x', ...uuids],
      include: '',
    },
  ]

  test.each(cases)('find the same as in a single request: $name', async ({ build, path, keys, include }) => {
    const api = client(build(), { validate: false })
    for (const query of ['', `?include=${include}`]) {
      // By whichever of them the read was made ready first.
      for (const order of [keys, keys.toReversed(), keys.toSorted()]) {
        let found = 0
        for (const key of order) {
          const recalled = comparableResponse(await api.get(`${path}/${key}${query}`))
          expect(recalled, key).toBe(
            comparableResponse(await api.get(`${path}/${key}${query}`, { headers: { 'x-anew': 'yes' } })),
          )
          found += recalled.startsWith('200') ? 1 : 0
        }
        expect(found).toBeGreaterThan(0)
      }
    }
  })

  test('find nothing if they differ', async () => {
    const api = client(recordShop({}, settings))
    for (let round = 0; round < 2; round += 1) {
      const statuses = []
      for (const key of ['1', '01', '1e0', '1.0', '99999999999999999999', '2']) {
        statuses.push((await api.get(`/albums/${key}`)).status)
      }
      expect(statuses).toEqual([200, 404, 404, 404, 404, 200])
    }
  })
})
