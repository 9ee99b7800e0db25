import { BuildError, createServer, defineResource, fail, id, model } from 'ashlar'
import type { IdDeclaration } from '../../src/declare/resource/fields/id-declaration.js'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface LabelRow {
  id: unknown
  name: string
}

function labelsWith(declared: IdDeclaration, rows: readonly LabelRow[] = []): TestClient {
  const labels = defineResource('labels', {
    model: model<LabelRow>('labels'),
    id: declared,
    attributes: (a) => ({ name: a.string() }),
  })
  return client(createServer({ resources: [labels], data: storedData({ labels: rows }) }))
}

const create = (api: TestClient, sent?: unknown) =>
  api.post('/labels', { body: resourceBody('labels', { name: 'ECM' }, sent) })

describe('the id is structural', () => {
  test('it is always rendered, and exempt from sparse fieldsets', async () => {
    const api = client(catalogueServer())
    for (const fields of ['', 'title', 'id']) {
      expect((await api.get(`/albums/1?fields[albums]=${fields}`)).resource.id).toBe('1')
    }
  })

  test('it is a string on the wire, whatever the key is', async () => {
    const rows = [
      { id: 7, name: 'ECM' },
      { id: 1234567890123456789n, name: 'Blue Note' },
    ]
    const { resources } = await labelsWith(id(), rows).get('/labels')
    expect(resources.map((resource) => resource.id)).toEqual(['7', '1234567890123456789'])
  })

  test('it can be stored in another column', async () => {
    const labels = defineResource('labels', {
      model: model<{ code: string; name: string }>('labels', { key: 'code' }),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
    })
    const data = storedData({ labels: [{ code: 'ecm', name: 'ECM' }] })
    const api = client(createServer({ resources: [labels], data }))
    expect((await api.get('/labels/ecm')).resource).toMatchObject({ id: 'ecm', attributes: { name: 'ECM' } })
  })
})

describe('axis 1: client-supplied ids', () => {
  test('by default a client id is rejected with 403', async () => {
    for (const sent of ['5', '', 'not even a number']) {
      expectErrors(await create(labelsWith(id().numeric()), sent), [
        { status: 403, code: 'CLIENT_GENERATED_ID_NOT_SUPPORTED', pointer: '/data/id' },
      ])
    }
  })

  test('allowClientId() uses the id if one is given', async () => {
    const api = labelsWith(id().allowClientId())
    expect((await create(api, 'ecm')).resource.id).toBe('ecm')
    expect((await create(api)).status).toBe(201)
  })

  test('allowClientId() validates the format if an id is given', async () => {
    expectErrors(await create(labelsWith(id().numeric().allowClientId()), 'ecm'), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' },
    ])
  })

  test('requireClientId() without an id is 403', async () => {
    const api = labelsWith(id().requireClientId())
    expectErrors(await create(api), [{ status: 403, code: 'CLIENT_GENERATED_ID_REQUIRED', pointer: '/data/id' }])
    expect((await create(api, 'ecm')).resource.id).toBe('ecm')
  })

  test('an id that is taken is 409', async () => {
    const api = labelsWith(id().requireClientId(), [{ id: 'ecm', name: 'ECM' }])
    expectErrors(await create(api, 'ecm'), [
      { status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS', pointer: '/data/id' },
    ])
  })
})

describe('axis 2: the fallback when the client sends no id', () => {
  test('by default the store assigns it', async () => {
    const api = labelsWith(id(), [{ id: 41, name: 'ECM' }])
    expect((await create(api)).resource.id).toBe('42')
  })

  test('generated() with uuid() generates a v4 UUID', async () => {
    const api = labelsWith(id().uuid().generated())
    const [one, other] = [await create(api), await create(api)]
    expect(one.resource.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(one.resource.id).not.toBe(other.resource.id)
    expect((await api.get(`/labels/${one.resource.id}`)).status).toBe(200)
  })

  test('generated() with ulid() generates a ULID', async () => {
    const api = labelsWith(id().ulid().generated())
    const created = await create(api)
    expect(created.resource.id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    expect((await api.get(`/labels/${created.resource.id}`)).status).toBe(200)
  })

  test('generated() on a format that cannot be generated is a build-time failure', () => {
    for (const declared of [id().generated(), id().numeric().generated(), id().pattern(/x/).generated()]) {
      expect(() => labelsWith(declared)).toThrow(BuildError)
      expect(() => labelsWith(declared)).toThrow(/labels\.id: generated\(\)/)
    }
  })

  test('generateUsing() returns the storage key, set as it is', async () => {
    const decode = vi.fn((wireId: string) => Number(wireId.slice(1)))
    const codec = { encode: (key: number) => `k${key}`, decode }
    const api = labelsWith(
      id()
        .generateUsing(() => 99)
        .encodeUsing(codec),
    )
    expect((await create(api)).resource.id).toBe('k99')
    expect(decode).not.toHaveBeenCalled()
  })

  test('a client id wins over the fallback', async () => {
    const generate = vi.fn(() => 'minted')
    const api = labelsWith(id().allowClientId().generateUsing(generate))
    expect((await create(api, 'sent')).resource.id).toBe('sent')
    expect(generate).not.toHaveBeenCalled()
    expect((await create(api)).resource.id).toBe('minted')
  })
})

describe('formats', () => {
  const uuid = 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'
  test.each<readonly [string, IdDeclaration, string, string]>([
    ['uuid()', id().uuid(), uuid, 'b0c7e3a4'],
    ['uuid(4)', id().uuid(4), uuid, 'b0c7e3a4-6a59-1e64-8f0e-0f4f5e6a7b8c'],
    ['ulid()', id().ulid(), '01J9ZQ4T8W2N6R0V5XB3C7D1EF', '81J9ZQ4T8W2N6R0V5XB3C7D1EF'],
    ['numeric()', id().numeric(), '007', '7a'],
    ['pattern()', id().pattern(/[a-z]+/), 'ecm', 'ecm1'],
    ['matchAs()', id().matchAs(/[a-z]+/), 'ecm', 'ecm1'],
  ])('a client id that violates %s is 422 at /data/id', async (_name, declared, good, bad) => {
    const api = labelsWith(declared.requireClientId())
    expectErrors(await create(api, bad), [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' }])
    expect((await create(api, good)).resource.id).toBe(good)
    expect((await api.get(`/labels/${good}`)).status).toBe(200)
  })

  test('matchAs() also constrains the route: a malformed id is a route miss', async () => {
    const fetchOne = vi.fn(() => null)
    const labels = defineResource('labels', {
      model: model<LabelRow>('labels'),
      id: id().matchAs(/prod-[0-9a-f]+/),
      provider: { fetchOne, fetchCollection: () => ({ rows: [], total: 0 }) },
      readOnly: true,
    })
    const api = client(createServer({ resources: [labels] }))
    expectErrors(await api.get('/labels/prod-xyz'), [{ status: 404, code: 'PATH_NOT_FOUND', title: 'Not Found' }])
    expect(fetchOne).not.toHaveBeenCalled()
    expectErrors(await api.get('/labels/prod-abc'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    expect(fetchOne).toHaveBeenCalledTimes(1)
  })

  test('the format is checked before any decode', async () => {
    const decode = vi.fn(() => 1)
    const api = labelsWith(id().numeric().requireClientId().encodeUsing({ encode: String, decode }))
    expectErrors(await create(api, 'abc'), [{ status: 422, pointer: '/data/id' }])
    expect(decode).not.toHaveBeenCalled()
  })

  test('a type whose id declares no format accepts any non-empty string', async () => {
    const api = labelsWith(id().allowClientId())
    for (const sent of [' ', '0', 'null', '/', '../..', 'ü', '__proto__', '\u0001']) {
      const created = await create(api, sent)
      expect(created.resource.id).toBe(sent)
      expect((await api.get(`/labels/${encodeURIComponent(sent)}`)).resource.id).toBe(sent)
    }
    expectErrors(await create(api, ''), [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' }])
  })

  test('half a surrogate pair is no text, and so no id', async () => {
    const api = labelsWith(id().allowClientId())
    expectErrors(await create(api, '\ud800'), [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' }])
    expect((await api.get('/labels')).resources).toEqual([])
  })
})

describe('encodeUsing()', () => {
  test('makes the wire id encode(storageKey), while the store has the real key', async () => {
    const api = client(catalogueServer())
    const { resource } = await api.get('/favorites/fav-z')
    expect(resource).toMatchObject({ id: 'fav-z', links: { self: 'http://localhost/favorites/fav-z' } })
    const created = await api.post('/favorites', { body: resourceBody('favorites') })
    expect(created.resource.id).toBe(`fav-${(8 * 7).toString(36)}`)
  })

  test('a route id that cannot be decoded is a resource that does not exist', async () => {
    for (const path of ['/favorites/5', '/favorites/fav-1', '/favorites/__proto__']) {
      expectErrors(await client(catalogueServer()).get(path), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    }
  })

  test('a client id that cannot be decoded is 422', async () => {
    const api = labelsWith(
      id()
        .allowClientId()
        .encodeUsing<number>({
          encode: (key) => `label-${key}`,
          decode: (wireId) => (/^label-\d+$/.test(wireId) ? Number(wireId.slice('label-'.length)) : null),
        }),
    )
    for (const sent of ['7', 'label-', 'label-x']) {
      expectErrors(await create(api, sent), [{ status: 422, code: 'RESOURCE_ID_UNDECODABLE', pointer: '/data/id' }])
    }
    expect((await create(api, 'label-7')).resource.id).toBe('label-7')
  })

  test('a codec that throws has no key for the id', async () => {
    const api = labelsWith(
      id()
        .allowClientId()
        .encodeUsing<number>({ encode: String, decode: () => fail('APPLICATION_ERROR') }),
    )
    expectErrors(await api.get('/labels/1'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    expectErrors(await create(api, '1'), [{ status: 422, code: 'RESOURCE_ID_UNDECODABLE' }])
  })
})
