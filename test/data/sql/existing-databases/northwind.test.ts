import { randomBytes } from 'node:crypto'
import { expectErrors } from 'ashlar/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EmptyDatabase, emptyDatabases } from '../../../support/empty-databases.js'
import { northwind, northwindTables } from './northwind.js'
import { identifier, includedIds, linkedIds, type Requests, requestsTo, toMany, toNew, toOne } from './requests.js'

const newLine = (product: string) => ({
  op: 'add',
  data: {
    type: 'order-lines',
    attributes: { unitPrice: 1, quantity: 2 },
    relationships: { order: toNew('orders', 'new'), product: toOne('products', product) },
  },
})

describe.each(emptyDatabases)('Names with spaces, and keys of all kinds, on %s', (engine, open) => {
  const isSqlite = engine === 'SQLite'
  let schema: string
  let scratch: EmptyDatabase
  let requests: Requests
  beforeEach(async () => {
    scratch = await open()
    schema = `Northwind Traders ${randomBytes(4).toString('hex')}`
    await scratch.run(isSqlite ? `attach ':memory:' as "${schema}"` : `create schema "${schema}"`)
    await scratch.run(northwindTables(engine, schema))
    requests = requestsTo(northwind(scratch.database, schema))
  })
  afterEach(async () => {
    if (!isSqlite) await scratch.run(`drop schema "${schema}" cascade`)
    await scratch.end()
  })

  const lines = `select "OrderID", "ProductID", "Quantity" from %."Order Details" order by 1, 2`
  const storedLines = async () =>
    (await scratch.rows(lines.replace('%', `"${schema}"`))).map((row) => Object.values(row as object).join('-'))

  test('match the declarations', async () => {
    const server = northwind(scratch.database, schema)
    await server.ready()
    expect(await server.inspect()).toMatchObject({ missing: [], unsound: [], advice: [] })
  })

  test('tables and views are read with include, filters, sorts, pages and fieldsets', async () => {
    const orders = await requests.get(
      '/orders?include=customer,shipper,lines.product,subtotal&sort=-orderDate&fields[products]=productName',
    )
    expect(
      orders.resources.map((each) => [
        each.id,
        linkedIds(each, 'customer'),
        linkedIds(each, 'lines'),
        linkedIds(each, 'subtotal'),
      ]),
    ).toEqual([
      ['3', [], [], []],
      ['2', ['XY'], ['2-1'], ['2']],
      ['1', ['ALFKI'], ['1-1', '1-2'], ['1']],
    ])
    expect(includedIds(orders, 'shippers')).toEqual(['2', '1'])
    expect(await requests.ids('/orders?filter[customer.country]=Germany')).toEqual(['1'])
    expect(await requests.ids('/orders?filter[orderDate][min]=1996-07-05')).toEqual(['2'])
    expect(await requests.ids('/orders/1/products?sort=-productName')).toEqual(['2', '1'])
    expect(await requests.ids('/order-subtotals?filter[subtotal][min]=100')).toEqual(['1'])
    expect(await requests.idsOfPages('/product-list?page[size]=2')).toEqual(['1', '4', '2'])
    expect((await requests.get('/product-list/2')).resource.attributes).toEqual({
      productName: 'Tofu',
      categoryName: 'Produce',
    })
  })

  test('a view of a read-only type is not written', async () => {
    expect((await requests.update('order-subtotals', '1', { attributes: { subtotal: 1 } })).status).toBe(405)
    expect((await requests.relate('PATCH', '/orders/1/relationships/subtotal', null)).status).toBe(403)
  })

  test('real numbers, small numbers and numbers for booleans are found by what is shown', async () => {
    expect(await requests.ids('/products?filter[unitPrice]=18.1')).toEqual(['1'])
    expect(await requests.ids('/order-lines?filter[discount]=0.15')).toEqual(['1-2'])
    expect(await requests.ids('/products?filter[discontinued]=true')).toEqual(['3'])
    const { resource } = await requests.get('/products/1')
    expect((await requests.update('products', '1', { attributes: resource.attributes })).status).toBe(200)
    for (const discontinued of [true, false]) {
      const changed = await requests.update('products', '1', { attributes: { discontinued } })
      expect(changed.resource.attributes).toEqual({ ...resource.attributes, discontinued })
    }
    const created = await requests.create('products', { attributes: { productName: 'Ikura', discontinued: true } })
    expect(created.resource).toMatchObject({ id: '5', attributes: { discontinued: true, unitPrice: null } })
    expect(await requests.ids('/products?filter[discontinued]=true')).toEqual(['3', '5'])
  })

  test.runIf(engine === 'PostgreSQL')('a number beyond the column is 422 with its bounds', async () => {
    const response = await requests.update('products', '1', { attributes: { unitsInStock: 32_768 } })
    expectErrors(response, [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/unitsInStock' }])
    expect(response.errors[0]?.detail).toBe('This must be a whole number from -32768 to 32767.')
    expectErrors(await requests.create('regions', { id: '40000', attributes: { regionDescription: 'x' } }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' },
    ])
  })

  test('bytes are shown and written as functions convert them', async () => {
    expect((await requests.get('/categories/1')).resource.attributes?.['picture']).toBe('AP8Q')
    const changed = await requests.update('categories', '2', { attributes: { picture: 'AQID' } })
    expect(changed.resource.attributes).toEqual({ categoryName: 'Produce', picture: 'AQID' })
    expect(
      Buffer.from(
        (
          (await scratch.rows(`select "Picture" from "${schema}"."Categories" where "CategoryID" = 2`))[0] as {
            Picture: Uint8Array
          }
        ).Picture,
      ),
    ).toEqual(Buffer.from([1, 2, 3]))
  })

  test('texts of a fixed length are keys and values without their padding', async () => {
    expect((await requests.get('/customers/XY?include=orders')).resource).toMatchObject({
      id: 'XY',
      attributes: { companyName: 'Short' },
    })
    const created = await requests.create('customers', { id: 'ABC', attributes: { companyName: 'Abc' } })
    expect(created.headers.get('location')).toBe('http://localhost/customers/ABC')
    expectErrors(await requests.create('customers', { id: 'ABC', attributes: { companyName: 'Abc' } }), [
      { status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS', pointer: '/data/id' },
    ])
    await requests.update('orders', '3', {
      relationships: { customer: toOne('customers', 'ABC'), shipper: toOne('shippers', '2') },
    })
    await requests.relate('POST', '/customers/XY/relationships/orders', toMany('orders', '1').data)
    const customers = await requests.get('/customers?include=orders&filter[id]=XY,ABC')
    expect(customers.resources.map((each) => [each.id, ...linkedIds(each, 'orders')])).toEqual([
      ['ABC', '3'],
      ['XY', '1', '2'],
    ])
    expect((await requests.get('/regions/1')).resource.attributes).toEqual({ regionDescription: 'Eastern' })
    expect(await requests.ids('/regions?filter[regionDescription]=Eastern')).toEqual(['1'])
  })

  test('texts of any form are keys', async () => {
    const odd = 'a b/c-d'
    const created = await requests.create('territories', {
      id: odd,
      attributes: { territoryDescription: 'Odd' },
      relationships: { region: toOne('regions', '2'), employees: toMany('employees', '3') },
    })
    expect(created.headers.get('location')).toBe('http://localhost/territories/a%20b%2Fc-d')
    expect(linkedIds((await requests.get('/territories/a%20b%2Fc-d?include=employees')).resource, 'employees')).toEqual(
      ['3'],
    )
    await requests.relate('PATCH', '/employees/1/relationships/territories', toMany('territories', odd, '98004').data)
    expect(await requests.ids('/employees/1/territories')).toEqual(['98004', odd])
    expect((await requests.remove('/territories/01581')).status).toBe(204)
  })

  test('rows with a composite key are created, updated and deleted one by one', async () => {
    const order = toOne('orders', '3')
    const attributes = { unitPrice: 2.5, quantity: 4, discount: 0.1 }
    const created = await requests.create('order-lines', {
      attributes,
      relationships: { order, product: toOne('products', '4') },
    })
    expect(created.resource).toMatchObject({ id: '3-4', attributes: { ...attributes, lineTotal: 10 } })
    expectErrors(
      await requests.create('order-lines', { attributes, relationships: { order, product: toOne('products', '4') } }),
      [{ status: 409, code: 'RESOURCE_ALREADY_EXISTS' }],
    )
    expectErrors(await requests.update('order-lines', '3-4', { relationships: { product: toOne('products', '1') } }), [
      { status: 403, code: 'RESOURCE_ID_IMMUTABLE' },
    ])
    await requests.update('order-lines', '1-2', { attributes: { quantity: 7 } })
    expect((await requests.remove('/order-lines/3-4')).status).toBe(204)
    expect((await requests.remove('/order-lines/3-4')).status).toBe(404)
    expect(await storedLines()).toEqual(['1-1-12', '1-2-7', '2-1-1'])
  })

  test('a generated column is shown, filtered and sorted by, and follows the others', async () => {
    expect(await requests.ids('/order-lines?filter[lineTotal][min]=90&sort=-lineTotal')).toEqual(['1-1', '1-2'])
    const changed = await requests.update('order-lines', '1-1', { attributes: { quantity: 2, lineTotal: 999 } })
    expect(changed.resource.attributes).toMatchObject({ quantity: 2, lineTotal: 28 })
  })

  test('a self reference is written', async () => {
    await requests.relate('PATCH', '/employees/3/relationships/reportsTo', identifier('employees', '2'))
    expect(linkedIds((await requests.get('/employees/2?include=reports')).resource, 'reports')).toEqual(['3'])
  })

  test('a batch writes an order with its lines, or nothing', async () => {
    const order = {
      op: 'add',
      data: { type: 'orders', lid: 'new', relationships: { customer: toOne('customers', 'ALFKI') } },
    }
    const done = await requests.batch(
      order,
      newLine('1'),
      newLine('2'),
      { op: 'update', data: { type: 'order-lines', id: '1-1', attributes: { quantity: 1 } } },
      { op: 'remove', ref: { type: 'order-lines', id: '1-2' } },
    )
    expect(done.status).toBe(200)
    expect(await storedLines()).toEqual(['1-1-1', '2-1-1', '4-1-2', '4-2-2'])
    const subtotal = await requests.get('/orders/4/subtotal')
    expect(subtotal.resource.attributes).toEqual({ subtotal: 4 })
    expectErrors(await requests.batch(order, newLine('1'), newLine('99')), [
      {
        status: 404,
        code: 'RELATED_RESOURCE_NOT_FOUND',
        pointer: '/atomic:operations/2/data/relationships/product/data',
      },
    ])
    expect(await requests.ids('/orders')).toEqual(['1', '2', '3', '4'])
  })
})
