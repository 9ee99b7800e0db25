import { atomic, BuildError, createServer, defineResource, id, model, type ResourceMetadata } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const labels = defineResource('labels', {
  model: model<{ id: number; name: string }>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})

const rows = { labels: [{ id: 1, name: 'ECM' }] }

function labelsWith(metadata: ResourceMetadata): TestClient {
  return client(createServer({ resources: [labels.with(metadata)], data: storedData(rows) }))
}

describe('operations', () => {
  test('is an allow-list: any other verb of a path is 405, a path without any verb 404', async () => {
    const api = labelsWith({ operations: ['FetchOne', 'Delete'] })
    expect((await api.get('/labels/1')).status).toBe(200)
    expectErrors(await api.get('/labels'), [{ status: 404, code: 'PATH_NOT_FOUND' }])
    expectErrors(await api.post('/labels', { body: resourceBody('labels') }), [{ status: 404, code: 'PATH_NOT_FOUND' }])
    const patch = await api.patch('/labels/1', { body: resourceBody('labels', {}, '1') })
    expectErrors(patch, [{ status: 405 }])
    expect(patch.headers.get('Allow')).toBe('GET, HEAD, QUERY, DELETE, OPTIONS')
    expect((await api.delete('/labels/1')).status).toBe(204)
  })

  test('empty means all five', async () => {
    const api = labelsWith({ operations: [] })
    expect((await api.request('OPTIONS', '/labels')).headers.get('Allow')).toBe('GET, HEAD, QUERY, POST, OPTIONS')
    expect((await api.request('OPTIONS', '/labels/1')).headers.get('Allow')).toBe(
      'GET, HEAD, QUERY, PATCH, DELETE, OPTIONS',
    )
  })

  test('readOnly is short for the two reads', async () => {
    const api = labelsWith({ readOnly: true })
    expect((await api.request('OPTIONS', '/labels')).headers.get('Allow')).toBe('GET, HEAD, QUERY, OPTIONS')
    expect((await api.request('OPTIONS', '/labels/1')).headers.get('Allow')).toBe('GET, HEAD, QUERY, OPTIONS')
  })

  test('readOnly with operations is a build-time failure', () => {
    expect(() => labelsWith({ readOnly: true, operations: ['FetchOne'] })).toThrow(BuildError)
  })
})

describe('server', () => {
  test('null is the default server', async () => {
    expect((await labelsWith({ server: null }).get('/labels/1')).status).toBe(200)
  })

  test('an undeclared name is a build-time failure', () => {
    expect(() => labelsWith({ server: 'backstage' })).toThrow(/labels\.server: .*'backstage'/)
  })
})

describe('type and model', () => {
  test('two types may share one model, each with its own view', async () => {
    const publicLabels = defineResource('public-labels', {
      model: model<{ id: number; name: string }>('labels'),
      id: id(),
      readOnly: true,
      attributes: (a) => ({ title: a.string().storedAs('name') }),
    })
    const api = client(createServer({ resources: [labels, publicLabels], data: storedData(rows) }))
    expect((await api.get('/public-labels/1')).resource).toMatchObject({
      type: 'public-labels',
      attributes: { title: 'ECM' },
    })
    await api.patch('/labels/1', { body: resourceBody('labels', { name: 'XL' }, '1') })
    expect((await api.get('/public-labels/1')).resource.attributes).toEqual({ title: 'XL' })
  })

  test('with() declares the same fields as another type', async () => {
    const imprints = labels.with({ type: 'imprints', uriType: 'label-imprints' })
    const api = client(createServer({ resources: [labels, imprints], data: storedData(rows) }))
    expect((await api.get('/label-imprints/1')).resource).toMatchObject({
      type: 'imprints',
      attributes: { name: 'ECM' },
    })
  })
})

const cached = () =>
  labelsWith({
    cacheHeaders: {
      max_age: 60,
      s_maxage: 120,
      public: true,
      vary: 'Accept-Language',
      operations: { read: { max_age: 600, vary: ['X-Region'] } },
    },
  })

describe('cacheHeaders', () => {
  test('are on successful reads, with the overrides of their shape', async () => {
    const collection = await cached().get('/labels')
    expect(collection.headers.get('Cache-Control')).toBe('public, max-age=60, s-maxage=120')
    expect(collection.headers.get('Vary')).toBe('Accept, Accept-Language')
    const one = await cached().get('/labels/1')
    expect(one.headers.get('Cache-Control')).toBe('public, max-age=600, s-maxage=120')
    expect(one.headers.get('Vary')).toBe('Accept, Accept-Language, X-Region')
    expect((await cached().request('HEAD', '/labels')).headers.has('Cache-Control')).toBe(true)
  })

  test('are neither on errors nor on writes', async () => {
    const api = cached()
    for (const response of [
      await api.get('/labels/99'),
      await api.get('/labels?nonsense=1'),
      await api.patch('/labels/1', { body: resourceBody('labels', { name: 'XL' }, '1') }),
      await api.delete('/labels/1'),
    ]) {
      expect(response.headers.has('Cache-Control')).toBe(false)
      expect(response.headers.get('Vary')).toMatch(/^Accept(?:, Prefer)?$/)
    }
  })

  test('never replace a header that the handler set', async () => {
    const server = catalogueServer({
      handler: (builtIn) => async (operation) => {
        const value = await builtIn(operation)
        return value.kind === 'data' ? { ...value, headers: ['Cache-Control', 'no-store'] } : value
      },
    })
    expect((await client(server).get('/devices')).headers.get('Cache-Control')).toBe('no-store')
  })
})

describe('deprecation, sunset and sunsetLink', () => {
  test('are on every response of the type, errors and OPTIONS included', async () => {
    const api = client(catalogueServer())
    for (const response of [
      await api.get('/products'),
      await api.get('/products/prod-a0'),
      await api.get('/products/prod-ff'),
      await api.get('/products?nonsense=1'),
      await api.post('/products', { raw: '{' }),
      await api.request('PUT', '/products'),
      await api.request('OPTIONS', '/products'),
      await api.delete('/products/prod-a0'),
    ]) {
      expect(response.headers.get('Deprecation')).toBe('true')
      expect(response.headers.get('Sunset')).toBe('Wed, 31 Dec 2031 23:59:59 GMT')
      expect(response.headers.get('Link')).toBe('<https://music.example/sunset>; rel="sunset"')
    }
    expect((await api.get('/albums')).headers.has('Deprecation')).toBe(false)
  })

  test('a deprecation may be a custom text', async () => {
    const response = await labelsWith({ deprecation: '@1735689600' }).get('/labels')
    expect(response.headers.get('Deprecation')).toBe('@1735689600')
  })
})

describe('headers of the server', () => {
  const settings = {
    cacheHeaders: { public: true, max_age: 60, vary: 'X-Region', operations: { read: { max_age: 5, s_maxage: 9 } } },
    deprecation: true,
    sunset: 'Wed, 31 Dec 2031 23:59:59 GMT',
    sunsetLink: 'https://music.example/sunset',
  }
  const shops = defineResource('shops', { model: model<{ id: number }>('shops'), id: id() })
  const api = client(
    createServer({
      resources: [
        labels,
        labels.with({
          type: 'imprints',
          cacheHeaders: { max_age: 7, vary: 'Accept-Language', operations: { collection: { no_cache: true } } },
          deprecation: '@1735689600',
        }),
        shops.with({ cacheHeaders: { public: false, private: true }, deprecation: false }),
      ],
      data: storedData({ ...rows, shops: [{ id: 1 }] }),
      extensions: [atomic()],
      ...settings,
    }),
  )
  const cachingOf = async (path: string) => {
    const { headers } = await api.get(path)
    return [headers.get('Cache-Control'), headers.get('Vary')]
  }

  const deprecationOf = async (method: string, path: string) => {
    const { headers } = await api.request(method, path)
    return [headers.get('Deprecation'), headers.get('Sunset'), headers.get('Link')]
  }

  test('are those of all types; a type changes single directives, and adds to Vary', async () => {
    expect(await cachingOf('/labels')).toEqual(['public, max-age=60', 'Accept, X-Region'])
    expect(await cachingOf('/labels/1')).toEqual(['public, max-age=5, s-maxage=9', 'Accept, X-Region'])
    expect(await cachingOf('/imprints')).toEqual(['public, no-cache, max-age=7', 'Accept, X-Region, Accept-Language'])
    expect(await cachingOf('/shops/1')).toEqual(['private, max-age=5', 'Accept, X-Region'])
  })

  test('of deprecation are on all responses, unless a type declares that it is not deprecated', async () => {
    const sunset = ['Wed, 31 Dec 2031 23:59:59 GMT', '<https://music.example/sunset>; rel="sunset"']
    expect(await deprecationOf('GET', '/labels/99')).toEqual(['true', ...sunset])
    expect(await deprecationOf('GET', '/')).toEqual(['true', ...sunset])
    expect(await deprecationOf('POST', '/operations')).toEqual(['true', ...sunset])
    expect(await deprecationOf('GET', '/imprints')).toEqual(['@1735689600', ...sunset])
    expect(await deprecationOf('GET', '/shops/1')).toEqual([null, null, null])
  })

  test('with an error are a build-time failure', () => {
    const wrong = { ...settings, sunset: 'no\nline', cacheHeaders: { maxAge: 1, operations: { index: {} } } }
    expect(() => createServer({ resources: [labels], data: storedData(rows), ...(wrong as object) })).toThrow(
      /cacheHeaders\.maxAge: is not a cache directive[^]*operations\.index: is not a kind of read[^]*sunset: .* cannot be sent as a header/,
    )
  })
})

describe('serializer and hydrator', () => {
  const serializer = {
    members: ['shout', 'secret'],
    serialize: (row: Readonly<Record<string, unknown>>) => ({
      id: String(row['id']),
      attributes: { shout: String(row['name']).toUpperCase(), undeclared: 1 },
      meta: { serialized: true },
    }),
  }
  const hydrator = {
    hydrate: ({ attributes }: { readonly attributes: Readonly<Record<string, unknown>> }) => ({
      name: String(attributes['shout']).toLowerCase(),
    }),
  }

  test('override the wire shape of a type, given themselves', async () => {
    const api = labelsWith({ serializer, hydrator })
    expect((await api.get('/labels/1')).resource).toEqual({
      type: 'labels',
      id: '1',
      attributes: { shout: 'ECM' },
      links: { self: 'http://localhost/labels/1' },
      meta: { serialized: true },
    })
    const changed = await api.patch('/labels/1', { body: resourceBody('labels', { shout: 'XL' }, '1') })
    expect(changed.resource.attributes).toEqual({ shout: 'XL' })
  })

  test('or by the name under which the server registers them', async () => {
    const named = labels.with({ serializer: 'loud', hydrator: 'quiet' })
    const services = { loud: serializer, quiet: hydrator }
    const api = client(createServer({ resources: [named], data: storedData(rows), services }))
    expect((await api.get('/labels/1')).resource.attributes).toEqual({ shout: 'ECM' })
    expect(() => createServer({ resources: [named], data: storedData(rows) })).toThrow(BuildError)
    expect(() =>
      createServer({ resources: [named], data: storedData(rows), services: { loud: {}, quiet: 5 } }),
    ).toThrow(BuildError)
  })

  test('a fieldset still selects its members', async () => {
    const api = labelsWith({ serializer, hydrator })
    expect((await api.get('/labels/1?fields[labels]=secret')).resource).not.toHaveProperty('attributes')
    expect((await api.get('/labels/1?fields[labels]=shout')).resource.attributes).toEqual({ shout: 'ECM' })
  })
})
