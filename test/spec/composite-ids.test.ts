import { createServer } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { lineId, linesWith, claims, orders, products, shop, shopRows, tags } from '../support/order-lines.js'
import { storedData } from '../support/stored-data.js'

/** https://jsonapi.org/format/1.1/#document-resource-object-identification */

const line = (lineOf: string) => ({ type: 'lines', id: lineOf })
const one = (type: string, key: string) => ({ data: { type, id: key } })
const ids = (found: unknown): readonly string[] => (found as readonly { id: string }[]).map(({ id }) => id)

let api: TestClient
beforeEach(() => {
  api = client(createServer({ resources: shop, data: storedData(shopRows) }))
})

interface Found {
  readonly data: unknown
  readonly included?: unknown
  readonly links?: Readonly<Record<string, unknown>>
}

const get = async (path: string) => (await api.get(path.replace('http://localhost', ''))).document as Found
const patched = async (path: string, data: unknown) => api.patch(path, { body: { data } })
const post = (path: string, data: unknown) => api.post(path, { body: { data } })
const quantities = async () => {
  const { data } = await get('/lines?page[size]=100')
  return (data as readonly { id: string; attributes: { quantity: number } }[]).map(
    ({ id, attributes }) => [id, attributes.quantity] as const,
  )
}
const unchanged = [
  ['1-1', 5],
  ['1-2', 3],
  ['1-11', 1],
  ['2-1', 3],
  ['10-2', 8],
]

describe('a resource with a composite key', () => {
  test('is addressed by the values of its columns', async () => {
    const { data } = await get('/lines/1-2')
    expect(data).toMatchObject({
      type: 'lines',
      id: '1-2',
      attributes: { quantity: 3, note: 'soft' },
      relationships: {
        order: { data: { type: 'orders', id: '1' } },
        product: { data: { type: 'products', id: '2' } },
        claims: { links: { related: expect.stringContaining('/lines/1-2/claims') as string } },
      },
      links: { self: expect.stringContaining('/lines/1-2') as string },
    })
  })

  test.each(['1', '1-', '-1', '1-2-', '1-2-3', '01-2', '1-02', '1~-2', '1~2', '2-2', '3-1', '1-2~', 'a-b'])(
    'has no other spelling: %s is not found',
    async (other) => {
      expectErrors(await api.get(`/lines/${other}`), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    },
  )

  test('is updated without changing others', async () => {
    const response = await patched('/lines/1-2', { ...line('1-2'), attributes: { quantity: 4 } })
    expect(response.status).toBe(200)
    expect(await quantities()).toEqual(unchanged.map(([id, quantity]) => [id, id === '1-2' ? 4 : quantity]))
  })

  test('is deleted without deleting others', async () => {
    await api.delete('/tags/1')
    for (const path of ['/lines/2-1/relationships/tags']) await api.patch(path, { body: { data: [] } })
    expect((await api.delete('/lines/1-11')).status).toBe(204)
    expect(await quantities()).toEqual(unchanged.filter(([id]) => id !== '1-11'))
    expectErrors(await api.delete('/lines/1-11'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })
})

describe('lists', () => {
  test('are ordered by the columns of the key, as numbers', async () => {
    expect(ids((await get('/lines?page[size]=100')).data)).toEqual(['1-1', '1-2', '1-11', '2-1', '10-2'])
    expect(ids((await get('/lines?sort=-id&page[size]=100')).data)).toEqual(['10-2', '2-1', '1-11', '1-2', '1-1'])
  })

  test.each([
    '',
    '&sort=id',
    '&sort=-id',
    '&sort=quantity',
    '&sort=-quantity,id',
    '&sort=note',
    '&sort=order.customer',
  ])('are paged with cursors in both directions%s', async (sort) => {
    const whole = ids((await get(`/lines?page[size]=100${sort}`)).data)
    const forth: string[] = []
    let page = await get(`/lines?page[size]=2${sort}`)
    const pages = [page]
    forth.push(...ids(page.data))
    while (typeof page.links?.next === 'string') {
      page = await get(page.links.next)
      pages.push(page)
      forth.push(...ids(page.data))
    }
    expect(forth).toEqual(whole)
    const back: string[] = [...ids(page.data)]
    while (typeof page.links?.prev === 'string') {
      page = await get(page.links.prev)
      back.unshift(...ids(page.data))
    }
    expect(back).toEqual(whole)
  })

  test('are filtered by id', async () => {
    expect(ids((await get('/lines?filter[id]=1-2,10-2,1-3,x')).data)).toEqual(['1-2', '10-2'])
  })

  test('are filtered by related resources', async () => {
    expect(ids((await get('/lines?filter[claimed]=true')).data)).toEqual(['1-2', '2-1'])
    expect(ids((await get('/lines?filter[label]=rush')).data)).toEqual(['1-2'])
    expect(ids((await get('/claims?filter[ofLine]=1-2')).data)).toEqual(['1', '2'])
  })
})

describe('relations', () => {
  test('refer to a composite key and back', async () => {
    expect(ids((await get('/lines/1-2/claims')).data)).toEqual(['1', '2'])
    expect(ids((await get('/lines/1-2/relationships/claims')).data)).toEqual(['1', '2'])
    expect((await get('/claims/3/line')).data).toMatchObject(line('2-1'))
    expect((await get('/claims/3')).data).toMatchObject({ relationships: { line: { data: line('2-1') } } })
    expect((await get('/claims/4')).data).toMatchObject({ relationships: { line: { data: null } } })
    expect((await get('/claims/4/line')).data).toBeNull()
    expect((await get('/lines/1-2/review')).data).toMatchObject({ type: 'claims', id: '1' })
    expect((await get('/lines/1-1/review')).data).toBeNull()
  })

  test('over a part of the key refer to several', async () => {
    expect(ids((await get('/orders/1/lines')).data)).toEqual(['1-1', '1-2'])
    expect((await get('/orders/2')).data).toMatchObject({ relationships: { lines: { data: [line('2-1')] } } })
    expect(ids((await get('/products/2/lines')).data)).toEqual(['1-2', '10-2'])
    expect(ids((await get('/orders/1/products')).data)).toEqual(['1', '2', '11'])
  })

  test('to one of several rows refer to the first by key', async () => {
    expect((await get('/orders/1/firstLine')).data).toMatchObject(line('1-1'))
    expect(ids((await get('/orders?filter[firstLine.quantity]=5')).data)).toEqual(['1'])
    expect(ids((await get('/orders?filter[firstLine.quantity]=1')).data)).toEqual([])
    expect(ids((await get('/orders?sort=-firstLine.quantity')).data)).toEqual(['10', '1', '2'])
    const { included } = await get('/orders?include=firstLine')
    expect(ids(included).toSorted()).toEqual(['1-1', '10-2', '2-1'])
  })

  test('through join rows work from both sides', async () => {
    expect(await get('/lines/1-2/relationships/tags')).toMatchObject({
      data: [
        { type: 'tags', id: '1', meta: { pivot: { position: 1 } } },
        { type: 'tags', id: '2', meta: { pivot: { position: 2 } } },
      ],
    })
    expect(ids((await get('/tags/1/lines')).data)).toEqual(['1-2', '2-1'])
  })

  test('are included, each resource once', async () => {
    const { data, included } = await get('/claims?include=line.order,line.product,line.tags')
    expect(ids(data)).toEqual(['1', '2', '3', '4'])
    const named = (included as readonly { type: string; id: string }[]).map(({ type, id }) => `${type} ${id}`)
    expect(named.toSorted()).toEqual(
      ['lines 1-2', 'lines 2-1', 'orders 1', 'orders 2', 'products 1', 'products 2', 'tags 1', 'tags 2'].toSorted(),
    )
    const found = await get('/lines?include=claims&page[size]=100')
    expect(ids(found.included)).toEqual(['1', '2', '3'])
  })
})

describe('a new resource', () => {
  const attributes = { quantity: 7 }
  const relationships = { order: one('orders', '2'), product: one('products', '11') }

  test('has the id that its relationships determine', async () => {
    const response = await post('/lines', { type: 'lines', attributes, relationships })
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toMatch(/\/lines\/2-11$/)
    expect((await get('/lines/2-11')).data).toMatchObject({ id: '2-11', attributes, relationships })
  })

  test('has the id that the client sends', async () => {
    const response = await post('/lines', { ...line('2-11'), attributes })
    expect(response.status).toBe(201)
    expect((await get('/lines/2-11')).data).toMatchObject({ id: '2-11', relationships })
  })

  test('may have both if they agree', async () => {
    expect((await post('/lines', { ...line('2-11'), attributes, relationships })).status).toBe(201)
    expectErrors(await post('/lines', { ...line('2-2'), attributes, relationships }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' },
    ])
  })

  test('is refused without a part of its key', async () => {
    expectErrors(await post('/lines', { type: 'lines', attributes, relationships: { order: relationships.order } }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/relationships/product' },
    ])
  })

  test('is refused if it already exists', async () => {
    expectErrors(await post('/lines', { ...line('1-2'), attributes }), [
      { status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS', pointer: '/data/id' },
    ])
    const taken = { order: one('orders', '1'), product: one('products', '2') }
    expectErrors(await post('/lines', { type: 'lines', attributes, relationships: taken }), [
      { status: 409, code: 'RESOURCE_ALREADY_EXISTS', pointer: '/data/relationships/order/data' },
    ])
    expect(await quantities()).toEqual(unchanged)
  })

  test('is refused with an invalid id', async () => {
    for (const wrong of ['1', '1-2-3', '1~2']) {
      expectErrors(await post('/lines', { ...line(wrong), attributes }), [
        { status: 422, code: 'RESOURCE_ID_UNDECODABLE', pointer: '/data/id' },
      ])
    }
  })

  test('may be created with join rows', async () => {
    const sent = { ...relationships, tags: { data: [{ type: 'tags', id: '2' }] } }
    expect((await post('/lines', { type: 'lines', attributes, relationships: sent })).status).toBe(201)
    expect(ids((await get('/tags/2/lines')).data)).toEqual(['1-2', '2-11'])
  })
})

const immutable = (pointer: string) => ({ status: 403, code: 'RESOURCE_ID_IMMUTABLE', pointer })

describe('an update', () => {
  test('may send back the members that determine the id', async () => {
    const relationships = { order: one('orders', '1'), product: one('products', '2') }
    const response = await patched('/lines/1-2', { ...line('1-2'), attributes: { quantity: 9 }, relationships })
    expect(response.status).toBe(200)
    expect((await get('/lines/1-2')).data).toMatchObject({ attributes: { quantity: 9 }, relationships })
  })

  test('cannot change it', async () => {
    expectErrors(await patched('/lines/1-2', { ...line('1-2'), relationships: { order: one('orders', '2') } }), [
      immutable('/data/relationships/order/data'),
    ])
    expectErrors(await api.patch('/lines/1-2/relationships/order', { body: one('orders', '2') }), [immutable('/data')])
    expectErrors(await api.patch('/orders/2/relationships/lines', { body: { data: [line('2-1'), line('1-1')] } }), [
      immutable('/data/1'),
    ])
    expectErrors(await post('/orders/2/relationships/lines', [line('1-1')]), [immutable('/data/0')])
    expectErrors(await api.delete('/orders/2/relationships/lines', { body: { data: [line('2-1')] } }), [
      immutable('/data/0'),
    ])
    expectErrors(await api.patch('/orders/2/relationships/lines', { body: { data: [] } }), [immutable('/data')])
    expect(await quantities()).toEqual(unchanged)
  })

  test('may send back all members', async () => {
    const response = await api.patch('/orders/2/relationships/lines', { body: { data: [line('2-1')] } })
    expect(response.status).toBeLessThan(300)
  })
})

describe('relationship writes', () => {
  test('set and clear a composite foreign key', async () => {
    expect((await api.patch('/claims/4/relationships/line', { body: { data: line('10-2') } })).status).toBeLessThan(300)
    expect((await get('/claims/4/relationships/line')).data).toEqual(line('10-2'))
    expect((await api.patch('/claims/4/relationships/line', { body: { data: null } })).status).toBeLessThan(300)
    expect((await get('/claims/4/relationships/line')).data).toBeNull()
    expectErrors(await api.patch('/claims/4/relationships/line', { body: { data: line('10-11') } }), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data' },
    ])
  })

  test('change members that hold a composite foreign key', async () => {
    expect((await post('/lines/10-2/relationships/claims', [{ type: 'claims', id: '4' }])).status).toBeLessThan(300)
    expect(ids((await get('/lines/10-2/claims')).data)).toEqual(['4'])
    const body = { data: [{ type: 'claims', id: '1' }] }
    expect((await api.delete('/lines/1-2/relationships/claims', { body })).status).toBeLessThan(300)
    expect(ids((await get('/lines/1-2/claims')).data)).toEqual(['2'])
    expect((await get('/claims/1')).data).toMatchObject({ relationships: { line: { data: null } } })
    const all = {
      data: [
        { type: 'claims', id: '1' },
        { type: 'claims', id: '3' },
      ],
    }
    expect((await api.patch('/lines/1-2/relationships/claims', { body: all })).status).toBeLessThan(300)
    expect(ids((await get('/lines/1-2/claims')).data)).toEqual(['1', '3'])
    expect(ids((await get('/lines/2-1/claims')).data)).toEqual([])
  })

  test('change join rows from both sides', async () => {
    const tag = { type: 'tags', id: '2', meta: { pivot: { position: 4 } } }
    expect((await post('/lines/10-2/relationships/tags', [tag])).status).toBeLessThan(300)
    expect(await get('/lines/10-2/relationships/tags')).toMatchObject({ data: [tag] })
    expect((await post('/tags/2/relationships/lines', [line('1-1'), line('1-2')])).status).toBeLessThan(300)
    expect(ids((await get('/tags/2/lines?page[size]=9')).data)).toEqual(['1-1', '1-2', '10-2'])
    const body = { data: [line('1-2')] }
    expect((await api.delete('/tags/2/relationships/lines', { body })).status).toBeLessThan(300)
    expect(ids((await get('/tags/2/lines')).data)).toEqual(['1-1', '10-2'])
    expect((await api.patch('/tags/2/relationships/lines', { body: { data: [line('2-1')] } })).status).toBeLessThan(300)
    expect(ids((await get('/tags/2/lines')).data)).toEqual(['2-1'])
    expect(ids((await get('/lines/1-2/tags')).data)).toEqual(['1'])
  })
})

describe('hooks', () => {
  test('find, write and delete rows by a list of values', async () => {
    const seen: unknown[] = []
    const hooked = linesWith(lineId, {
      async beforeUpdate(row, _draft, context) {
        const rows = context.rows('lines')
        seen.push(row['orderId'], await rows.find([1, 1]), await rows.find([3, 1]))
        seen.push((await rows.list({ orderId: 1 })).length)
        await rows.update([2, 1], { quantity: 30 })
        await rows.delete([10, 2])
        await rows.create({ orderId: 10, productId: 11, quantity: 2 })
      },
    })
    api = client(createServer({ resources: [orders, products, hooked, claims, tags], data: storedData(shopRows) }))
    const response = await patched('/lines/1-2', { ...line('1-2'), attributes: { quantity: 4 } })
    expect(response.status).toBe(200)
    expect(seen).toMatchObject([1, { orderId: 1, productId: 1, quantity: 5 }, null, 3])
    expect(await quantities()).toEqual([
      ['1-1', 5],
      ['1-2', 4],
      ['1-11', 1],
      ['2-1', 30],
      ['10-11', 2],
    ])
  })
})

describe('a codec', () => {
  test('makes ids of a list of values', async () => {
    const coded = linesWith(
      lineId.encodeUsing<readonly [unknown, unknown]>({
        encode: ([order, product]) => `L${String(order)}x${String(product)}`,
        decode(wireId) {
          const [, order, product] = /^L(\d+)x(\d+)$/.exec(wireId) ?? []
          return order === undefined || product === undefined ? null : [order, product]
        },
      }),
    )
    api = client(createServer({ resources: [orders, products, coded, claims, tags], data: storedData(shopRows) }))
    expect((await get('/lines/L1x2')).data).toMatchObject({ id: 'L1x2', attributes: { quantity: 3 } })
    expect((await get('/claims/3')).data).toMatchObject({ relationships: { line: { data: line('L2x1') } } })
    expectErrors(await api.get('/lines/1-2'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    const page = await get('/lines?page[size]=2')
    expect(ids((await get(String(page.links?.next))).data)).toEqual(['L1x11', 'L2x1'])
  })
})
