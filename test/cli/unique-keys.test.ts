import { type AnyResource, createServer, defineResource, id, type ResourceMetadata } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { expectErrors } from 'ashlar/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { type EmptyDatabase, emptyDatabases } from '../support/empty-databases.js'

interface LineRow {
  orderId: number
  productId: number
  quantity: number
}

const linesWith = (metadata: ResourceMetadata = {}, column = 'orderId') =>
  defineResource('lines', {
    model: table<LineRow>('order_details', { key: 'orderId' }),
    id: id(column).allowClientId(),
    attributes: (a) => ({ quantity: a.integer() }),
    ...metadata,
  })

const readOnly = { readOnly: true }
const listOnly = { operations: ['FetchCollection'] as const }

const ofPart =
  "The id of 'lines' is only a part of the key of the table 'order_details', which is 'order_id', 'product_id': several rows may have the same id. Declare the whole key: id(['orderId', 'productId'])."
const notUnique =
  "The database does not keep the id of 'lines' unique: the table 'order_details' has no primary key and no unique index on 'order_id' that covers every row and allows no nulls. Create one."

const columns = 'order_id integer not null default 1, product_id integer not null, quantity integer'

describe.each(emptyDatabases)('On %s', (engine, open) => {
  let scratch: EmptyDatabase
  beforeEach(async () => {
    scratch = await open()
  })
  afterEach(() => scratch.end())

  const server = (...resources: readonly AnyResource[]) =>
    createServer({ resources: resources as never, data: sqlData(scratch.database, { naming: 'snake_case' }) })
  const missing = async (lines: AnyResource) => (await server(lines).inspect()).missing

  test('an id that is a part of the primary key prevents the server from being ready', async () => {
    await scratch.run(`create table order_details (${columns}, primary key (order_id, product_id))`)
    expect(await missing(linesWith())).toEqual([ofPart])
    expect(await missing(linesWith(readOnly))).toEqual([ofPart])
    expect(await missing(linesWith(listOnly))).toEqual([])
    await expect(server(linesWith()).ready()).rejects.toThrow(new Error(`${ofPart} [unique-key:lines]`))
  })

  test('an id of all columns of the key is accepted, by a primary key or a unique index', async () => {
    const whole = defineResource('lines', {
      model: table<LineRow>('order_details'),
      id: id(['productId', 'orderId']).requireClientId(),
      attributes: (a) => ({ quantity: a.integer().nullable() }),
    })
    await scratch.run(`create table order_details (${columns}, primary key (order_id, product_id))`)
    expect(await server(whole).inspect()).toMatchObject({ missing: [], unsound: [], advice: [] })
    await scratch.run(
      `drop table order_details; create table order_details (${columns}, unique (order_id, product_id))`,
    )
    const { missing: found, unsound, writes } = await server(whole).inspect()
    expect([found, unsound]).toEqual([[], []])
    const ofBothEngines = writes.filter(({ operation }) => operation !== 'createOnlyBatch')
    expect(ofBothEngines.map(({ operation, reason }) => [operation, reason])).toEqual([
      ['create', null],
      ['createBatch', 'the id has several columns'],
      ['update', null],
      ['delete', null],
    ])
  })

  test('a part of the id that may be null prevents the server from being ready', async () => {
    const whole = defineResource('lines', {
      model: table<LineRow>('order_details'),
      id: id(['orderId', 'productId']).requireClientId(),
      attributes: (a) => ({ quantity: a.integer().nullable() }),
    })
    const nullable = 'order_id integer not null, product_id integer, quantity integer'
    await scratch.run(`create table order_details (${nullable}, unique (order_id))`)
    expect(await missing(whole)).toEqual([
      "The column 'product_id' of the table 'order_details' is a part of the id of 'lines', but may be null: such a row would have no id. Declare it not null.",
    ])
  })

  test('a primary key of one column that may be null does so too', async () => {
    const others = 'product_id integer, quantity integer'
    const mayBeNull = [
      "The column 'order_id' of the table 'order_details' is the id of 'lines', but may be null: such a row would have no id. Declare it not null.",
    ]
    const ofKey = async (key: string, options = '') => {
      await scratch.run(`drop table if exists order_details; create table order_details (${key}, ${others})${options}`)
      return missing(linesWith())
    }
    // A primary key of PostgreSQL is never null, and SQLite fills an integer one.
    const isSqlite = engine === 'SQLite'
    expect(await ofKey("order_id text default 'a' primary key")).toEqual(isSqlite ? mayBeNull : [])
    expect(await ofKey('order_id int default 1 primary key')).toEqual(isSqlite ? mayBeNull : [])
    expect(await ofKey('order_id integer default 1 primary key')).toEqual([])
    if (!isSqlite) return
    expect(await ofKey("order_id text default 'a' primary key", ' without rowid')).toEqual([])
    expect(await ofKey("order_id text default 'a' primary key", ' strict')).toEqual([])
  })

  test('a column of the key that nothing sets is named', async () => {
    const unset = defineResource('lines', {
      model: table<LineRow>('order_details'),
      id: id(['orderId', 'productId']),
      attributes: (a) => ({ quantity: a.integer().nullable() }),
    })
    await scratch.run(`create table order_details (${columns}, primary key (order_id, product_id))`)
    expect(await missing(unset)).toEqual([
      "New resources of 'lines' would have no key: call requireClientId(), generated() or generateUsing() on its id, or give the column 'product_id' of the table 'order_details' a default.",
    ])
  })

  test('so does one that is a part of a unique index', async () => {
    await scratch.run(`create table order_details (${columns}, unique (order_id, product_id))`)
    expect(await missing(linesWith())).toEqual([ofPart])
  })

  test('an id that nothing makes unique does so if it is written', async () => {
    await scratch.run(`create table order_details (${columns})`)
    expect(await missing(linesWith())).toEqual([notUnique])
    expect(await missing(linesWith({ operations: ['FetchOne', 'Delete'] }))).toEqual([notUnique])
    expect(await missing(linesWith(readOnly))).toEqual([])
  })

  test.each([
    ['a partial index', 'create unique index parts on order_details (order_id) where quantity > 0'],
    ['an index over another column', 'create unique index others on order_details (quantity)'],
    ['an index that is not unique', 'create index plain on order_details (order_id)'],
    [
      'an index over an expression of two columns',
      'create unique index sum on order_details ((order_id + product_id))',
    ],
  ])('%s does not make it unique', async (_name, statement) => {
    await scratch.run(`create table order_details (${columns}); ${statement}`)
    expect(await missing(linesWith())).toEqual([notUnique])
  })

  test('an index that allows nulls does not either, and the key of the table is offered', async () => {
    await scratch.run(
      'create table order_details (order_id integer default 1 unique, product_id integer primary key, quantity integer)',
    )
    expect(await missing(linesWith())).toEqual([
      notUnique.replace(/\.$/, ", or declare the key of the table as id: id('productId')."),
    ])
  })

  test.each([
    ['a primary key of text', "order_id text not null default 'a' primary key, product_id integer, quantity integer"],
    ['a unique column', `${columns}, unique (order_id), primary key (product_id)`],
    ['a primary key', `${columns}, primary key (order_id)`],
    ['a unique column next to a wider key', `${columns}, unique (order_id), primary key (order_id, product_id)`],
  ])('%s makes it unique', async (_name, definition) => {
    await scratch.run(`create table order_details (${definition})`)
    expect(await missing(linesWith())).toEqual([])
  })

  test('so does a unique index over an expression of it', async () => {
    await scratch.run(
      `create table order_details (${columns}); create unique index minus on order_details ((- order_id))`,
    )
    expect(await missing(linesWith())).toEqual([])
  })

  test('a view has no keys, and is served', async () => {
    await scratch.run(`
      create table details (${columns}, primary key (order_id, product_id));
      create view order_details as select * from details;
    `)
    expect(await missing(linesWith())).toEqual([])
  })

  test('a write that finds several rows with one id changes none of them', async () => {
    await scratch.run(`
      create table order_details (${columns}, primary key (order_id, product_id));
      insert into order_details values (1, 1, 5), (1, 2, 5), (2, 1, 5);
    `)
    const api = client(server(linesWith()))
    const body = { data: { type: 'lines', id: '1', attributes: { quantity: 9 } } }
    expectErrors(await api.patch('/lines/1', { body }), [{ status: 500 }])
    expectErrors(await api.delete('/lines/1'), [{ status: 500 }])
    expect((await api.patch('/lines/2', { body: { data: { ...body.data, id: '2' } } })).status).toBe(200)
    expect(await scratch.rows('select order_id, quantity from order_details order by order_id, product_id')).toEqual([
      { order_id: 1, quantity: 5 },
      { order_id: 1, quantity: 5 },
      { order_id: 2, quantity: 9 },
    ])
  })
})
