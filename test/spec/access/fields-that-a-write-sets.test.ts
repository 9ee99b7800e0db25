import { atomic, belongsTo, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import type { DataSource } from 'ashlar/store'
import { expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, sender } from './access-client.js'

/** A caller cannot set what it cannot see in the row that its write leaves behind. */

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly ownerId: number
  readonly sales: number | null
  readonly status: string | null
  readonly note: string | null
  readonly cost: number | null
  readonly labelId: number | null
}

const labels = defineResource('labels', {
  model: model<{ readonly id: number; readonly bossId: number }>('labels'),
  id: id(),
  policy: 'public',
})

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    ownerId: a.integer(),
    // Visible to the owner, by a rule that the sent values decide.
    sales: a.integer().nullable().visibleIf('own'),
    // Visible by a rule over itself.
    status: a.string().nullable().visibleIf('draft'),
    // Visible by a function of the row.
    note: a
      .string()
      .nullable()
      .hidden((row, { caller }) => idOf(caller) !== 9 && row.ownerId !== idOf(caller)),
    // Visible by a rule about a related row, which only the store can decide.
    cost: a.integer().nullable().visibleIf('account'),
  }),
  relations: { label: belongsTo('labels').nullable().withData().visibleIf('own') },
  policy: (p) => ({
    before: ({ caller }) => (caller !== null && idOf(caller) === 9 ? true : null),
    viewAny: true,
    view: true,
    create: p.signedIn(() => true),
    update: p.signedIn(() => true),
    custom: {
      own: p.signedIn(({ caller }) => p.eq('ownerId', idOf(caller))),
      draft: p.signedIn(() => p.eq('status', 'draft')),
      account: p.signedIn(({ caller }) => p.related('label', (q) => q.eq('bossId', idOf(caller)))),
    },
  }),
})

const stored = { id: 1, title: 'One', sales: 10, status: null, note: 'old', cost: 3, labelId: 1 }

const seeds = {
  labels: [
    { id: 1, bossId: 1 },
    { id: 2, bossId: 2 },
  ],
  albums: [
    { ...stored, ownerId: 1 },
    { ...stored, id: 2, ownerId: 2 },
  ],
}

function serve(
  unknownMembers: 'ignore' | 'reject' = 'ignore',
  data: DataSource = storedData(seeds, { albums: { status: 'text' } }),
): ReturnType<typeof sender> {
  const resources = [labels, albums]
  return sender(createServer({ resources, data, middleware: [byNumber], extensions: [atomic()], unknownMembers }))
}

type Values = Readonly<Record<string, unknown>>

const label = (of: string): Values => ({ label: { data: { type: 'labels', id: of } } })

const document = (attributes: Values, relationships: Values = {}, of?: string): object => ({
  data: { type: 'albums', ...(of === undefined ? {} : { id: of }), attributes, relationships },
})

/** The attributes and the label of an album, as a caller who sees everything sees them. */
const album = async (send: ReturnType<typeof sender>, of: string): Promise<Values> => {
  const { attributes, relationships } = (await send('GET', `/albums/${of}`, { as: 9 })).resource
  const linked = relationships?.['label'] as { readonly data: { readonly id: string } | null }
  return { ...attributes, label: linked.data?.id ?? null }
}

const unset = { sales: null, status: null, note: null, cost: null, label: null }

test('a create ignores what the new row hides from the caller', async () => {
  const send = serve()
  const sent = { sales: 5, status: 'draft', note: 'new', cost: 7 }
  const own = await send('POST', '/albums', {
    as: 1,
    body: document({ title: 'Own', ownerId: 1, ...sent }, label('1')),
  })
  expect(own.status).toBe(201)
  expect(await album(send, own.resource.id ?? '')).toMatchObject({ ...sent, label: '1' })
  const other = document({ title: 'Other', ownerId: 2, ...sent, status: 'public' }, label('1'))
  const given = await send('POST', '/albums', { as: 1, body: other })
  expect(given.status).toBe(201)
  // Without its label, the album hides its cost too.
  expect(await album(send, given.resource.id ?? '')).toMatchObject({ title: 'Other', ...unset })
})

test('a create of a server that rejects unknown members is refused', async () => {
  const send = serve('reject')
  const create = (attributes: Values, relationships: Values = {}) =>
    send('POST', '/albums', { as: 1, body: document({ title: 'New', ...attributes }, relationships) })
  expect((await create({ ownerId: 1, sales: 5, note: 'x' })).status).toBe(201)
  const refused: readonly (readonly [Values, Values, string])[] = [
    [{ ownerId: 2, sales: 5 }, {}, '/data/attributes/sales'],
    [{ ownerId: 2, note: 'x' }, {}, '/data/attributes/note'],
    [{ ownerId: 1, status: 'public' }, {}, '/data/attributes/status'],
    [{ ownerId: 1, cost: 5 }, label('2'), '/data/attributes/cost'],
    [{ ownerId: 2 }, label('1'), '/data/relationships/label'],
  ]
  for (const [attributes, relationships, pointer] of refused) {
    const response = await create(attributes, relationships)
    expect([response.status, response.errors.map(({ source }) => source?.pointer)]).toEqual([422, [pointer]])
  }
  expect((await send('GET', '/albums', { as: 9 })).resources).toHaveLength(3)
})

test('an update sets nothing that the row hides from the caller after it', async () => {
  const send = serve()
  const attributes = { title: 'Given', ownerId: 2, sales: 99, note: 'left', status: 'public' }
  const response = await send('PATCH', '/albums/1', { as: 1, body: document(attributes, label('2'), '1') })
  expect(response.status).toBe(200)
  const kept = { sales: 10, status: null, note: 'old', label: '1' }
  expect(await album(send, '1')).toMatchObject({ title: 'Given', ownerId: 2, ...kept })
  const taken = { ownerId: 1, sales: 99 }
  // The row hides its sales before the update.
  await send('PATCH', '/albums/2', { as: 1, body: document(taken, {}, '2') })
  expect(await album(send, '2')).toMatchObject({ ownerId: 1, sales: 10 })
})

const addAlbum = (ownerId: number): object => ({
  op: 'add',
  ...document({ title: `of ${ownerId}`, ownerId, sales: 5, note: 'n' }, label('1')),
})

test('creates of a batch ignore it too', async () => {
  const send = serve()
  const type = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
  const body = { 'atomic:operations': [addAlbum(1), addAlbum(2), addAlbum(1), addAlbum(2)] }
  expect((await send('POST', '/operations', { as: 1, body, type })).status).toBe(200)
  const created = (await send('GET', '/albums?sort=id', { as: 9 })).resources.slice(2)
  expect(created.map(({ attributes }) => attributes?.['sales'])).toEqual([5, null, 5, null])
  expect(created.map(({ attributes }) => attributes?.['note'])).toEqual(['n', null, 'n', null])
})

const addNote = (ownerId: number): object => ({
  op: 'add',
  data: { type: 'notes', attributes: { ownerId, text: 'new' } },
})

test('creates of a batch that are written together ignore it too', async () => {
  // No ability decides about a field, so that the resources can be shown together.
  const notes = defineResource('notes', {
    model: model<{ readonly id: number; readonly ownerId: number; readonly text: string | null }>('notes'),
    id: id(),
    attributes: (a) => ({
      ownerId: a.integer(),
      text: a
        .string()
        .nullable()
        .hidden((row, { caller }) => idOf(caller) !== 9 && row.ownerId !== idOf(caller)),
    }),
    policy: 'public',
  })
  const server = createServer({
    resources: [notes],
    data: storedData({ notes: [{ id: 1, ownerId: 1, text: 'old' }] }),
    middleware: [byNumber],
    extensions: [atomic()],
  })
  const send = sender(server)
  const type = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
  const update = { op: 'update', data: { type: 'notes', id: '1', attributes: { ownerId: 2, text: 'new' } } }
  const batches = [
    [addNote(1), addNote(2), addNote(2)],
    [update, addNote(2), addNote(1)],
  ]
  for (const operations of batches) {
    expect((await send('POST', '/operations', { as: 1, body: { 'atomic:operations': operations }, type })).status).toBe(
      200,
    )
  }
  const { resources } = await send('GET', '/notes?sort=id', { as: 9 })
  expect(resources.map(({ attributes }) => [attributes?.['ownerId'], attributes?.['text']])).toEqual([
    [2, 'old'],
    [1, 'new'],
    [2, null],
    [2, null],
    [2, null],
    [1, 'new'],
  ])
})

test('a store without transactions writes only what the values certainly show', async () => {
  const send = serve('ignore', { ...memoryData(seeds), transactions: null })
  const sent = { sales: 5, status: 'draft', note: 'new' }
  for (const [ownerId, expected] of [
    [1, { ...sent, label: '1' }],
    [2, { ...unset, status: 'draft' }],
  ] as const) {
    const body = document({ title: 'New', ownerId, ...sent }, label('1'))
    const { status, resource } = await send('POST', '/albums', { as: 1, body })
    expect(status).toBe(201)
    expect(await album(send, resource.id ?? '')).toMatchObject(expected)
  }
  await send('PATCH', '/albums/1', { as: 1, body: document({ ownerId: 2, sales: 99 }, {}, '1') })
  expect(await album(send, '1')).toMatchObject({ ownerId: 2, sales: 10 })
})
