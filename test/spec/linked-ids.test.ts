import { type AttributeKit, atomic, belongsTo, createServer, defineResource, hasOne, id, model } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

/** A key that is a foreign key too: the notes of an album have its id. */

interface NoteRow {
  albumId: number
  text: string
}

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums', { columns: ['id', 'title'] }),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { note: hasOne('notes').via('albumId') },
})
const declared = {
  model: model<NoteRow>('notes', { key: 'albumId', columns: ['albumId', 'text'] }),
  attributes: (a: AttributeKit<NoteRow>) => ({ text: a.string() }),
  relations: { album: belongsTo('albums').via('albumId') },
}
const notes = defineResource('notes', { ...declared, id: id() })
const rows = {
  albums: ['Kid A', 'Amnesiac', 'In Rainbows'].map((title, index) => ({ id: index + 1, title })),
  notes: [{ albumId: 1, text: 'Cold' }],
}

const media = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const batch = (api: TestClient, operations: readonly object[]) =>
  api.post('/operations', {
    body: { 'atomic:operations': operations },
    headers: { 'Content-Type': media, Accept: media },
  })

const album = (key: string) => ({ data: { type: 'albums', id: key } })
const note = (ofAlbum: string, more: object = {}) => ({
  data: { type: 'notes', attributes: { text: 'New' }, relationships: { album: album(ofAlbum) }, ...more },
})
const add = (ofAlbum: string) => ({ op: 'add', ...note(ofAlbum) })
const notesIn = async (api: TestClient) =>
  (await api.get('/notes')).resources.map(({ id: key, attributes }) => `${key} ${String(attributes?.['text'])}`)

const exists = (pointer: string) => [{ status: 409, code: 'RESOURCE_ALREADY_EXISTS', pointer }]
const immutable = (pointer: string) => [{ status: 403, code: 'RESOURCE_ID_IMMUTABLE', pointer }]

describe.each([
  ['by one statement', notes],
  ['in a transaction', defineResource('notes', { ...declared, id: id(), hooks: { beforeSave: () => undefined } })],
])('written %s', (_, type) => {
  const open = () => client(createServer({ resources: [albums, type], data: storedData(rows), extensions: [atomic()] }))

  test('a create takes the id from its relationship, and a second one is 409', async () => {
    const api = open()
    const created = await api.post('/notes', { body: note('2') })
    expect([created.status, created.resource.id]).toEqual([201, '2'])
    expectErrors(await api.post('/notes', { body: note('2') }), exists('/data/relationships/album/data'))
    expect(await notesIn(api)).toEqual(['1 Cold', '2 New'])
    const headers = { 'If-None-Match': '*' }
    expectErrors(await api.post('/notes', { body: note('2'), headers }), [{ status: 412, code: 'PRECONDITION_FAILED' }])
  })

  test('a create without the relationship is 422: no id is generated', async () => {
    const api = open()
    expectErrors(await api.post('/notes', { body: { data: { type: 'notes', attributes: { text: 'x' } } } }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/relationships/album' },
    ])
    expectErrors(await api.post('/notes', { body: note('77') }), [{ status: 404, code: 'RELATED_RESOURCE_NOT_FOUND' }])
    expect(await notesIn(api)).toEqual(['1 Cold'])
  })

  test('in a batch, the second create is 409 at its operation, and nothing is stored', async () => {
    const api = open()
    const pointer = '/atomic:operations/1/data/relationships/album/data'
    expectErrors(await batch(api, [add('2'), add('1')]), exists(pointer))
    expectErrors(await batch(api, [add('2'), add('2')]), exists(pointer))
    expect(await notesIn(api)).toEqual(['1 Cold'])
    expect((await batch(api, [add('2'), add('3')])).status).toBe(200)
    expect(await notesIn(api)).toEqual(['1 Cold', '2 New', '3 New'])
  })

  test('an update may repeat the relationship, but not change it: that is 403', async () => {
    const api = open()
    expect((await api.patch('/notes/1', { body: note('1', { id: '1' }) })).status).toBe(200)
    const path = '/notes/1/relationships/album'
    expect((await api.patch(path, { body: album('1') })).status).toBe(204)
    expectErrors(
      await api.patch('/notes/1', { body: note('3', { id: '1' }) }),
      immutable('/data/relationships/album/data'),
    )
    expectErrors(await api.patch(path, { body: album('3') }), immutable('/data'))
    expectErrors(await api.patch(path, { body: { data: null } }), immutable('/data'))
    expect(await notesIn(api)).toEqual(['1 New'])
  })

  test('the other side cannot change it either', async () => {
    const api = open()
    const body = { data: { type: 'notes', id: '1' } }
    expectErrors(await api.patch('/albums/2/relationships/note', { body }), immutable('/data'))
    expectErrors(await api.patch('/albums/1/relationships/note', { body: { data: null } }), immutable('/data'))
    const created = { data: { type: 'albums', attributes: { title: 'x' }, relationships: { note: body } } }
    expectErrors(await api.post('/albums', { body: created }), immutable('/data/relationships/note/data'))
    expect((await api.patch('/albums/1/relationships/note', { body })).status).toBe(204)
    expect(await notesIn(api)).toEqual(['1 Cold'])
  })
})

test('a client id may name it too, if both agree', async () => {
  const named = defineResource('notes', { ...declared, id: id().allowClientId() })
  const api = client(createServer({ resources: [albums, named], data: storedData(rows) }))
  expect((await api.post('/notes', { body: note('2', { id: '2' }) })).resource.id).toBe('2')
  expectErrors(await api.post('/notes', { body: note('3', { id: '1' }) }), [
    { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' },
  ])
  expectErrors(await api.post('/notes', { body: note('2', { id: '2' }) }), [
    { status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS', pointer: '/data/id' },
  ])
  const alone = { data: { type: 'notes', id: '3', attributes: { text: 'x' } } }
  expect((await api.post('/notes', { body: alone })).resource.relationships?.['album']?.data).toEqual(album('3').data)
})

test('a key that is not the id, but a foreign key, is taken: 422 at the relationship', async () => {
  const slugs = defineResource('notes', {
    model: model<NoteRow & { slug: string }>('notes', { key: 'albumId', columns: ['albumId', 'slug', 'text'] }),
    id: id('slug').requireClientId(),
    attributes: (a) => ({ text: a.string() }),
    relations: { album: belongsTo('albums').via('albumId') },
  })
  const data = storedData({ ...rows, notes: [{ albumId: 1, slug: 'cold', text: 'Cold' }] })
  const api = client(createServer({ resources: [albums, slugs], data }))
  expect((await api.post('/notes', { body: note('2', { id: 'two' }) })).status).toBe(201)
  expectErrors(await api.post('/notes', { body: note('1', { id: 'one' }) }), [
    { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/relationships/album/data' },
  ])
  expectErrors(await api.patch('/notes/two/relationships/album', { body: album('1') }), [
    { status: 422, code: 'VALIDATION_FAILED', pointer: '/data' },
  ])
  expect((await api.patch('/notes/two/relationships/album', { body: album('3') })).status).toBe(204)
})
