import { authenticate, belongsTo, createServer, defineResource, id, model } from 'ashlar'
import { beforeEach, expect, test } from 'vitest'
import type { TestClient } from 'ashlar/testing'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const byNumber = authenticate({
  challenge: 'Number',
  caller: (request) => {
    const number = request.header('authorization')
    return number === undefined ? null : { id: Number(number) }
  },
})

const idOf = (caller: unknown): number | undefined => (caller as { readonly id: number } | null)?.id

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly sales: number | null
  readonly cost: number | null
  readonly ownerId: number
  readonly labelId: number | null
}

const labels = defineResource('labels', {
  model: model<{ readonly id: number; readonly name: string; readonly bossId: number }>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  policy: 'public',
})

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    sales: a.integer().nullable().sortable().visibleIf('update'),
    ownerId: a.integer(),
    cost: a.integer().nullable().visibleIf('account'),
  }),
  relations: { label: belongsTo('labels').visibleIf('update') },
  filters: (f) => ({ sales: f.where() }),
  policy: (p) => ({
    before: ({ caller }) => (idOf(caller) === 9 ? true : null),
    viewAny: true,
    view: true,
    create: p.signedIn(() => true),
    update: p.signedIn(({ caller }) => p.eq('ownerId', idOf(caller) ?? 0)),
    updated: p.signedIn(() => true),
    custom: {
      account: p.signedIn(({ caller }) => p.related('label', (q) => q.eq('bossId', idOf(caller) ?? 0))),
    },
  }),
})

let api: TestClient

beforeEach(() => {
  const data = storedData({
    labels: [{ id: 1, name: 'XL', bossId: 2 }],
    albums: [
      { id: 1, title: 'One', sales: 10, cost: 3, ownerId: 1, labelId: 1 },
      { id: 2, title: 'Two', sales: 20, cost: 4, ownerId: 2, labelId: null },
    ],
  })
  api = client(createServer({ resources: [labels, albums], data, middleware: [byNumber] }))
})

interface Album {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: object
}

const headersOf = (as?: string): { readonly headers: Readonly<Record<string, string>> } => ({
  headers: as === undefined ? {} : { Authorization: as },
})

const read = async (path: string, as?: string): Promise<readonly Album[]> => {
  const { document } = await api.request('GET', path, headersOf(as))
  return [(document as { readonly data: Album | readonly Album[] }).data].flat()
}

const status = async (path: string, as?: string): Promise<number> =>
  (await api.request('GET', path, headersOf(as))).status

test('a field is shown only in rows for which the caller has the ability', async () => {
  const shown = (await read('/albums', '1')).map(({ attributes }) => attributes)
  expect(shown).toEqual([
    { title: 'One', sales: 10, ownerId: 1 },
    { title: 'Two', ownerId: 2 },
  ])
  expect((await read('/albums', '2')).map(({ attributes }) => attributes)).toEqual([
    { title: 'One', ownerId: 1, cost: 3 },
    { title: 'Two', sales: 20, ownerId: 2 },
  ])
  expect((await read('/albums/1')).map(({ attributes }) => Object.keys(attributes))).toEqual([['title', 'ownerId']])
  expect((await read('/albums/2?fields[albums]=sales', '2'))[0]?.attributes).toEqual({ sales: 20 })
  expect((await read('/albums', '9')).map(({ attributes }) => attributes['cost'])).toEqual([3, 4])
})

test('a relation that is not visible does not exist', async () => {
  expect((await read('/albums', '1')).map(({ relationships = {} }) => Object.keys(relationships))).toEqual([
    ['label'],
    [],
  ])
  expect(await status('/albums/1/label', '1')).toBe(200)
  expect(await status('/albums/1/label', '2')).toBe(404)
  expect(await status('/albums/1/relationships/label')).toBe(404)
  expect(await status('/albums?include=label')).toBe(400)
  expect(await status('/albums?include=label', '2')).toBe(200)
  const sent = { ...headersOf('2'), body: { data: null } }
  expect((await api.request('PATCH', '/albums/1/relationships/label', sent)).status).toBe(404)
})

test('filters and sorts know the field only for callers who see it in every row', async () => {
  for (const query of ['filter[sales]=10', 'sort=-sales']) {
    expect(await status(`/albums?${query}`)).toBe(400)
    expect(await status(`/albums?${query}`, '1')).toBe(400)
    expect(await status(`/albums?${query}`, '9')).toBe(200)
  }
})

test('a field that is not visible cannot be written', async () => {
  const patch = (
    of: string,
    as: string,
    attributes: Readonly<Record<string, unknown>>,
  ): ReturnType<TestClient['request']> =>
    api.request('PATCH', `/albums/${of}`, { ...headersOf(as), body: resourceBody('albums', attributes, of) })
  const patched = await patch('1', '1', { sales: 11, cost: 99, ownerId: 2 })
  // The album now belongs to another caller, so that its sales are neither set nor in the response.
  expect([patched.status, patched.resource.attributes]).toEqual([200, { title: 'One', ownerId: 2 }])
  const [album] = await read('/albums/1', '1')
  expect(album?.attributes).not.toHaveProperty('sales')
  expect((await read('/albums/1', '2'))[0]?.attributes).toEqual({ title: 'One', sales: 10, ownerId: 2, cost: 3 })
  const created = await api.request('POST', '/albums', {
    ...headersOf('1'),
    body: resourceBody('albums', { title: 'New', sales: 5, ownerId: 2 }),
  })
  expect([created.status, JSON.stringify(created.document).includes('sales')]).toEqual([201, false])
  expect((await read(`/albums/${created.resource.id}`, '2'))[0]?.attributes).toMatchObject({
    title: 'New',
    sales: null,
  })
})

test('a field of an ability that the caller has for no row cannot be written on create either, also after a request of another caller', async () => {
  interface Row {
    readonly id: number
    readonly title: string
    readonly score: number | null
    readonly labelId: number | null
  }
  const scored = defineResource('albums', {
    model: model<Row>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string(), score: a.integer().nullable().visibleIf('audit') }),
    relations: { label: belongsTo('labels').nullable().withData().visibleIf('audit') },
    policy: () => ({
      viewAny: true,
      view: true,
      create: true,
      update: true,
      custom: { audit: ({ caller }) => idOf(caller) === 9 },
    }),
  })
  const data = storedData({
    labels: [{ id: 1, name: 'XL', bossId: 2 }],
    albums: [{ id: 1, title: 'One', score: 1, labelId: 1 }],
  })
  api = client(createServer({ resources: [labels, scored], data, middleware: [byNumber] }))
  const label = { data: { type: 'labels', id: '1' } }
  const created = { data: { type: 'albums', attributes: { title: 'New', score: 5 }, relationships: { label } } }
  const cleared = {
    data: { type: 'albums', id: '1', attributes: { score: 7 }, relationships: { label: { data: null } } },
  }
  for (const as of ['9', '1']) {
    expect((await api.request('POST', '/albums', { ...headersOf(as), body: created })).status).toBe(201)
  }
  await api.request('PATCH', '/albums/1', { ...headersOf('1'), body: cleared })
  const seen = (await read('/albums', '9')).map(({ attributes, relationships }) => [
    attributes['score'],
    (relationships as { readonly label: { readonly data: { readonly id: string } | null } }).label.data?.id,
  ])
  expect(seen).toEqual([
    [1, '1'],
    [5, '1'],
    [null, undefined],
  ])
})

test('a field needs the ability that the operation requires', async () => {
  const edited = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string(), sales: a.integer().nullable().sortable().visibleIf('update') }),
    abilities: { Update: 'edit' },
    policy: (p) => ({ viewAny: true, view: true, update: true, custom: { edit: p.eq('ownerId', 1) } }),
  })
  const data = storedData({
    albums: [
      { id: 1, title: 'One', sales: 10, cost: 3, ownerId: 1, labelId: 1 },
      { id: 2, title: 'Two', sales: 20, cost: 4, ownerId: 2, labelId: null },
    ],
  })
  api = client(createServer({ resources: [edited], data, middleware: [byNumber] }))
  expect((await read('/albums', '1')).map(({ attributes }) => attributes['sales'])).toEqual([10, undefined])
  expect(await status('/albums?sort=sales', '1')).toBe(400)
})
