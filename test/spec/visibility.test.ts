import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model, type RequestContext } from 'ashlar'
import { relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { expectErrors, type TestRequestOptions } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const staff = { headers: { 'X-Staff': 'yes' } }
const isStranger = ({ request }: RequestContext): boolean => request?.header('x-staff') !== 'yes'

interface AlbumRow {
  id: number
  title: string
  year: number
  secret: number
  password: string
  margin: number
  cost: number
  note: string
  shelf: string
  artistId: number
}

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().sortable(),
    year: a.integer().sortable(),
    secret: a.integer().sortable().hidden(),
    password: a.string().sortable().writeOnly(),
    margin: a
      .integer()
      .sortable()
      .hidden((_row, context) => isStranger(context)),
    cost: a
      .integer()
      .sortable()
      .writeOnly((context) => isStranger(context)),
    note: a
      .string()
      .sortable()
      .hidden((row) => row.id === 2),
    place: a.map().fields({ shelf: a.string() }).hidden(),
  }),
  relations: { artist: belongsTo('artists') },
  filters: (f) => ({
    title: f.contains(),
    secret: f.where(),
    secrets: f.in('secret'),
    secretRange: f.range('secret'),
    secretNull: f.isNull('secret'),
    alias: f.where('secret'),
    password: f.startsWith(),
    margin: f.where(),
    cost: f.greaterThan(),
    note: f.where(),
    shelf: f.where(),
    search: f.any({ title: f.contains(), password: f.contains() }),
    nested: f.all({ title: f.contains(), deep: f.any({ secret: f.isNotNull() }) }),
    fixedSecret: f.where('secret').fixed(1),
    defaultSecret: f.where('secret', '<').default(3),
    realName: f.through('artist.realName'),
    fee: f.through('artist.fee').operator('>'),
    composed: f.custom({ where: (value, g) => g.where('secret').fixed(Number(value)) }).integer(),
    composedByKey: f.custom({ where: (_value, g) => g.any({ title: g.contains(), password: g.contains() }) }),
    composedMargin: f.custom({ where: (value, g) => g.greaterThan('margin').fixed(Number(value)) }).integer(),
    composedDeep: f.custom({ where: (_value, g) => g.custom({ where: (value, h) => h.where('secret').fixed(value) }) }),
    composedPath: f.custom({ where: (_value, g) => g.through('artist.fee') }),
    composedGroup: f.all({ title: f.contains(), deep: f.custom({ where: (_value, g) => g.isNotNull('secret') }) }),
    artistFee: f.hasMatching('artist', { where: (value, g) => g.where('fee').fixed(Number(value)) }),
    choice: f.custom({
      where: (value, g) => (value === 'title' ? g.where('title').fixed('Kid A') : g.isNull('secret')),
    }),
  }),
  sorts: (s) => ({
    alias: s.field('secret'),
    shelf: s.field(),
    realName: s.through('artist.realName'),
    fee: s.through('artist.fee'),
  }),
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; realName: string; fee: number }>('artists'),
  id: id(),
  attributes: (a) => ({
    name: a.string().sortable(),
    realName: a.string().hidden(),
    fee: a.integer().hidden((_row, context) => isStranger(context)),
  }),
  relations: {
    albums: hasMany('albums').withFilters((f) => ({ scoped: f.where('secret') })),
  },
  filters: (f) => ({ fee: f.where(), albumSecret: f.through('albums.secret'), margin: f.through('albums.margin') }),
})

const playlists = defineResource('playlists', {
  model: model<{ id: number }>('playlists'),
  id: id(),
  relations: {
    albums: belongsToMany('albums')
      .through('entries', { owner: 'playlistId', member: 'albumId' })
      .fields((a) => ({
        place: a.integer(),
        reason: a.string().hidden(),
        price: a.integer().hidden((_row, context) => isStranger(context)),
      }))
      .withData()
      .withFilters((f) => ({ reason: f.where('pivot.reason'), price: f.where('pivot.price') })),
  },
})

const album = (key: number, title: string): AlbumRow => ({
  id: key,
  title,
  year: 2000 - key,
  secret: key,
  password: `p${key}`,
  margin: key,
  cost: key,
  note: `n${key}`,
  shelf: `s${key}`,
  artistId: key,
})

const api = client(
  createServer({
    resources: [albums, artists, playlists],
    data: storedData({
      albums: [album(1, 'Kid A'), album(2, 'Untrue'), album(3, 'Amnesiac')],
      artists: [
        { id: 1, name: 'Radiohead', realName: 'On a Friday', fee: 10 },
        { id: 2, name: 'Burial', realName: 'William', fee: 5 },
      ],
      playlists: [{ id: 1 }],
      entries: [
        { id: 1, playlistId: 1, albumId: 1, place: 2, reason: 'b', price: 1 },
        { id: 2, playlistId: 1, albumId: 2, place: 1, reason: 'a', price: 2 },
      ],
    }),
  }),
)

const ids = async (target: string, options: TestRequestOptions = {}): Promise<readonly string[]> =>
  (await api.get(target, options)).resources.map((resource) => resource.id)

/** Expects the same response as for an unknown key. */
async function isUnknownFilter(address: string, key: string, rest = `[${key}]=1`): Promise<void> {
  const [error] = expectErrors(await api.get(`${address}?filter${rest}`), [
    { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: `filter[${key}]` },
  ])
  const [unknown] = (await api.get(`${address}?filter[nobody]=1`)).errors
  expect(JSON.stringify(error)).toBe(JSON.stringify(unknown).replaceAll('nobody', key))
}

async function isUnknownSort(address: string, key: string): Promise<void> {
  const [error] = expectErrors(await api.get(`${address}?sort=${key}`), [
    { status: 400, code: 'SORTING_UNRECOGNIZED', parameter: 'sort' },
  ])
  const [unknown] = (await api.get(`${address}?sort=nobody`)).errors
  expect(JSON.stringify(error)).toBe(JSON.stringify(unknown).replaceAll('nobody', key.replace('-', '')))
}

describe('a filter by a field that the caller may not see is 400, as if unknown', () => {
  test.each([
    ['hidden', 'secret'],
    ['hidden, as a test of presence', 'secretNull'],
    ['hidden, with a user-defined value', 'fixedSecret'],
    ['hidden, under another key', 'alias'],
    ['write-only', 'password'],
    ['hidden by a function of the request', 'margin'],
    ['write-only by a function of the request', 'cost'],
    ['hidden by a function of the row', 'note'],
    ['in a map that is hidden', 'shelf'],
    ['one member of a group', 'search'],
    ['one member of a group in a group', 'nested'],
    ['at the end of a path', 'realName'],
    ['at the end of a path, by a function', 'fee'],
    ['composed', 'composed'],
    ['composed, one member of a group', 'composedByKey'],
    ['composed, hidden by a function of the request', 'composedMargin'],
    ['composed twice', 'composedDeep'],
    ['composed, at the end of a path', 'composedPath'],
    ['composed in a group', 'composedGroup'],
    ['composed, of related rows', 'artistFee'],
  ])('%s: %s', async (_name, key) => {
    await isUnknownFilter('/albums', key)
  })

  test('with any value: the error does not reveal valid values', async () => {
    await isUnknownFilter('/albums', 'secret', '[secret]=x')
    await isUnknownFilter('/albums', 'secrets', '[secrets]=x,y')
    await isUnknownFilter('/albums', 'secretRange', '[secretRange][min]=x')
    await isUnknownFilter('/albums', 'cost', '[cost]=x')
    await isUnknownFilter('/albums', 'composed', '[composed]=x')
    await isUnknownFilter('/albums', 'composedMargin', '[composedMargin]=x')
  })

  test('at related and relationship endpoints too, and in the filters of a relation', async () => {
    for (const key of ['secret', 'margin', 'scoped']) {
      await isUnknownFilter('/artists/1/albums', key)
      await isUnknownFilter('/artists/1/relationships/albums', key)
    }
    await isUnknownFilter('/albums/1/artist', 'fee')
    await isUnknownFilter('/albums/1/relationships/artist', 'fee')
  })

  test('through a to-many too', async () => {
    await isUnknownFilter('/artists', 'albumSecret')
    await isUnknownFilter('/artists', 'margin')
    expect(await ids('/artists?filter[margin]=2', staff)).toEqual(['2'])
  })

  test('by hidden fields of join rows too', async () => {
    await isUnknownFilter('/playlists/1/albums', 'reason')
    await isUnknownFilter('/playlists/1/albums', 'price')
    expect(await ids('/playlists/1/albums?filter[price]=2', staff)).toEqual(['2'])
  })

  test('by each value that composes it, while other values are served', async () => {
    await isUnknownFilter('/albums', 'choice', '[choice]=other')
    expect(await ids('/albums?filter[choice]=title')).toEqual(['1'])
  })

  test('though a declared default on it applies', async () => {
    expect(await ids('/albums')).toEqual(['1', '2'])
    await isUnknownFilter('/albums', 'defaultSecret')
  })

  test('in relationship queries too', async () => {
    const headers = { Accept: `application/vnd.api+json; profile="${relationshipQueriesProfile.uri}"` }
    for (const [target, parameter] of [
      ['/artists?include=albums&rQ[albums][filter][secret]=1', 'rQ[albums][filter][secret]'],
      ['/albums?rQ[artist][filter][fee]=1', 'rQ[artist][filter][fee]'],
    ] as const) {
      expectErrors(await api.get(target, { headers }), [{ status: 400, code: 'FILTERING_UNRECOGNIZED', parameter }])
    }
    expectErrors(await api.get('/artists?rQ[albums][sort]=secret', { headers }), [
      { status: 400, code: 'SORTING_UNRECOGNIZED', parameter: 'rQ[albums][sort]' },
    ])
  })
})

describe('callers who may see it', () => {
  test.each([
    ['margin', ['1']],
    ['cost', ['2']],
    ['fee', ['1', '2']],
    ['composedMargin', ['2']],
    ['artistFee', []],
  ])('filter by %s', async (key, expected) => {
    expect(await ids(`/albums?filter[${key}]=1`, staff)).toEqual(expected)
  })

  test.each([
    ['-margin', ['2', '1']],
    ['-cost', ['2', '1']],
    ['fee', ['2', '1']],
  ])('sort by %s', async (sort, expected) => {
    expect(await ids(`/albums?sort=${sort}`, staff)).toEqual(expected)
  })

  test('a field that is hidden from everybody stays unknown, and so does one that is hidden row by row', async () => {
    for (const key of ['secret', 'password', 'note', 'realName']) {
      expectErrors(await api.get(`/albums?filter[${key}]=1`, staff), [{ status: 400, code: 'FILTERING_UNRECOGNIZED' }])
      expectErrors(await api.get(`/albums?sort=${key}`, staff), [{ status: 400, code: 'SORTING_UNRECOGNIZED' }])
    }
  })
})

describe('a sort by a field that the caller may not see is 400, as if unknown', () => {
  test.each(['secret', '-secret', 'alias', 'password', 'margin', 'cost', 'note', 'shelf', 'realName', 'fee'])(
    '%s',
    async (key) => {
      await isUnknownSort('/albums', key)
    },
  )

  test('at related and relationship endpoints too, and by fields of join rows', async () => {
    await isUnknownSort('/artists/1/albums', 'secret')
    await isUnknownSort('/artists/1/relationships/albums', 'margin')
    await isUnknownSort('/playlists/1/albums', 'reason')
    await isUnknownSort('/playlists/1/albums', 'price')
    expect(await ids('/playlists/1/albums?sort=-price', staff)).toEqual(['2', '1'])
  })

  test('a default order leaves such keys out: it would reveal them', async () => {
    const shelf = defineResource('shelf', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({
        title: a.string().sortable(),
        margin: a
          .integer()
          .sortable()
          .hidden((_row, context) => isStranger(context)),
      }),
      defaultSort: ['-margin', 'title'],
    })
    const rows = [album(1, 'Kid A'), album(2, 'Untrue'), album(3, 'Amnesiac')]
    const shelves = client(createServer({ resources: [shelf], data: storedData({ albums: rows }) }))
    expect((await shelves.get('/shelf')).resources.map((each) => each.id)).toEqual(['3', '1', '2'])
    expect((await shelves.get('/shelf', staff)).resources.map((each) => each.id)).toEqual(['3', '2', '1'])
  })
})

describe('documents', () => {
  test('show neither hidden nor write-only fields, in meta.pivot either', async () => {
    expect((await api.get('/albums/1')).resource.attributes).toEqual({ title: 'Kid A', year: 1999, note: 'n1' })
    expect((await api.get('/albums/2', staff)).resource.attributes).toEqual({
      title: 'Untrue',
      year: 1998,
      margin: 2,
      cost: 2,
    })
    const pivots = async (options: TestRequestOptions = {}): Promise<unknown> =>
      (await api.get('/playlists/1/relationships/albums', options)).document?.data
    expect(await pivots()).toEqual([
      { type: 'albums', id: '1', meta: { pivot: { place: 2 } } },
      { type: 'albums', id: '2', meta: { pivot: { place: 1 } } },
    ])
    expect(await pivots(staff)).toMatchObject([{ meta: { pivot: { place: 2, price: 1 } } }, {}])
  })
})
