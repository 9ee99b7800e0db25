import { belongsTo, createServer, defineResource, hasMany, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { expectErrors } from 'ashlar/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { type EmptyDatabase, emptyDatabases } from '../../../support/empty-databases.js'

interface LineRow {
  orderId: number
  productId: number
  quantity: number
  code: string | null
}

const orders = defineResource('orders', {
  model: table<{ id: number; customer: string }>('orders'),
  id: id(),
  attributes: (a) => ({ customer: a.string() }),
  relations: { lines: hasMany('lines').readOnly() },
})
const lines = defineResource('lines', {
  model: table<LineRow>('order_details'),
  id: id(['orderId', 'productId']).allowClientId(),
  attributes: (a) => ({
    quantity: a.integer(),
    productId: a.integer().required().readOnlyOnUpdate(),
    code: a.string().nullable().unique(),
  }),
  relations: { order: belongsTo('orders') },
})

const statements = `
  create table orders (id integer primary key, customer text not null);
  create table order_details (
    order_id integer not null references orders (id), product_id smallint not null, quantity integer check (quantity > 0),
    code text unique, primary key (order_id, product_id)
  );
  insert into orders values (1, 'Ann'), (2, 'Ben');
  insert into order_details values (1, 1, 5, 'a'), (1, 2, 6, 'b');
`

const line = (key: string, attributes: object) => ({ body: { data: { type: 'lines', id: key, attributes } } })
const at = (pointer: string, status = 422, code = 'VALIDATION_FAILED') => [{ status, code, pointer }]

describe.each(emptyDatabases)('The foreign keys and indexes of a composite key on %s', (engine, open) => {
  let scratch: EmptyDatabase
  beforeEach(async () => {
    scratch = await open()
    await scratch.run(statements)
  })
  afterEach(() => scratch.end())

  const shop = (ran: string[] = []) => {
    const onStatement = ({ sql, inTransaction }: { sql: string; inTransaction: boolean }) =>
      void ran.push(`${inTransaction ? 'in a transaction ' : ''}${sql.split(' ')[0]}`)
    const data = sqlData(scratch.database, { naming: 'snake_case', onStatement })
    return client(createServer({ resources: [orders, lines], data }))
  }

  test('are reported at the members of the document', async () => {
    const api = shop()
    const create = (key: string, attributes: object) => api.post('/lines', line(key, { productId: 7, ...attributes }))
    expectErrors(await create('9-7', { quantity: 1 }), at('/data/id'))
    expectErrors(await create('1-8', { quantity: 1 }), at('/data/id'))
    expectErrors(await create('1-7', { quantity: 0 }), at('/data/attributes/quantity'))
    expectErrors(await create('1-7', { quantity: 1, code: 'a' }), at('/data/attributes/code'))
    expectErrors(
      await create('1-2', { quantity: 1, productId: 2 }),
      at('/data/id', 409, 'CLIENT_GENERATED_ID_ALREADY_EXISTS'),
    )
    expectErrors(await api.delete('/orders/1'), [{ status: 409, code: 'RESOURCE_IN_USE' }])
    const long = engine === 'PostgreSQL' ? '1-99999' : '1-x'
    expectErrors(await create(long, { productId: undefined, quantity: 1 }), [
      { status: 422, code: 'VALIDATION_FAILED' },
    ])
    expect((await api.get('/orders/1/lines')).resources.map((each) => each.id)).toEqual(['1-1', '1-2'])
  })

  test('let plain writes be one statement', async () => {
    const ran: string[] = []
    const api = shop(ran)
    await api.get('/lines/1-1')
    ran.length = 0
    expect((await api.patch('/lines/1-1', line('1-1', { quantity: 8 }))).status).toBe(200)
    expect((await api.post('/lines', line('2-1', { productId: 1, quantity: 1 }))).status).toBe(201)
    expect((await api.delete('/lines/1-2')).status).toBe(204)
    expect(ran).toEqual(['update', 'insert', 'delete'])
    expect(await scratch.rows('select order_id, product_id, quantity from order_details order by 1, 2')).toEqual([
      { order_id: 1, product_id: 1, quantity: 8 },
      { order_id: 2, product_id: 1, quantity: 1 },
    ])
  })
})
