import { createServer, defineResource, id, type IdDeclaration, model } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

function labelsWith(declared: IdDeclaration): TestClient {
  const labels = defineResource('labels', {
    model: model<{ id: unknown; name: string }>('labels'),
    id: declared,
    attributes: (a) => ({ name: a.string() }),
  })
  return client(createServer({ resources: [labels], data: storedData() }))
}

const create = (api: TestClient, sent?: unknown) =>
  api.post('/labels', { body: resourceBody('labels', { name: 'ECM' }, sent) })

const uuid = 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'
const uuid2 = '2f1d6c5e-93b7-4d0a-9c58-7a1e0b4d3f62'

/** Axis 2, with a form that its ids have, and an id of that form. */
const fallbacks: readonly (readonly [name: string, base: () => IdDeclaration, form: RegExp, sent: string])[] = [
  ['the store', () => id(), /^[\w-]+$/, 'ecm'],
  ['the store, in numbers', () => id().numeric(), /^1$/, '77'],
  ['the store, in UUIDs', () => id().uuid(), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, crypto.randomUUID()],
  ['the store, in ULIDs', () => id().ulid(), /^[0-9A-Z]{26}$/, '01J9ZQ4T8W2N6R0V5XB3C7D1EF'],
  ['UUIDs of the service', () => id().uuid().generated(), /^[0-9a-f-]{14}4[0-9a-f-]{21}$/, crypto.randomUUID()],
  [
    'ULIDs of the service',
    () => id().ulid().generated(),
    /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
    '01J9ZQ4T8W2N6R0V5XB3C7D1EF',
  ],
  ['a function', () => id().generateUsing(() => 'made'), /^made$/, 'ecm'],
  ['a function that takes its time', () => id().generateUsing(async () => 'made later'), /^made later$/, 'ecm'],
  ['a function that makes zero', () => id().generateUsing(() => 0), /^0$/, 'ecm'],
  [
    'a function that takes the place of the service',
    () =>
      id()
        .uuid()
        .generated()
        .generateUsing(() => uuid),
    /^b0c7/,
    uuid2,
  ],
]

describe.each(fallbacks)('ids given by %s', (_name, declared, form, sent) => {
  test('and only by the server: an id of the client is 403', async () => {
    const api = labelsWith(declared())
    expectErrors(await create(api, sent), [
      { status: 403, code: 'CLIENT_GENERATED_ID_NOT_SUPPORTED', pointer: '/data/id' },
    ])
    expect((await api.get('/labels')).resources).toEqual([])
    const { resource } = await create(api)
    expect(resource.id).toMatch(form)
    expect((await api.get(`/labels/${encodeURIComponent(resource.id)}`)).resource).toEqual(resource)
  })

  test('where the client gives none', async () => {
    const api = labelsWith(declared().allowClientId())
    expect((await create(api, sent)).resource.id).toBe(sent)
    const { resource } = await create(api)
    if (sent !== '77') expect(resource.id).toMatch(form)
    expect(resource.id).not.toBe(sent)
    expect((await api.get('/labels')).resources).toHaveLength(2)
  })

  test('never, where the client must: none is 403', async () => {
    const api = labelsWith(declared().requireClientId())
    expectErrors(await create(api), [{ status: 403, code: 'CLIENT_GENERATED_ID_REQUIRED', pointer: '/data/id' }])
    expect((await create(api, sent)).resource.id).toBe(sent)
    expectErrors(await create(api, sent), [
      { status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS', pointer: '/data/id' },
    ])
    expect((await api.get('/labels')).resources).toHaveLength(1)
  })
})

describe('a function that makes no key', () => {
  const failures: readonly (readonly [string, () => unknown])[] = [
    ['throws', () => JSON.parse('{')],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['answers nothing', () => undefined],
    ['answers null', () => null],
    ['answers nothing later', async () => undefined],
  ]

  test.each(failures)('one that %s is an error of the server, and nothing is written', async (_how, generate) => {
    const api = labelsWith(id().allowClientId().generateUsing(generate))
    expectErrors(await create(api), [{ status: 500, code: null }])
    expect((await api.get('/labels')).resources).toEqual([])
    expect((await create(api, 'ecm')).resource.id).toBe('ecm')
  })
})

test('a key is made only for a document that is sound', async () => {
  const generate = vi.fn(() => 'made')
  const api = labelsWith(id().generateUsing(generate))
  expect((await api.post('/labels', { body: resourceBody('labels', { name: 5 }) })).status).toBe(422)
  expect((await api.post('/labels', { body: resourceBody('artists') })).status).toBe(409)
  expect(generate).not.toHaveBeenCalled()
})

test('a number of the client counts for those that the store gives next', async () => {
  const api = labelsWith(id().numeric().allowClientId())
  expect((await create(api, '1')).resource.id).toBe('1')
  expect((await create(api)).resource.id).toBe('2')
  expectErrors(await create(api, '2'), [{ status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS' }])
})

test("an id that is zero is an id: '0' is neither absent nor empty", async () => {
  const api = labelsWith(id().requireClientId())
  expect((await create(api, '0')).resource.id).toBe('0')
  expect(
    (await api.patch('/labels/0', { body: resourceBody('labels', { name: 'Zero' }, '0') })).resource,
  ).toMatchObject({
    id: '0',
    attributes: { name: 'Zero' },
  })
  expectErrors(await create(labelsWith(id()), '0'), [{ status: 403, code: 'CLIENT_GENERATED_ID_NOT_SUPPORTED' }])
})

test('the empty id is sent, not absent: 403 where none may be, 422 where one may or must', async () => {
  expectErrors(await create(labelsWith(id()), ''), [{ status: 403, code: 'CLIENT_GENERATED_ID_NOT_SUPPORTED' }])
  for (const declared of [id().allowClientId(), id().requireClientId()]) {
    expectErrors(await create(labelsWith(declared), ''), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' },
    ])
  }
})

describe('a codec', () => {
  const codec = { encode: (key: number) => `k${key}`, decode: (wireId: string) => Number(wireId.slice(1)) }

  test('shows what any of them gives', async () => {
    expect((await create(labelsWith(id().encodeUsing(codec)))).resource.id).toBe('k1')
    const minting = id().generateUsing(async () => 99)
    expect((await create(labelsWith(minting.encodeUsing(codec)))).resource.id).toBe('k99')
    expect((await create(labelsWith(id().allowClientId().encodeUsing(codec)), 'k7')).resource.id).toBe('k7')
  })

  test('has no key if it returns null, nothing, or not a number', async () => {
    for (const decode of [() => null, () => undefined as never, () => Number.NaN]) {
      const api = labelsWith(id().allowClientId().encodeUsing({ encode: String, decode }))
      expectErrors(await create(api, 'NaN'), [{ status: 422, code: 'RESOURCE_ID_UNDECODABLE', pointer: '/data/id' }])
      expectErrors(await api.get('/labels/NaN'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    }
  })

  test.each([
    ['null', () => null],
    ['nothing', () => undefined],
    ['an object', () => ({})],
  ])('that writes %s for an id is an error of the server', async (_what, encode) => {
    const api = labelsWith(id().encodeUsing({ encode: encode as unknown as () => string, decode: () => 1 }))
    expectErrors(await create(api), [{ status: 500, code: null }])
    expectErrors(await api.get('/labels'), [{ status: 500, code: null }])
  })
})
