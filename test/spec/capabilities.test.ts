import { BuildError, createServer, defineType, fail, id } from 'ashlar'
import type { Persister, Provider } from 'ashlar/store'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'

interface Chart {
  readonly code: string
  readonly title: string
}

/** A custom type: rows in a plain map. */
function charts(): { readonly rows: Map<string, Chart>; readonly api: TestClient } {
  const rows = new Map<string, Chart>([['uk', { code: 'uk', title: 'UK Top 40' }]])
  const provider: Provider = {
    fetchOne: (_type, wanted) => rows.get(wanted) ?? null,
    fetchCollection: () => ({ rows: [...rows.values()], total: null }),
  }
  const persister: Persister = {
    instantiate: () => ({ title: 'Untitled' }),
    create(_type, values) {
      const row = values as unknown as Chart
      rows.set(row.code, row)
      return row
    },
    update(_type, key, values) {
      const row = rows.get(String(key))
      if (row === undefined) return null
      const changed = { ...row, ...values }
      rows.set(row.code, changed)
      return changed
    },
    delete: (_type, key) => rows.delete(String(key)),
  }
  const type = defineType('charts', {
    fields: (a) => ({ code: id().requireClientId(), title: a.string() }),
    serializer: {
      members: ['title'],
      serialize: (row) => ({ id: String(row['code']), attributes: { title: row['title'] } }),
    },
    hydrator: {
      hydrate({ attributes }) {
        if (attributes['title'] === 'forbidden') {
          fail('VALIDATION_FAILED', { message: 'Not this one.' }, { source: { pointer: '/data/attributes/title' } })
        }
        return typeof attributes['title'] === 'string' ? { title: attributes['title'] } : {}
      },
    },
    provider,
    persister,
    operations: ['FetchCollection', 'FetchOne', 'Create', 'Update', 'Delete'],
    selfLink: false,
  })
  return { rows, api: client(createServer({ resources: [type] })) }
}

describe('a type assembled from capabilities', () => {
  test('is read through its provider and its serializer', async () => {
    const { api } = charts()
    expect((await api.get('/charts')).document).toEqual({
      data: [{ type: 'charts', id: 'uk', attributes: { title: 'UK Top 40' } }],
      meta: { page: { currentPage: 1, perPage: 15, from: 1, to: 1 } },
      links: {
        self: 'http://localhost/charts?page%5Bnumber%5D=1',
        first: 'http://localhost/charts?page%5Bnumber%5D=1',
      },
      jsonapi: { version: '1.1' },
    })
    expect((await api.get('/charts/uk')).resource.attributes).toEqual({ title: 'UK Top 40' })
    expectErrors(await api.get('/charts/de'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })

  test('is written through its hydrator and its persister, into the columns of a new row', async () => {
    const { api, rows } = charts()
    const created = await api.post('/charts', { body: resourceBody('charts', {}, 'de') })
    expect(created.status).toBe(201)
    expect(rows.get('de')).toEqual({ code: 'de', title: 'Untitled' })
    const changed = await api.patch('/charts/de', { body: resourceBody('charts', { title: 'Offizielle' }, 'de') })
    expect(changed.resource.attributes).toEqual({ title: 'Offizielle' })
    expect((await api.delete('/charts/de')).status).toBe(204)
    expect([...rows.keys()]).toEqual(['uk'])
  })

  test('its hydrator may refuse', async () => {
    const { api, rows } = charts()
    expectErrors(await api.post('/charts', { body: resourceBody('charts', { title: 'forbidden' }, 'de') }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/title', detail: 'Not this one.' },
    ])
    expect([...rows.keys()]).toEqual(['uk'])
  })

  test('exposes no operations without an allow-list', async () => {
    const countries = defineType('countries', {
      fields: (a) => ({ code: id(), name: a.string() }),
      serializer: { members: ['name'], serialize: (row) => ({ id: String(row['code']) }) },
    })
    const api = client(createServer({ resources: [countries] }))
    expect((await api.get('/countries')).document).toBeUndefined()
    expect((await api.get('/countries/is')).document).toBeUndefined()
  })

  test('may serve reads only', async () => {
    const api = client(catalogueServer())
    expect((await api.get('/countries/is')).resource.attributes).toEqual({ name: 'Iceland' })
    expect((await api.get('/countries?fields[countries]=')).resources[0]).not.toHaveProperty('attributes')
    expectErrors(await api.delete('/countries/is'), [{ status: 405 }])
  })
})

const country = {
  serializer: { members: [], serialize: () => ({ id: '1' }) },
  hydrator: { hydrate: () => ({}) },
  provider: { fetchOne: () => null, fetchCollection: () => ({ rows: [], total: 0 }) },
  persister: { create: () => ({}), update: () => null, delete: () => false },
}

const build = (declaration: object) => () => {
  const countries = defineType('countries', { fields: () => ({ code: id() }) })
  return createServer({ resources: [countries.with(declaration)] })
}

describe('build-time rules', () => {
  test('1. an exposed create or update with no hydrator fails the build', () => {
    const { hydrator: _, ...rest } = country
    expect(build({ ...rest, operations: ['Create'] })).toThrow(/countries\.hydrator/)
    expect(build({ ...rest, operations: ['Update'] })).toThrow(/countries\.hydrator/)
  })

  test('2. an exposed read with no provider fails the build', () => {
    const { provider: _, ...rest } = country
    expect(build({ ...rest, operations: ['FetchOne'] })).toThrow(/countries\.provider/)
    expect(build({ ...country, provider: { fetchOne: () => null }, operations: ['FetchCollection'] })).toThrow(
      /countries\.provider/,
    )
  })

  test('3. an exposed write with no persister fails the build', () => {
    const { persister: _, ...rest } = country
    for (const operation of ['Create', 'Update', 'Delete']) {
      expect(build({ ...rest, operations: [operation] })).toThrow(/countries\.persister/)
    }
  })

  test('zero or two ids is a build-time failure', () => {
    expect(build({ ...country, fields: () => ({}) })).toThrow(BuildError)
    expect(build({ ...country, fields: () => ({ a: id(), b: id() }) })).toThrow(/countries\.id: has 2 ids/)
  })

  test('a standalone serializer whose URL segment differs declares it', async () => {
    const server = build({ ...country, uriType: 'lands', operations: ['FetchCollection'] })()
    expect((await client(server).get('/lands')).resources).toEqual([])
    expect((await client(server).get('/countries')).document).toBeUndefined()
  })
})
