import { describe, expect, test } from 'vitest'
import { databases } from './pulled.js'
import { chinook, northwind, pagila } from './schemas.js'

const toOne = (type: string, id: string) => ({ data: { type, id } })

describe.each(['SQLite', 'PostgreSQL'] as const)('Northwind on %s', (engine) => {
  const opened = async () => {
    const pulled = await databases[engine](northwind(engine))
    expect(await pulled.pull('--key', 'Order Subtotals=OrderID')).toMatchObject({ code: 0 })
    return pulled.client()
  }

  test('resources are created, changed and deleted', async () => {
    const client = await opened()
    const created = await client.post('/products', {
      data: {
        type: 'products',
        attributes: {
          productName: 'Aniseed Syrup',
          unitPrice: 10,
          discontinued: true,
          productType: 'sauce',
          group: 'a',
        },
        relationships: { category: toOne('categories', '1') },
      },
    })
    expect(created.status, JSON.stringify(created.document)).toBe(201)
    const product = created.resource
    expect(product.attributes).toMatchObject({ discontinued: true, productType: 'sauce', group: 'a' })
    const path = `/products/${product.id}`
    const changed = await client.patch(path, {
      data: { type: 'products', id: product.id, attributes: { unitPrice: 12.5 } },
    })
    expect(changed.resource.attributes).toMatchObject({ unitPrice: 12.5 })
    expect(
      (await client.get('/products?filter[unitPrice][min]=12&filter[unitPrice][max]=13&sort=-unitPrice')).resources,
    ).toHaveLength(1)
    expect((await client.delete(path)).status).toBe(204)
    expect((await client.get(path)).status).toBe(404)
  })

  test('values that the database would refuse are refused at the attribute', async () => {
    const client = await opened()
    const attributes = { productName: 'x'.repeat(41), unitPrice: -1 }
    const { status, errors } = await client.post('/products', { data: { type: 'products', attributes } })
    expect(status).toBe(422)
    expect(errors.map(({ source }) => source)).toEqual([
      { pointer: '/data/attributes/productName' },
      { pointer: '/data/attributes/unitPrice' },
    ])
    const taken = await client.post('/products', {
      data: {
        type: 'products',
        attributes: { productName: 'Chai' },
        relationships: { category: toOne('categories', '1') },
      },
    })
    expect(taken.status).toBe(422)
    expect(taken.errors[0]?.source).toEqual({ pointer: '/data/attributes/productName' })
  })

  test('keys of several columns, and those that clients choose', async () => {
    const client = await opened()
    const line = await client.post('/order-details', {
      data: {
        type: 'order-details',
        attributes: { unitPrice: 2, quantity: 3 },
        relationships: { order: toOne('orders', '1'), product: toOne('products', '2') },
      },
    })
    expect(line.resource, JSON.stringify(line.document)).toMatchObject({ id: '1-2', attributes: { lineTotal: 6 } })
    const returned = await client.post('/returns', {
      data: { type: 'returns', relationships: { orderDetail: toOne('order-details', '1-2') } },
    })
    expect(returned.status).toBe(201)
    expect((await client.get('/order-details/1-2/returns')).resources).toHaveLength(1)
    const region = { type: 'regions', id: '7', attributes: { regionDescription: 'Nowhere' } }
    expect((await client.post('/regions', { data: region })).status).toBe(201)
    expect((await client.get('/regions/7')).status).toBe(200)
  })

  test('join rows are members with fields', async () => {
    const client = await opened()
    const path = '/employees/2/relationships/territories'
    const member = { type: 'territories', id: '01581', meta: { pivot: { share: 50 } } }
    expect((await client.post(path, { data: [member] })).status).toBeLessThan(300)
    expect((await client.get(path)).document).toMatchObject({
      data: [{ type: 'territories', id: '01581', meta: { pivot: { share: 50, since: null } } }],
    })
    const tooMuch = { ...member, meta: { pivot: { share: 101 } } }
    expect((await client.patch(path, { data: [tooMuch] })).status).toBe(422)
    expect((await client.delete(path, { data: [{ type: 'territories', id: '01581' }] })).status).toBeLessThan(300)
  })

  test('bytes are base64, views are only read', async () => {
    const client = await opened()
    expect((await client.get('/categories/1')).resource.attributes).toMatchObject({ picture: 'AP8Q' })
    const category = { type: 'categories', attributes: { categoryName: 'Condiments', picture: 'AQID' } }
    expect((await client.post('/categories', { data: category })).resource.attributes).toEqual(category.attributes)
    expect((await client.get('/order-subtotals/1')).resource.attributes).toEqual({ subtotal: 168 })
    expect((await client.delete('/order-subtotals/1')).status).toBe(405)
  })
})

test('Pagila: enumerations, domains, arrays, JSON, generated columns, partitions, shared keys', async () => {
  const pulled = await databases.PostgreSQL(pagila)
  await pulled.pull()
  const client = await pulled.client()
  const attributes = {
    title: 'Ace Goldfinger',
    releaseYear: 2007,
    rating: 'NC-17',
    specialFeatures: ['Trailers'],
    scores: [3],
    views: '9007199254740993',
    extra: { a: 1 },
    anything: { b: [1] },
    runtime: '01:30:00',
    poster: 'AQID',
    publishedAt: '2026-01-31T12:30:00+00:00',
    startsAt: '20:15:00',
  }
  const relationships = { language: toOne('languages', '1'), originalLanguage: toOne('languages', '2') }
  const film = await client.post('/films', { data: { type: 'films', attributes, relationships } })
  expect(film.status, JSON.stringify(film.document)).toBe(201)
  expect(film.resource.attributes).toMatchObject({ ...attributes, projectedRevenue: 14.97 })
  expect((await client.get('/films/1')).resource.attributes).toMatchObject({ anything: [1] })
  expect((await client.get('/languages/2/originalFilms')).resources).toHaveLength(1)
  expect((await client.get('/films?filter[rating]=NC-17')).resources).toHaveLength(1)
  for (const wrong of [{ rating: 'X' }, { releaseYear: 1900 }, { rentalDuration: 31 }, { rentalDuration: 0 }]) {
    const { status } = await client.patch('/films/1', { data: { type: 'films', id: '1', attributes: wrong } })
    expect(status, JSON.stringify(wrong)).toBe(422)
  }
  const [payment] = (await client.get('/payments')).resources
  expect((await client.get(`/payments/${encodeURIComponent(payment?.id ?? '')}`)).status).toBe(200)
  const paid = await client.post('/payments', {
    data: {
      type: 'payments',
      attributes: { amount: 1, paymentDate: '2022-01-20T00:00:00+00:00' },
      relationships: { staff: toOne('staff', '1') },
    },
  })
  expect(paid.status, JSON.stringify(paid.document)).toBe(201)
  expect((await client.delete(`/payments/${encodeURIComponent(paid.resource.id)}`)).status).toBe(204)
  const badge = await client.post('/staff-badges', {
    data: { type: 'staff-badges', attributes: { code: 'x' }, relationships: { staff: toOne('staff', '1') } },
  })
  expect(badge.status, JSON.stringify(badge.document)).toBe(201)
  expect((await client.get('/staff/1/staffBadge')).resource.attributes).toEqual({ code: 'x' })
  const device = await client.post('/devices', { data: { type: 'devices', attributes: { name: 'x' } } })
  expect((await client.get(`/devices/${device.resource.id}`)).status).toBe(200)
  const sequels = { data: [{ type: 'films', id: '1' }] }
  expect((await client.patch('/films/2/relationships/sequels', sequels)).status).toBeLessThan(300)
  expect((await client.get('/films/1/sequelOf')).resources.map(({ id }) => id)).toEqual(['2'])
})

test('Chinook: instants as the tables have them, self-references, join rows', async () => {
  const pulled = await databases.SQLite(chinook)
  await pulled.pull()
  const client = await pulled.client()
  const employee = await client.post('/employees', {
    data: {
      type: 'employees',
      attributes: { lastName: 'Peacock', birthDate: '1973-08-29T00:00:00+00:00' },
      relationships: { reportsTo: toOne('employees', '2') },
    },
  })
  expect(employee.status, JSON.stringify(employee.document)).toBe(201)
  expect((await client.get('/employees/2/reports')).resources.map(({ id }) => id)).toEqual(['3'])
  expect(
    (await client.post('/playlists/1/relationships/tracks', { data: [{ type: 'tracks', id: '2' }] })).status,
  ).toBeLessThan(300)
  expect((await client.get('/tracks/2/playlists')).resources.map(({ id }) => id)).toEqual(['1'])
  const track = {
    type: 'tracks',
    attributes: { name: 'x', milliseconds: 0, unitPrice: 1 },
    relationships: { mediaType: toOne('media-types', '1') },
  }
  expect((await client.post('/tracks', { data: track })).status).toBe(422)
  expect(pulled.text('server.ts')).toContain("instants: 'YYYY-MM-DD HH:MM:SS',")
})
