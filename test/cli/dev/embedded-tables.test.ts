import { DatabaseSync } from '@photostructure/sqlite'
import { createServer, defineResource, belongsTo, hasMany, id, model } from 'ashlar'
import { table } from 'ashlar/sql'
import { testClient } from 'ashlar/testing'
import { expect, onTestFinished, test } from 'vitest'
import { embeddedData } from '../../../src/cli/dev/embedded-data.js'
import type { AnyResource } from '../../../src/resource/resource-types.js'
import { catalogueServer, catalogueTypes } from '../../support/catalogue.js'

type Database = InstanceType<typeof DatabaseSync>

function openDatabase(): Database {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  return database
}

function columnsOf(database: Database, name: string): Readonly<Record<string, unknown>> {
  const columns = database.prepare('select name, lower(type) as type from pragma_table_info(?)').all(name)
  return Object.fromEntries(columns.map((column: object) => Object.values(column) as [string, unknown]))
}

async function served(...resources: readonly AnyResource[]) {
  const database = openDatabase()
  const { data, createTables } = embeddedData(database, resources)
  const server = createServer({ resources, data })
  await createTables()
  await server.ready()
  return { database, client: testClient(server), inspection: await server.inspect() }
}

test('the music catalogue has everything that it needs: tables, keys, joins and indexes', async () => {
  const database = openDatabase()
  const { data, createTables } = embeddedData(database, catalogueTypes)
  const server = catalogueServer({ data })
  await createTables()
  await createTables()
  expect(await server.inspect()).toMatchObject({ missing: [], unsound: [] })
  expect(columnsOf(database, 'albums')).toMatchObject({ id: 'integer', title: 'text', artist_id: 'integer' })
})

test('columns have the types of their attributes', async () => {
  interface Row {
    id: number
    text: string
    count: number
    large: bigint
    price: number
    isNew: boolean
    at: Date
    day: string
    clock: string
    list: string[]
    data: object
  }
  const all = defineResource('all', {
    model: model<Row>('all things'),
    id: id(),
    attributes: (a) => ({
      text: a.string(),
      count: a.integer(),
      large: a.bigint(),
      price: a.decimal(),
      isNew: a.boolean(),
      at: a.dateTime(),
      day: a.date(),
      clock: a.time(),
      list: a.arrayList(),
      data: a.arrayHash(),
    }),
  })
  const { database } = await served(all)
  expect(columnsOf(database, 'all things')).toEqual({
    id: 'integer',
    text: 'text',
    count: 'integer',
    large: 'bigint',
    price: 'real',
    is_new: 'integer',
    at: 'text',
    day: 'text',
    clock: 'text',
    list: 'text',
    data: 'text',
  })
})

test('keys are made by the database unless the id says otherwise, and refer to each other', async () => {
  const shelves = defineResource('shelves', {
    model: model<{ id: string; label: string }>('shelves'),
    id: id().uuid(),
    attributes: (a) => ({ label: a.string() }),
    relations: { discs: hasMany('discs') },
  })
  const discs = defineResource('discs', {
    model: table<{ shelfId: string; place: number; madeOn: string }>('discs', {
      columns: { madeOn: { name: 'made', type: 'date' } },
    }),
    id: id(['shelfId', 'place']),
    attributes: (a) => ({ place: a.integer().required(), madeOn: a.date().nullable() }),
    relations: { shelf: belongsTo('shelves').required() },
  })
  const { database, client } = await served(shelves, discs)
  expect(columnsOf(database, 'discs')).toEqual({ shelf_id: 'text', place: 'integer', made: 'text' })

  const { id: shelf } = (await client.post('/shelves', { body: { data: { type: 'shelves' } } })).resource
  expect(shelf).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  const disc = {
    type: 'discs',
    attributes: { place: 1, madeOn: '2000-10-02' },
    relationships: { shelf: { data: { type: 'shelves', id: shelf } } },
  }
  expect((await client.post('/discs', { body: { data: disc } })).status).toBe(201)
  expect((await client.get(`/shelves/${shelf}/discs`)).resources).toMatchObject([{ attributes: disc.attributes }])
})
